import Vision
import XCTest

final class HomographicRegistrationTests: XCTestCase {
    private let scene = Scene(seed: 77, wavelengths: 7...90, waves: 40)
    private let (width, height) = (240, 180)

    /// A warp of the plane in pixels, y up, as `warpTransform` states it: from the floating image to the reference.
    private let warp = matrix_float3x3(rows: [[1.03, -0.06, 4.5], [0.05, 0.98, -3.25], [1.2e-4, -0.8e-4, 1]])

    private func point(_ matrix: matrix_float3x3, _ x: Float, _ y: Float) -> SIMD2<Float> {
        let p = matrix * SIMD3<Float>(x, y, 1)
        return SIMD2(p.x, p.y) / p.z
    }

    /// What the floating image shows when the reference shows the scene as it is.
    private func floating(by warp: matrix_float3x3) -> GreyFrame {
        GreyFrame(width: width, height: height) { column, row in
            // The middle of the pixel, with y up; then back to the scene's own pixels.
            let p = point(warp, Float(column) + 0.5, Float(height) - Float(row) - 0.5)
            return UInt8(scene.brightness(Double(p.x) - 0.5, Double(Float(height) - p.y) - 0.5).rounded())
        }
    }

    private var reference: GreyFrame { scene.frame(width: width, height: height) }

    private func register(
        _ floating: CVPixelBuffer, onto reference: CVPixelBuffer
    ) throws -> VNImageHomographicAlignmentObservation {
        let request = VNHomographicImageRegistrationRequest(targetedCVPixelBuffer: floating)
        try VNImageRequestHandler(cvPixelBuffer: reference).perform([request])
        XCTAssertEqual(request.results?.count, 1)
        return try XCTUnwrap(request.results?.first)
    }

    /// The mean distance between where two warps take the corners.
    private func error(_ found: matrix_float3x3, _ wanted: matrix_float3x3) -> Float {
        let (w, h) = (Float(width), Float(height))
        let distances = [(0, 0), (w, 0), (w, h), (0, h)].map { x, y in
            let d = point(found, x, y) - point(wanted, x, y)
            return (d * d).sum().squareRoot()
        }
        return distances.reduce(0, +) / 4
    }

    func testAWarpIsFoundFromFloatingToReference() throws {
        let found = try register(floating(by: warp).greyPixelBuffer(), onto: reference.greyPixelBuffer())
        XCTAssertLessThan(error(found.warpTransform, warp), 0.1, "\(found)")
        XCTAssertGreaterThan(found.confidence, 0.8)
        XCTAssertEqual(found.requestRevision, VNHomographicImageRegistrationRequestRevision1)
        XCTAssertEqual(found.warpTransform[2, 2], 1, accuracy: 1e-6)
    }

    func testTheOtherWayRoundGivesTheInverse() throws {
        let found = try register(reference.greyPixelBuffer(), onto: floating(by: warp).greyPixelBuffer())
        XCTAssertLessThan(error(found.warpTransform, warp.inverse), 0.1, "\(found)")
    }

    func testATurnByNinetyDegreesNeedsNoGoodStart() throws {
        // About the middle: (x, y) goes to (30 + height - y, x - 30).
        let turn = matrix_float3x3(rows: [[0, -1, 210], [1, 0, -30], [0, 0, 1]])
        let found = try register(floating(by: turn).greyPixelBuffer(), onto: reference.greyPixelBuffer())
        XCTAssertLessThan(error(found.warpTransform, turn), 0.1, "\(found)")
        XCTAssertGreaterThan(found.confidence, 0.8)
    }

    func testOrientationsAreMadeUprightBeforeTheComparison() throws {
        let moved = floating(by: warp)
        let wanted = try register(moved.greyPixelBuffer(), onto: reference.greyPixelBuffer())
        for orientation in [CGImagePropertyOrientation.right, .down, .leftMirrored] {
            let request = VNHomographicImageRegistrationRequest(
                targetedCVPixelBuffer: moved.stored(for: orientation).greyPixelBuffer(), orientation: orientation)
            try VNSequenceRequestHandler().perform(
                [request], on: reference.stored(for: .left).greyPixelBuffer(), orientation: .left)
            XCTAssertEqual(request.results?.first?.warpTransform, wanted.warpTransform, "\(orientation)")
        }
    }

