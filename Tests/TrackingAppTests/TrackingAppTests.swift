import Foundation
import Vision
import XCTest

@testable import TrackingApp

final class TrackingAppTests: XCTestCase {
    private let width = 160, height = 120, side = 24

    /// A frame with textured squares, each with the centre that is given, on a fainter texture.
    private func frame(_ centres: [(x: Int, y: Int)]) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
        let buffer = try XCTUnwrap(made)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let bytes = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
        for y in 0..<height {
            for x in 0..<width {
                var colour = (90 + noise(x / 5, y / 5, 0) / 6, 100, 90)
                for (index, centre) in centres.enumerated() {
                    let u = x - centre.x + side / 2, v = y - centre.y + side / 2
                    guard u >= 0, v >= 0, u < side, v < side else { continue }
                    let value = noise(u / 4, v / 4, index + 1)
                    colour = index == 0 ? (30, value / 3, value) : (value, value / 2, 20)
                }
                let pixel = y * rowBytes + 4 * x
                for (component, value) in [colour.0, colour.1, colour.2, 255].enumerated() {
                    bytes.storeBytes(of: UInt8(min(255, value)), toByteOffset: pixel + component, as: UInt8.self)
                }
            }
        }
        return buffer
    }

    private func noise(_ x: Int, _ y: Int, _ seed: Int) -> Int {
        var bits = UInt32(truncatingIfNeeded: x &* 374_761_393 &+ y &* 668_265_263 &+ seed &* 1_274_126_177)
        bits = (bits ^ (bits >> 13)) &* 1_274_126_177
        return Int((bits ^ (bits >> 16)) & 255)
    }

    private func box(_ centre: (x: Int, y: Int)) -> CGRect {
        VNNormalizedRectForImageRect(
            CGRect(x: centre.x - side / 2, y: height - centre.y - side / 2, width: side, height: side), width, height)
    }

    private func overlap(_ a: CGRect, _ b: CGRect) -> CGFloat {
        let across = max(0, min(a.maxX, b.maxX) - max(a.minX, b.minX))
        let down = max(0, min(a.maxY, b.maxY) - max(a.minY, b.minY))
        return across * down / (a.width * a.height + b.width * b.height - across * down)
    }

    func testTwoObjectsAreFollowedByTheirUuidsAtBothLevels() throws {
        let first = (0..<10).map { (x: 40 + 4 * $0, y: 40) }, second = (0..<10).map { (x: 120 - 3 * $0, y: 85) }
        let video = try (0..<10).map { try frame([first[$0], second[$0]]) }
        for level in [VNRequestTrackingLevel.fast, .accurate] {
            let targets = [first[0], second[0]].map { VNDetectedObjectObservation(boundingBox: box($0)) }
            var drawings: [VisionTracker.Drawing] = []
            let tracker = VisionTracker(targets: targets, level: level, revision: VNTrackObjectRequestRevision1)
            XCTAssertNil(tracker.track(video) { drawings.append($1) })
            XCTAssertEqual(drawings.count, 10)
            for (target, end) in zip(targets, [first[9], second[9]]) {
                let drawn = try XCTUnwrap(drawings.last?[target.uuid])
                let corners = CGRect(
                    x: drawn.corners[3].x, y: drawn.corners[3].y, width: drawn.corners[1].x - drawn.corners[3].x,
                    height: drawn.corners[1].y - drawn.corners[3].y)
                XCTAssertGreaterThan(overlap(corners, box(end)), 0.6)
                XCTAssertEqual(drawn.style, .solid)
            }
        }
    }

    func testAnObjectAndARectangleAreFollowedSideBySide() throws {
        let first = (0..<10).map { (x: 40 + 4 * $0, y: 40) }, second = (0..<10).map { (x: 120 - 2 * $0, y: 80 - $0) }
        let video = try (0..<10).map { try frame([first[$0], second[$0]]) }
        func rectangle(_ centre: (x: Int, y: Int)) -> VNRectangleObservation {
            VNRectangleObservation(boundingBox: box(centre))
        }
        for level in [VNRequestTrackingLevel.fast, .accurate] {
            let object = VNDetectedObjectObservation(boundingBox: box(first[0])), page = rectangle(second[0])
            var drawings: [VisionTracker.Drawing] = []
            let tracker = VisionTracker(targets: [object, page], level: level, revision: VNTrackObjectRequestRevision1)
            XCTAssertNil(tracker.track(video) { drawings.append($1) })
            XCTAssertEqual(drawings.last.map { Set($0.keys) }, [object.uuid, page.uuid])
            let drawn = try XCTUnwrap(drawings.last?[page.uuid])
            let end = rectangle(second[9])
            for (found, corner) in zip(drawn.corners, [end.topLeft, end.topRight, end.bottomRight, end.bottomLeft]) {
                XCTAssertEqual(found.x * CGFloat(width), corner.x * CGFloat(width), accuracy: 1.5, "\(level)")
                XCTAssertEqual(found.y * CGFloat(height), corner.y * CGFloat(height), accuracy: 1.5, "\(level)")
            }
            XCTAssertEqual(drawn.style, .solid)
        }
    }

    func testAnObjectThatIsGoneIsDrawnDashed() throws {
        let centre = (x: 80, y: 60)
        let video = try (0..<14).map { try frame($0 < 8 ? [centre] : []) }
        let target = VNDetectedObjectObservation(boundingBox: box(centre))
        var styles: [VisionTracker.Style?] = []
        let tracker = VisionTracker(
            targets: [target], level: .accurate, revision: VNTrackObjectRequestRevision1)
        XCTAssertNil(tracker.track(video) { styles.append($1[target.uuid]?.style) })
        XCTAssertEqual(styles[7], .solid)
        XCTAssertEqual(styles.last, .dashed)
    }

    func testCancellingEndsTheTrackBeforeTheNextFrame() throws {
        let video = try (0..<8).map { try frame([(x: 60 + $0, y: 60)]) }
        let tracker = VisionTracker(
            targets: [VNDetectedObjectObservation(boundingBox: box((60, 60)))], level: .fast,
            revision: VNTrackObjectRequestRevision1)
        var shown = 0
        XCTAssertNil(
            tracker.track(video) { _, _ in
                shown += 1
                if shown == 3 { tracker.cancel() }
            })
        XCTAssertEqual(shown, 3)
    }

    func testOneTrackThroughALongVideoInRunsOfFiftyFrames() throws {
        let centres = (0..<130).map { index in (x: 80 + Int(40 * sin(Double(index) / 15)), y: 60) }
        let video = try centres.map { try frame([$0]) }
        var detections = 0
        // Any detector will do: this one returns the truth.
        let app = Redetection { frame, _ in
            detections += 1
            let index = try XCTUnwrap(video.firstIndex { $0 === frame })
            return VNDetectedObjectObservation(boundingBox: self.box(centres[index]))
        }
        let track = try app.track(video, level: .fast)
        XCTAssertEqual(detections, 3)
        XCTAssertEqual(track.count, 130)
        for (found, centre) in zip(track, centres) {
            XCTAssertGreaterThan(overlap(try XCTUnwrap(found), box(centre)), 0.4)
        }
    }

    func testARunBeginsAsSoonAsThereIsSomethingToFollow() throws {
        let video = try (0..<8).map { try frame($0 < 3 ? [] : [(x: 60 + 2 * $0, y: 60)]) }
        let app = Redetection { frame, _ in
            let index = try XCTUnwrap(video.firstIndex { $0 === frame })
            return index < 3 ? nil : VNDetectedObjectObservation(boundingBox: self.box((60 + 2 * index, 60)))
        }
        let track = try app.track(video, level: .fast)
        XCTAssertEqual(track.map { $0 == nil }, [true, true, true, false, false, false, false, false])
        XCTAssertGreaterThan(overlap(try XCTUnwrap(track[7]), box((74, 60))), 0.6)
    }

    func testArgumentsAreReadOrRefused() throws {
        let arguments = try Arguments(["video", "fast", "0.1,0.2,0.3,0.4", "0,1,1,1,1,0,0,0"])
        XCTAssertEqual(arguments.level, .fast)
        guard case .picked(let targets) = arguments.targets else { return XCTFail("\(arguments.targets)") }
        XCTAssertEqual(targets.map { $0 is VNRectangleObservation }, [false, true])
        XCTAssertEqual(targets[0].boundingBox, CGRect(x: 0.1, y: 0.2, width: 0.3, height: 0.4))
        XCTAssertEqual((targets[1] as? VNRectangleObservation)?.bottomRight, CGPoint(x: 1, y: 0))
        guard case .face = try Arguments(["video", "accurate", "face"]).targets else { return XCTFail("no face") }
        for wrong in [
            [], ["video", "fast"], ["video", "slow", "0,0,1,1"], ["video", "fast", "0,0,1"],
            ["video", "fast", "0,0,1,one"],
            ["video", "fast", "0,,0,1,1"], ["video", "fast", "face", "0,0,1,1"],
        ] {
            XCTAssertThrowsError(try Arguments(wrong)) { XCTAssertTrue($0 is Arguments.InvalidArguments, "\($0)") }
        }
    }
}
