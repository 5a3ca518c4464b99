import ModelTestSupport
import VisionExtras
import VisionImage
import VisionModels
import XCTest

@testable import Vision

/// The joints of drawn people.
final class BodyPoseTests: XCTestCase {
    private typealias Joint = VNHumanBodyPoseObservation.JointName

    private static let names: [String: Joint] = [
        "nose": .nose, "leftShoulder": .leftShoulder, "rightShoulder": .rightShoulder, "leftElbow": .leftElbow,
        "rightElbow": .rightElbow, "leftWrist": .leftWrist, "rightWrist": .rightWrist, "leftHip": .leftHip,
        "rightHip": .rightHip, "leftKnee": .leftKnee, "rightKnee": .rightKnee, "leftAnkle": .leftAnkle,
        "rightAnkle": .rightAnkle,
    ]

    private func requireNetworks() throws { _ = try requireModel { try KeypointFinder() } }

    private func poses(
        _ buffer: CVPixelBuffer, orientation: CGImagePropertyOrientation = .up,
        region: CGRect = VNNormalizedIdentityRect
    ) throws -> [VNHumanBodyPoseObservation] {
        let request = VNDetectHumanBodyPoseRequest()
        request.regionOfInterest = region
        try VNImageRequestHandler(cvPixelBuffer: buffer, orientation: orientation).perform([request])
        return try XCTUnwrap(request.results)
    }

    /// Checks that the joints are those of a drawn person.
    ///
    /// - Parameter region: The region of interest in pixels from the top left.
    private func assert(
        _ pose: VNHumanBodyPoseObservation, is body: DrawnBody, in region: CGRect, accuracy: Double,
        _ message: String = "", file: StaticString = #filePath, line: UInt = #line
    ) throws {
        for (name, joint) in Self.names {
            let drawn = try XCTUnwrap(body.joints[name])
            let point = try pose.recognizedPoint(joint)
            let (x, y) = (region.minX + point.x * region.width, region.maxY - point.y * region.height)
            XCTAssertLessThan(
                hypot(x - drawn.x, y - drawn.y), accuracy, "\(name) \(message)", file: file, line: line)
            XCTAssertGreaterThan(point.confidence, 0.3, "\(name) \(message)", file: file, line: line)
        }
    }

    func testTheJointsOfAPersonAreFound() throws {
        try requireNetworks()
        for raised in [false, true] {
            let body = DrawnBody.person(x: 160, top: 20, height: 200, raised: raised)
            let found = try poses(DrawnBody.buffer([body], width: 320, height: 240))
            XCTAssertEqual(found.count, 1)
            let pose = try XCTUnwrap(found.first)
            XCTAssertGreaterThan(pose.confidence, 0.6)
            XCTAssertEqual(pose.requestRevision, VNDetectHumanBodyPoseRequestRevision1)
            try assert(pose, is: body, in: CGRect(x: 0, y: 0, width: 320, height: 240), accuracy: 10)
        }
    }

    func testNeckAndRootLieBetweenShouldersAndHips() throws {
        try requireNetworks()
        let body = DrawnBody.person(x: 160, top: 20, height: 200)
        let pose = try XCTUnwrap(poses(DrawnBody.buffer([body], width: 320, height: 240)).first)
        for (middle, left, right) in [
            (Joint.neck, Joint.leftShoulder, Joint.rightShoulder), (.root, .leftHip, .rightHip),
        ] {
            let ends = [try pose.recognizedPoint(left), try pose.recognizedPoint(right)]
            let point = try pose.recognizedPoint(middle)
            XCTAssertEqual(point.x, (ends[0].x + ends[1].x) / 2, accuracy: 1e-9)
            XCTAssertEqual(point.y, (ends[0].y + ends[1].y) / 2, accuracy: 1e-9)
            XCTAssertEqual(point.confidence, min(ends[0].confidence, ends[1].confidence), accuracy: 1e-6)
        }
    }

    func testSeveralPeopleAreFoundOnceEach() throws {
        try requireNetworks()
        let bodies = [
            DrawnBody.person(x: 100, top: 30, height: 190),
            DrawnBody.person(x: 300, top: 20, height: 210, raised: true),
        ]
        let found = try poses(DrawnBody.buffer(bodies, width: 420, height: 250))
        XCTAssertEqual(found.count, 2)
        XCTAssertEqual(found.map(\.confidence), found.map(\.confidence).sorted(by: >))
        let sorted = try found.sorted { try $0.recognizedPoint(.nose).x < $1.recognizedPoint(.nose).x }
        for (pose, body) in zip(sorted, bodies) {
            try assert(pose, is: body, in: CGRect(x: 0, y: 0, width: 420, height: 250), accuracy: 12)
        }
    }

