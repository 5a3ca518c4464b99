import Foundation
import VisionAlgorithms
import VisionExtras
import XCTest

@testable import Vision

final class OpticalFlowTests: XCTestCase {
    /// A texture that is smooth enough to be moved by parts of a pixel.
    private func texture(_ x: Double, _ y: Double) -> Double {
        128 + 35 * sin(0.23 * x + 0.11 * y) + 30 * sin(0.07 * x - 0.31 * y + 1) + 25 * sin(0.47 * x + 0.39 * y + 2)
    }

    /// The texture, moved to the right and down, with a square that is moved otherwise.
    private func frame(_ width: Int, _ height: Int, right: Double, down: Double, square: Double? = nil) -> GreyFrame {
        GreyFrame(width: width, height: height) { x, y in
            var value = texture(Double(x) - right, Double(y) - down)
            if let square, abs(Double(x) - Double(width) / 2 - square) < 48, abs(y - height / 2) < 48 {
                value = texture(0.35 * (Double(x) - square) + 500, 0.3 * Double(y) + 300)
            }
            return UInt8(max(0, min(255, value.rounded())))
        }
    }

    private func vectors(_ buffer: CVPixelBuffer) -> (at: (Int, Int) -> SIMD2<Float>, width: Int, height: Int) {
        CVPixelBufferLockBaseAddress(buffer, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
        let isHalf = CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_TwoComponent16Half
        var all: [SIMD2<Float>] = []
        if let base = CVPixelBufferGetBaseAddress(buffer) {
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = base + y * rowBytes + x * (isHalf ? 4 : 8)
                    all.append(
                        isHalf
                            ? SIMD2(
                                Float(pixel.load(as: Float16.self)),
                                Float(pixel.load(fromByteOffset: 2, as: Float16.self)))
                            : pixel.load(as: SIMD2<Float>.self))
                }
            }
        }
        return ({ all[$1 * width + $0] }, width, height)
    }

    private func flow(
        _ first: GreyFrame, _ second: GreyFrame, _ change: (VNGenerateOpticalFlowRequest) -> Void = { _ in }
    ) throws -> CVPixelBuffer {
        let request = VNGenerateOpticalFlowRequest(targetedCVPixelBuffer: first.greyPixelBuffer())
        change(request)
        try VNImageRequestHandler(cvPixelBuffer: second.greyPixelBuffer()).perform([request])
        return try XCTUnwrap(request.results?.first).pixelBuffer
    }

    func testDefaultsAreThoseOfApple() {
        let request = VNGenerateOpticalFlowRequest(
            targetedCVPixelBuffer: frame(4, 4, right: 0, down: 0).greyPixelBuffer())
        XCTAssertEqual(request.computationAccuracy, .medium)
        XCTAssertEqual(request.outputPixelFormat, kCVPixelFormatType_TwoComponent32Float)
        XCTAssertFalse(request.keepNetworkOutput)
        XCTAssertEqual(VNTrackOpticalFlowRequest().computationAccuracy, .medium)
        XCTAssertEqual(VNTrackOpticalFlowRequest().minimumLatencyFrameCount, 2)
    }

    func testMemoryIsBoundedForEveryShape() {
        for (width, height) in [(1, 1_000_000), (31, 200_000), (1_000_000, 1), (16_384, 16_384), (2, 500_000)] {
            let size = OpticalFlow.processedSize(width: width, height: height)
            // A row has margins of 32 elements, and the system 22 for two pixels and margins.
            XCTAssertLessThanOrEqual((11 * (size.width + 64)) * size.height, 60 << 20, "\(width) × \(height)")
        }
        for (width, height) in [(1, 1), (640, 480), (2048, 2000), (1920, 1080)] {
            let size = OpticalFlow.processedSize(width: width, height: height)
            XCTAssertEqual([size.width, size.height], [width, height])
        }
    }

    func testLargeAndNarrowImagesHaveTheFlowOfTheirReduction() throws {
        for (width, height) in [(2600, 2000), (3, 60_000)] {
            let frames = [0, 4].map { down in
                GreyFrame(width: width, height: height) { x, y in
                    let (x, y) = (Double(x) / 6, Double(y - down) / 6)
                    let wide = 40 * sin(x / 97) + 40 * cos(y / 83 + x / 131)
                    return UInt8(max(0, min(255, 0.45 * self.texture(x, y) + wide + 64)))
                }
            }
            let found = vectors(try flow(frames[0], frames[1]) { $0.computationAccuracy = .low })
            XCTAssertEqual([found.width, found.height], [width, height])
            guard width > 100 else { continue }
            for (x, y) in [(300, 300), (1301, 999), (2500, 1700)] {
                XCTAssertEqual(found.at(x, y).y, 4, accuracy: 0.8)
                XCTAssertEqual(found.at(x, y).x, 0, accuracy: 0.8)
            }
        }
    }

    func testMotionIsMeasuredFromTheTargetedImageToTheHandlers() throws {
        let (first, second) = (frame(160, 120, right: 0, down: 0), frame(160, 120, right: 3.5, down: -2))
        for (accuracy, limit) in [
            (VNGenerateOpticalFlowRequest.ComputationAccuracy.low, 0.5 as Float), (.medium, 0.15), (.high, 0.08),
            (.veryHigh, 0.08),
        ] {
            let found = vectors(try flow(first, second) { $0.computationAccuracy = accuracy })
            XCTAssertEqual([found.width, found.height], [160, 120])
            var error: Float = 0
            for y in 10..<110 {
                for x in 10..<150 {
                    let off = found.at(x, y) - SIMD2(3.5, -2)
                    error += (off * off).sum().squareRoot() / 14_000
                }
            }
            XCTAssertLessThan(error, limit, "\(accuracy)")
        }
    }

    func testFastSmallObjectsAreFound() throws {
        let (first, second) = (
            frame(480, 320, right: 0, down: 0, square: 0), frame(480, 320, right: 0, down: 0, square: 36)
        )
        let found = vectors(try flow(first, second) { $0.computationAccuracy = .high })
        XCTAssertEqual(found.at(240, 160).x, 36, accuracy: 1)
        XCTAssertEqual(found.at(240, 160).y, 0, accuracy: 1)
        XCTAssertEqual(found.at(40, 40).x, 0, accuracy: 0.1)
    }

    func testHalfFloatsAreTheSameVectors() throws {
        let (first, second) = (frame(64, 48, right: 0, down: 0), frame(64, 48, right: 1, down: 1))
        let whole = vectors(try flow(first, second))
        let buffer = try flow(first, second) { $0.outputPixelFormat = kCVPixelFormatType_TwoComponent16Half }
        XCTAssertEqual(CVPixelBufferGetPixelFormatType(buffer), kCVPixelFormatType_TwoComponent16Half)
        let half = vectors(buffer)
        for (x, y) in [(0, 0), (63, 47), (30, 20)] {
            XCTAssertEqual(half.at(x, y).x, whole.at(x, y).x, accuracy: 0.002)
            XCTAssertEqual(half.at(x, y).y, whole.at(x, y).y, accuracy: 0.002)
        }
        XCTAssertThrowsError(try flow(first, second) { $0.outputPixelFormat = kCVPixelFormatType_32BGRA })
    }

    func testARegionOfInterestLeavesTheRestAtZero() throws {
        let (first, second) = (frame(160, 120, right: 0, down: 0), frame(160, 120, right: 2, down: 0))
        let found = vectors(
            try flow(first, second) { $0.regionOfInterest = CGRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5) })
        XCTAssertEqual(found.at(120, 30).x, 2, accuracy: 0.2)
        XCTAssertEqual(found.at(40, 30), .zero)
        XCTAssertEqual(found.at(120, 90), .zero)
    }

    func testOddImages() throws {
        for (width, height) in [(1, 1), (1, 90), (200, 1), (33, 17), (7, 7)] {
            let image = frame(width, height, right: 0, down: 0)
            let found = vectors(try flow(image, image) { $0.computationAccuracy = .veryHigh })
            XCTAssertEqual([found.width, found.height], [width, height])
            XCTAssertEqual(found.at(width / 2, height / 2).x, 0, accuracy: 1e-3)
        }
        let (black, white) = (
            GreyFrame(width: 40, height: 40) { _, _ in 0 }, GreyFrame(width: 40, height: 40) { _, _ in 255 }
        )
        XCTAssertTrue(vectors(try flow(black, white)).at(20, 20).x.isFinite)
        XCTAssertThrowsError(try flow(black, frame(41, 40, right: 0, down: 0))) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.invalidArgument.rawValue)
        }
    }

    func testVectorsAreNoImage() throws {
        let image = frame(32, 32, right: 0, down: 0)
        let buffer = try flow(image, image)
        XCTAssertThrowsError(try VNImageRequestHandler(cvPixelBuffer: buffer).perform([VNDetectContoursRequest()])) {
            XCTAssertEqual(($0 as NSError).code, VNErrorCode.invalidFormat.rawValue)
        }
    }

    func testResultsAreArchived() throws {
        let request = VNGenerateOpticalFlowRequest(
            targetedCVPixelBuffer: frame(20, 10, right: 0, down: 0).greyPixelBuffer())
        try VNImageRequestHandler(cvPixelBuffer: frame(20, 10, right: 1, down: 0).greyPixelBuffer()).perform([request])
        let found = try XCTUnwrap(request.results?.first)
        let data = try JSONEncoder().encode(CodableObservation(found))
        XCTAssertEqual(try JSONDecoder().decode(CodableObservation.self, from: data).observation, found)
    }

    func testTrackingComparesEachFrameWithTheOneBefore() throws {
        let request = VNTrackOpticalFlowRequest()
        let handler = VNSequenceRequestHandler()
        try handler.perform([request], on: frame(96, 64, right: 0, down: 0).greyPixelBuffer())
        XCTAssertEqual(request.results, [])
        try handler.perform([request], on: frame(96, 64, right: 2, down: 0).greyPixelBuffer())
        XCTAssertEqual(vectors(try XCTUnwrap(request.results?.first).pixelBuffer).at(48, 32).x, 2, accuracy: 0.2)
        // The state is the request's: any handler may continue, and a copy begins anew.
        let copy = try XCTUnwrap(request.copy() as? VNTrackOpticalFlowRequest)
        let frame3 = frame(96, 64, right: 1, down: 1).greyPixelBuffer()
        try VNImageRequestHandler(cvPixelBuffer: frame3).perform([request, copy])
        XCTAssertEqual(vectors(try XCTUnwrap(request.results?.first).pixelBuffer).at(48, 32).x, -1, accuracy: 0.2)
        XCTAssertEqual(copy.results, [])
        // Another size begins anew too.
        try handler.perform([request], on: frame(64, 64, right: 0, down: 0).greyPixelBuffer())
        XCTAssertEqual(request.results, [])
    }
}
