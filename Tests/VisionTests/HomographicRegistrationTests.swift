import Vision
import VisionImage
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

    /// The floating image, where the reference is the scene itself.
    private func floating(by warp: matrix_float3x3) -> GreyFrame {
        GreyFrame(width: width, height: height) { column, row in
            // The centre of the pixel, with y up; then back to the scene's own pixels.
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

    func testExchangedImagesGiveTheInverse() throws {
        let found = try register(reference.greyPixelBuffer(), onto: floating(by: warp).greyPixelBuffer())
        XCTAssertLessThan(error(found.warpTransform, warp.inverse), 0.1, "\(found)")
    }

    func testARotationByNinetyDegreesNeedsNoInitialEstimate() throws {
        // About the middle: (x, y) goes to (30 + height - y, x - 30).
        let rotation = matrix_float3x3(rows: [[0, -1, 210], [1, 0, -30], [0, 0, 1]])
        let found = try register(floating(by: rotation).greyPixelBuffer(), onto: reference.greyPixelBuffer())
        XCTAssertLessThan(error(found.warpTransform, rotation), 0.1, "\(found)")
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

    /// The warp is one between pixels, so it is the same for parts of the images, with their lower left corners moved.
    func testImagesOfDifferentSizesAreRegistered() throws {
        let whole = floating(by: warp)
        // Columns from `x` on and rows from `y` on, counted from the top.
        func part(_ frame: GreyFrame, x: Int, y: Int, width: Int, height: Int) -> GreyFrame {
            GreyFrame(width: width, height: height) { frame[x + $0, y + $1] }
        }
        func shift(_ x: Int, _ y: Int) -> matrix_float3x3 {
            matrix_float3x3(rows: [[1, 0, Float(x)], [0, 1, Float(y)], [0, 0, 1]])
        }
        // x, y, width and height of the part of the floating image, then of that of the reference.
        for (f, r) in [
            ([0, 0, 240, 180], [0, 0, 239, 179]), ([0, 0, 180, 180], [0, 0, 240, 150]),
            ([60, 20, 170, 140], [0, 0, 240, 180]), ([10, 0, 200, 150], [50, 40, 160, 140]),
        ] {
            let found = try register(
                part(whole, x: f[0], y: f[1], width: f[2], height: f[3]).greyPixelBuffer(),
                onto: part(reference, x: r[0], y: r[1], width: r[2], height: r[3]).greyPixelBuffer())
            // Back to the whole images, y up from their own lower left corners.
            let between =
                shift(r[0], height - r[1] - r[3]) * found.warpTransform
                * shift(-f[0], -(height - f[1] - f[3]))
            XCTAssertLessThan(error(between, warp), 0.3, "\(f) on to \(r): \(found)")
            XCTAssertGreaterThan(found.confidence, 0.6, "\(f) on to \(r)")
        }
    }

    /// The second image is taken at twice the size: features find it.
    func testImagesOfDifferentScalesAreRegistered() throws {
        let large = scene.frame(width: 2 * width, height: 2 * height)
        let small = GreyFrame(width: width, height: height) { column, row in
            let pixels = [(0, 0), (1, 0), (0, 1), (1, 1)].map { Int(large[2 * column + $0, 2 * row + $1]) }
            return UInt8(pixels.reduce(2, +) / 4)
        }
        let found = try register(small.greyPixelBuffer(), onto: large.greyPixelBuffer())
        let twice = matrix_float3x3(rows: [[2, 0, 0], [0, 2, 0], [0, 0, 1]])
        XCTAssertLessThan(error(found.warpTransform, twice), 0.5, "\(found)")
        XCTAssertGreaterThan(found.confidence, 0.8)
    }

    /// Two planes that move apart have no single warp, which lowers the confidence.
    func testPlanesThatMoveDifferentlyLowerTheConfidence() throws {
        let left = matrix_float3x3(rows: [[1.25, 0.2, -20], [-0.2, 1.25, 20], [0, 0, 1]])
        func confidence(apart: Float) throws -> Float {
            let right = matrix_float3x3(rows: [[1.25, 0.2, -20 + apart], [-0.2, 1.25, 20 - apart / 2], [0, 0, 1]])
            let (first, second) = (floating(by: left), floating(by: right))
            let both = GreyFrame(width: width, height: height) { column, row in
                column < width * 11 / 20 ? first[column, row] : second[column, row]
            }
            return try register(both.greyPixelBuffer(), onto: reference.greyPixelBuffer()).confidence
        }
        XCTAssertGreaterThan(try confidence(apart: 0), 0.8)
        XCTAssertLessThan(try confidence(apart: 14), 0.75)
    }

    func testImagesWithNothingInCommonGiveTheIdentityOrNoConfidence() throws {
        let black = GreyFrame(width: width, height: height) { _, _ in 0 }
        let grey = GreyFrame(width: width, height: height) { _, _ in 130 }
        var random = SplitMix64(seed: 5)
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
        let rotation = matrix_float3x3(rows: [[0, -1, 210], [1, 0, -30], [0, 0, 1]])
        for warp in [warp, rotation] {
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