    func testPointsAreRelativeToTheRegionOfInterest() throws {
        try requireNetworks()
        let bodies = [
            DrawnBody.person(x: 100, top: 30, height: 190), DrawnBody.person(x: 320, top: 20, height: 200),
        ]
        let buffer = DrawnBody.buffer(bodies, width: 420, height: 250)
        let found = try poses(buffer, region: CGRect(x: 0.5, y: 0, width: 0.5, height: 1))
        XCTAssertEqual(found.count, 1)
        try assert(
            try XCTUnwrap(found.first), is: bodies[1], in: CGRect(x: 210, y: 0, width: 210, height: 250), accuracy: 12)
    }

    func testAPersonIsUprightInEveryOrientation() throws {
        try requireNetworks()
        let body = DrawnBody.person(x: 150, top: 15, height: 180)
        let image = CIImage(cvPixelBuffer: DrawnBody.buffer([body], width: 280, height: 210))
        for orientation in CGImagePropertyOrientation.allCases {
            let inverse: CGImagePropertyOrientation =
                switch orientation {
                case .left: .right
                case .right: .left
                default: orientation
                }
            let stored = try XCTUnwrap(
                CIContext().createCGImage(image.oriented(inverse), from: image.oriented(inverse).extent))
            let request = VNDetectHumanBodyPoseRequest()
            try VNImageRequestHandler(cgImage: stored, orientation: orientation).perform([request])
            let found = try XCTUnwrap(request.results)
            XCTAssertEqual(found.count, 1, "\(orientation)")
            try assert(
                try XCTUnwrap(found.first), is: body, in: CGRect(x: 0, y: 0, width: 280, height: 210), accuracy: 10,
                "\(orientation)")
        }
    }

    func testAPersonUpsideDownIsFound() throws {
        try requireNetworks()
        let body = DrawnBody.person(x: 160, top: 20, height: 200, raised: true)
        let found = try poses(DrawnBody.buffer([body], width: 320, height: 240), orientation: .down)
        // Both axes of the image are reversed, and so are the joints.
        let pose = try XCTUnwrap(found.first)
        for (name, joint) in Self.names {
            let drawn = try XCTUnwrap(body.joints[name])
            let point = try pose.recognizedPoint(joint)
            XCTAssertLessThan(hypot((1 - point.x) * 320 - drawn.x, point.y * 240 - drawn.y), 25, name)
        }
    }

    func testAPersonWithoutABoxIsFoundInTheWholeRegion() throws {
        let finders = try requireModel { (try KeypointFinder(), try PoseFinder()) }
        let region = PixelRegion(x: 0, y: 0, width: 320, height: 240)
        let body = DrawnBody.person(x: 160, top: 20, height: 200)
        func found(_ bodies: [DrawnBody], in region: PixelRegion) throws -> [FoundKeypoints] {
            let image = ImageSource(pixelBuffer: DrawnBody.buffer(bodies, width: 320, height: 240))
            let found = try finders.0.poses(of: [], in: region) { try image.derivative($0) }
            let bodies = try finders.1.poses(of: [], in: region) { try image.derivative($0) }
            XCTAssertEqual(found.count, bodies.count)
            for (one, other) in zip(found, bodies) {
                XCTAssertLessThan(one.pose.distance(to: KeypointPose(other.pose)), 0.05)
            }
            return found
        }
        let pose = try XCTUnwrap(found([body], in: region).first)
        for (name, joint) in [("nose", BodyJoint.nose), ("leftHip", .leftHip), ("rightAnkle", .rightAnkle)] {
            let drawn = try XCTUnwrap(body.joints[name])
            let point = pose.pose.position(joint)
            XCTAssertLessThan(hypot(point.x - drawn.x, point.y - drawn.y), 15, name)
        }
        XCTAssertTrue((0...1).contains(pose.score))
        XCTAssertEqual(try found([], in: region), [])
        XCTAssertEqual(try found([body], in: PixelRegion(x: 0, y: 0, width: 60, height: 60)), [])
    }