    func testTheRegionOfTheFloatingImageIsWhatLiesOnTheReference() throws {
        let moved = floating(by: warp)
        // The floating image is the upper right part of a larger one.
        let larger = GreyFrame(width: 2 * width, height: 2 * height) { column, row in
            column >= width && row < height ? moved[column - width, row] : UInt8((column * 7 + row * 13) % 256)
        }
        let request = VNHomographicImageRegistrationRequest(targetedCVPixelBuffer: larger.greyPixelBuffer())
        request.regionOfInterest = CGRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5)
        try VNSequenceRequestHandler().perform([request], on: reference.greyPixelBuffer())
        let found = try XCTUnwrap(request.results?.first)
        XCTAssertLessThan(error(found.warpTransform, warp), 0.1, "\(found)")
    }

    func testSizesThatDifferAreRefused() throws {
        let request = VNHomographicImageRegistrationRequest(
            targetedCVPixelBuffer: scene.frame(width: 100, height: 180).greyPixelBuffer())
        assertThrows(.invalidArgument) {
            try VNImageRequestHandler(cvPixelBuffer: self.reference.greyPixelBuffer()).perform([request])
        }
        XCTAssertNil(request.results)
        // A region that does not have the size of the reference either, of an image that does.
        let part = VNHomographicImageRegistrationRequest(targetedCVPixelBuffer: reference.greyPixelBuffer())
        part.regionOfInterest = CGRect(x: 0, y: 0, width: 0.5, height: 0.5)
        assertThrows(.invalidArgument) {
            try VNImageRequestHandler(cvPixelBuffer: self.reference.greyPixelBuffer()).perform([part])
        }
    }

    func testImagesWithNothingInCommonGiveTheIdentityOrNoConfidence() throws {
        let black = GreyFrame(width: width, height: height) { _, _ in 0 }
        let grey = GreyFrame(width: width, height: height) { _, _ in 130 }
        var random = SplitMix(state: 5)
        let noise = (0..<2).map { _ in
            GreyFrame(width: width, height: height) { _, _ in UInt8.random(in: 0...255, using: &random) }
        }
        let other = Scene(seed: 1234, wavelengths: 7...90, waves: 40).frame(width: width, height: height)
        for (index, pair) in [
            (black, black), (black, grey), (grey, reference), (reference, black), (noise[0], noise[1]),
            (noise[0], reference), (other, reference),
        ].enumerated() {
            let found = try register(pair.0.greyPixelBuffer(), onto: pair.1.greyPixelBuffer())
            XCTAssertLessThan(found.confidence, 0.3, "pair \(index)")
            for column in 0..<3 { for row in 0..<3 { XCTAssertTrue(found.warpTransform[column, row].isFinite) } }
        }
        let flat = try register(black.greyPixelBuffer(), onto: grey.greyPixelBuffer())
        XCTAssertEqual(flat.warpTransform, matrix_identity_float3x3)
        XCTAssertEqual(flat.confidence, 0)
    }

    func testTinyAndOddSizesGiveNumbers() throws {
        for (width, height) in [
            (1, 1), (2, 3), (7, 1), (1, 300), (15, 17), (16, 16), (300, 17), (33, 32), (2000, 20), (5000, 16),
        ] {
            let found = try register(
                scene.frame(width: width, height: height, x: 1).greyPixelBuffer(),
                onto: scene.frame(width: width, height: height).greyPixelBuffer())
            XCTAssertTrue((0...1).contains(found.confidence), "\(width) × \(height)")
            for column in 0..<3 { for row in 0..<3 { XCTAssertTrue(found.warpTransform[column, row].isFinite) } }
        }
    }

    func testTheSameImagesGiveTheSameBitsAgain() throws {
        let turn = matrix_float3x3(rows: [[0, -1, 210], [1, 0, -30], [0, 0, 1]])
        for warp in [warp, turn] {
            let (first, second) = (floating(by: warp).greyPixelBuffer(), reference.greyPixelBuffer())
            let found = try register(first, onto: second)
            let again = try register(first, onto: second)
            XCTAssertEqual(found.warpTransform, again.warpTransform)
            XCTAssertEqual(found.confidence, again.confidence)
        }
    }

    func testSeveralRequestsShareAPerform() throws {
        let moved = floating(by: warp).greyPixelBuffer()
        let requests = (0..<3).map { _ in VNHomographicImageRegistrationRequest(targetedCVPixelBuffer: moved) }
        try VNSequenceRequestHandler().perform(requests, on: reference.pixelBuffer())
        for request in requests {
            let found = try XCTUnwrap(request.results?.first)
            XCTAssertLessThan(error(found.warpTransform, warp), 0.25)
        }
    }

    func testTheObservationSurvivesAnArchive() throws {
        let observation = try register(floating(by: warp).greyPixelBuffer(), onto: reference.greyPixelBuffer())
        let data = try NSKeyedArchiver.archivedData(withRootObject: observation, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: VNImageHomographicAlignmentObservation.self, from: data)
        XCTAssertEqual(read, observation)
        XCTAssertEqual(read?.warpTransform, observation.warpTransform)
    }
}