    func testTheSearchOfARegionEndsAtAPoseThatIsKnown() throws {
        let finder = try requireModel { try PoseFinder() }
        let body = DrawnBody.person(x: 160, top: 20, height: 200)
        let image = ImageSource(pixelBuffer: DrawnBody.buffer([body], width: 320, height: 240))
        var first: [BodyPose] = []
        func strongest(isKnown: Bool) throws -> FoundPose? {
            let region = PixelRegion(x: 0, y: 0, width: 320, height: 240)
            return try finder.strongestPose(
                in: region,
                unless: {
                    first.append($0)
                    return isKnown
                }, pixels: { try image.derivative($0) })
        }
        XCTAssertNil(try strongest(isKnown: true))
        let pose = try XCTUnwrap(strongest(isKnown: false)).pose
        XCTAssertEqual(first.count, 2)
        XCTAssertEqual(first.first, first.last)
        XCTAssertNotEqual(pose, first.first, "further crops count")
        XCTAssertLessThan(try KeypointPose(XCTUnwrap(first.first)).distance(to: KeypointPose(pose)), 0.05)
    }

    func testLegsBelowTheFrameHaveALowConfidence() throws {
        try requireNetworks()
        let body = DrawnBody.person(x: 160, top: 20, height: 340)
        let pose = try XCTUnwrap(poses(DrawnBody.buffer([body], width: 320, height: 220)).first)
        for joint in [Joint.leftKnee, .rightKnee, .leftAnkle, .rightAnkle] {
            XCTAssertLessThan(try pose.recognizedPoint(joint).confidence, 0.3, "\(joint)")
        }
        for joint in [Joint.nose, .leftShoulder, .rightShoulder] {
            XCTAssertGreaterThan(try pose.recognizedPoint(joint).confidence, 0.5, "\(joint)")
        }
    }

    func testShouldersOfHeadsAndShouldersAreNotInTheFace() throws {
        try requireNetworks()
        let photo = try XCTUnwrap(CIImage(contentsOf: GuidePhotos.url("astronaut")))
        // Pixels from the top left, of 384 × 384.
        for part in [
            CGRect(x: 60, y: 0, width: 240, height: 195), CGRect(x: 90, y: 0, width: 172, height: 150),
            CGRect(x: 75, y: 0, width: 195, height: 225), CGRect(x: 45, y: 0, width: 300, height: 285),
            CGRect(x: 64, y: 43, width: 264, height: 330),
        ] {
            let crop = photo.cropped(
                to: CGRect(x: part.minX, y: 384 - part.maxY, width: part.width, height: part.height))
            let image = try XCTUnwrap(CIContext().createCGImage(crop, from: crop.extent))
            let request = VNDetectHumanBodyPoseRequest()
            try VNImageRequestHandler(cgImage: image).perform([request])
            let found = try XCTUnwrap(request.results)
            XCTAssertEqual(found.count, 1, "\(part)")
            let pose = try XCTUnwrap(found.first)
            func pixels(_ joint: Joint) throws -> (x: Double, y: Double) {
                let point = try pose.recognizedPoint(joint)
                return (point.x * part.width, (1 - point.y) * part.height)
            }
            let (nose, left, right) = (try pixels(.nose), try pixels(.leftShoulder), try pixels(.rightShoulder))
            XCTAssertEqual(nose.x + part.minX, 165, accuracy: 9, "\(part)")
            XCTAssertEqual(nose.y + part.minY, 94, accuracy: 11, "\(part)")
            XCTAssertGreaterThan(min(left.y, right.y) - nose.y, 22, "\(part)")
            XCTAssertGreaterThan(left.x - right.x, 75, "\(part)")
        }
    }

    /// One run finds the people, for both requests, and one body is looked for: the edge cuts it, and no search of the
    /// whole photograph follows.
    func testABodyThatFillsThePhotographIsSearchedOnce() throws {
        try requireNetworks()
        let handler = VNImageRequestHandler(url: GuidePhotos.url("astronaut"))
        let (poses, people) = (VNDetectHumanBodyPoseRequest(), VNDetectHumanRectanglesRequest())
        try handler.perform([poses, people])
        XCTAssertEqual(poses.results?.count, 1)
        XCTAssertEqual(people.results?.count, 1)
        XCTAssertEqual(handler.networkRuns, 2)
    }

    func testImagesWithoutPeopleGiveAnEmptyArray() throws {
        try requireNetworks()
        for (width, height) in [(1, 1), (3, 300), (300, 2), (160, 120)] {
            XCTAssertEqual(try poses(DrawnBody.buffer([], width: width, height: height)), [], "\(width)×\(height)")
        }
    }

    func testEveryThreadCountGivesTheSameBits() throws {
        try requireNetworks()
        let threads = VisionSettings.threadCount
        defer { VisionSettings.threadCount = threads }
        let buffer = DrawnBody.buffer(
            [DrawnBody.person(x: 160, top: 20, height: 200)], width: 320, height: 240)
        func numbers() throws -> [[Float]] {
            try poses(buffer).map { pose in
                let array = try pose.keypointsMultiArray()
                return (0..<array.count).map { array[$0].floatValue }
            }
        }
        VisionSettings.threadCount = 1
        let one = try numbers()
        VisionSettings.threadCount = 3
        XCTAssertEqual(try numbers(), one)
        XCTAssertEqual(one.first?.count, 54)
    }

    // MARK: - Sequences

    func testTheFirstFrameOfASequenceIsAsAnImage() throws {
        try requireNetworks()
        let buffer = DrawnBody.buffer(
            [DrawnBody.person(x: 160, top: 20, height: 200)], width: 320, height: 240)
        let request = VNDetectHumanBodyPoseRequest()
        try VNSequenceRequestHandler().perform([request], on: buffer)
        let (frame, image) = (try XCTUnwrap(request.results), try poses(buffer))
        XCTAssertEqual(frame.count, image.count)
        for (one, other) in zip(frame, image) {
            XCTAssertEqual(one.confidence, other.confidence)
            XCTAssertEqual(try one.recognizedPoints(.all), try other.recognizedPoints(.all))
        }
    }

    func testASequenceFollowsAPersonAndFindsNewOnes() throws {
        try requireNetworks()
        let handler = VNSequenceRequestHandler()
        let area = CGRect(x: 0, y: 0, width: 420, height: 240)
        var runs: [Int] = []
        for frame in 0..<9 {
            var bodies = [DrawnBody.person(x: 100 + 3 * Double(frame), top: 20, height: 200)]
            if frame >= 5 { bodies.append(DrawnBody.person(x: 320, top: 20, height: 200, raised: true)) }
            let before = handler.core.networkRunCount
            let request = VNDetectHumanBodyPoseRequest()
            try handler.perform([request], on: DrawnBody.buffer(bodies, width: 420, height: 240))
            runs.append(handler.core.networkRunCount - before)
            let found = try XCTUnwrap(request.results)
            let nearest = try XCTUnwrap(
                found.min { try $0.recognizedPoint(.nose).x < $1.recognizedPoint(.nose).x })
            try assert(nearest, is: bodies[0], in: area, accuracy: 12, "frame \(frame)")
            // The new person changes so much of the frame that people are searched, as after a cut.
            XCTAssertEqual(found.count, bodies.count)
        }
        // The people and the poses where people are searched, the poses where they are followed.
        XCTAssertEqual(runs, [2, 1, 1, 1, 2, 3, 2, 2, 2])
    }

    func testGroupsAreSearchedInEveryFrameOfASequence() throws {
        try requireNetworks()
        let handler = VNSequenceRequestHandler()
        let bodies = (0..<5).map { DrawnBody.person(x: 80 + 150 * Double($0), top: 20, height: 200) }
        var (results, runs): ([[VNHumanBodyPoseObservation]], [Int]) = ([], [])
        for _ in 0..<2 {
            let before = handler.core.networkRunCount
            let request = VNDetectHumanBodyPoseRequest()
            try handler.perform([request], on: DrawnBody.buffer(bodies, width: 760, height: 240))
            results.append(try XCTUnwrap(request.results))
            runs.append(handler.core.networkRunCount - before)
        }
        XCTAssertEqual(results.map(\.count), [5, 5])
        XCTAssertEqual(runs, [6, 6])
    }

    func testASequenceOfUnrelatedImagesGivesWhatEachShows() throws {
        try requireNetworks()
        let handler = VNSequenceRequestHandler()
        let body = DrawnBody.person(x: 160, top: 20, height: 200)
        let frames: [[DrawnBody]] = [
            [body], [], [DrawnBody.person(x: 90, top: 100, height: 120, raised: true)], [body],
        ]
        for bodies in frames {
            let request = VNDetectHumanBodyPoseRequest()
            try handler.perform([request], on: DrawnBody.buffer(bodies, width: 320, height: 240))
            let found = try XCTUnwrap(request.results)
            XCTAssertEqual(found.count, bodies.count)
            for (pose, body) in zip(found, bodies) {
                try assert(pose, is: body, in: CGRect(x: 0, y: 0, width: 320, height: 240), accuracy: 12)
            }
        }
    }

    // MARK: - Space

    func testTheBodyInSpaceStandsUpright() throws {
        try requireNetworks()
        let body = DrawnBody.person(x: 160, top: 20, height: 200)
        let handler = VNImageRequestHandler(cvPixelBuffer: DrawnBody.buffer([body], width: 320, height: 240))
        let (flat, space) = (VNDetectHumanBodyPoseRequest(), VNDetectHumanBodyPose3DRequest())
        try handler.perform([flat, space])
        // People are found once, then their joints and their bodies in space.
        XCTAssertEqual(handler.core.networkRunCount, 3)
        let pose = try XCTUnwrap(space.results?.first)
        XCTAssertEqual(space.results?.count, 1)
        XCTAssertEqual(pose.availableJointNames.count, 17)
        XCTAssertEqual(pose.heightEstimation, .reference)
        XCTAssertEqual(pose.bodyHeight, 1.8)
        func place(_ joint: VNHumanBodyPose3DObservation.JointName) throws -> SIMD4<Float> {
            try pose.recognizedPoint(joint).position.columns.3
        }
        XCTAssertEqual(try place(.root), [0, 0, 0, 1])
        // From the ankles to the top of the head, without the feet.
        let length = try place(.topHead).y - min(place(.leftAnkle).y, place(.rightAnkle).y)
        XCTAssertEqual(length, 1.7, accuracy: 0.15)
        XCTAssertGreaterThan(try place(.leftShoulder).x, try place(.rightShoulder).x + 0.2)
        XCTAssertGreaterThan(try place(.centerHead).y, try place(.centerShoulder).y)
        // A person of 1.8 m and 200 of 320 pixels, seen at 65°: 0.785 × 320 / 200 × 1.8 m.
        let camera = pose.cameraOriginMatrix.columns.3
        XCTAssertEqual(camera.z, 2.26, accuracy: 0.3)
        XCTAssertEqual(try pose.cameraRelativePosition(.root).columns.3.z, -camera.z)
        let root = try XCTUnwrap(flat.results?.first).recognizedPoint(.root)
        XCTAssertEqual(try pose.pointInImage(.root).x, root.x, accuracy: 0.02)
        XCTAssertEqual(try pose.pointInImage(.root).y, root.y, accuracy: 0.03)
    }

    func testBonesAreThoseBetweenJointsAndTheirParents() throws {
        try requireNetworks()
        let body = DrawnBody.person(x: 160, top: 20, height: 200, raised: true)
        let request = VNDetectHumanBodyPose3DRequest()
        try VNImageRequestHandler(cvPixelBuffer: DrawnBody.buffer([body], width: 320, height: 240)).perform([request])
        let pose = try XCTUnwrap(request.results?.first)
        for joint in pose.availableJointNames {
            let point = try pose.recognizedPoint(joint)
            XCTAssertEqual(point.identifier, joint.rawValue)
            let parent = pose.parentJointName(joint)
            XCTAssertEqual(point.parentJoint, parent ?? .root)
            let origin = try parent.map { try pose.recognizedPoint($0).position.columns.3 } ?? [0, 0, 0, 1]
            let sum = origin + point.localPosition.columns.3 - [0, 0, 0, 1]
            let rest = sum - point.position.columns.3
            XCTAssertLessThan((rest * rest).sum(), 1e-10)
        }
        XCTAssertNil(pose.parentJointName(.root))
        XCTAssertNil(pose.parentJointName(.init(rawValue: VNRecognizedPointKey(rawValue: "tail"))))
        let data = try NSKeyedArchiver.archivedData(withRootObject: pose, requiringSecureCoding: true)
        XCTAssertEqual(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: VNHumanBodyPose3DObservation.self, from: data), pose)
    }
}
