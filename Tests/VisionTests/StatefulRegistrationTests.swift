import Foundation
import Vision
import XCTest

final class StatefulRegistrationTests: XCTestCase {
    private func frame(_ right: Int, _ down: Int, width: Int = 160) -> CVPixelBuffer {
        GreyFrame(width: width, height: 120) { column, row in
            let (x, y) = (Double(column - right), Double(row - down))
            return UInt8(128 + 50 * sin(x / 7 + sin(y / 11)) + 40 * cos(y / 5 + x / 23) + 30 * sin((x - 2 * y) / 13))
        }.greyPixelBuffer()
    }

    func testTranslationsAreMeasuredFromFrameToFrame() throws {
        let request = VNTrackTranslationalImageRegistrationRequest()
        XCTAssertEqual(request.minimumLatencyFrameCount, 2)
        XCTAssertEqual(request.frameAnalysisSpacing, .zero)
        let handler = VNSequenceRequestHandler()
        try handler.perform([request], on: frame(0, 0))
        XCTAssertEqual(request.results, [])
        // The content moves by (4, 3) to the right and down: back onto the frame before by -4 and, y up, +3.
        try handler.perform([request], on: frame(4, 3))
        let first = try XCTUnwrap(request.results?.first)
        XCTAssertEqual(Double(first.alignmentTransform.tx), -4, accuracy: 0.3)
        XCTAssertEqual(Double(first.alignmentTransform.ty), 3, accuracy: 0.3)
        try handler.perform([request], on: frame(2, 5))
        let second = try XCTUnwrap(request.results?.first)
        XCTAssertEqual(Double(second.alignmentTransform.tx), 2, accuracy: 0.3)
        XCTAssertEqual(Double(second.alignmentTransform.ty), 2, accuracy: 0.3)
        // The same as the stateless request's.
        let targeted = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: frame(2, 5))
        try handler.perform([targeted], on: frame(4, 3))
        XCTAssertEqual(targeted.results?.first?.alignmentTransform, second.alignmentTransform)
        try handler.perform([request], on: frame(0, 0, width: 150))
        XCTAssertEqual(request.results, [])
    }

    func testHomographiesAreMeasuredFromFrameToFrame() throws {
        let request = VNTrackHomographicImageRegistrationRequest()
        let handler = VNSequenceRequestHandler()
        try handler.perform([request], on: frame(0, 0))
        XCTAssertEqual(request.results, [])
        try handler.perform([request], on: frame(5, 2))
        let warp = try XCTUnwrap(request.results?.first).warpTransform
        let targeted = VNHomographicImageRegistrationRequest(targetedCVPixelBuffer: frame(5, 2))
        try handler.perform([targeted], on: frame(0, 0))
        XCTAssertEqual(targeted.results?.first?.warpTransform, warp)
        let moved = warp * SIMD3<Float>(80, 60, 1)
        XCTAssertEqual(moved.x / moved.z, 75, accuracy: 0.5)
        XCTAssertEqual(moved.y / moved.z, 62, accuracy: 0.5)
    }

    func testFramesThatFollowTooSoonAreLeftOut() throws {
        let request = VNTrackTranslationalImageRegistrationRequest(
            frameAnalysisSpacing: CMTime(value: 1, timescale: 10))
        let handler = VNSequenceRequestHandler()
        func add(_ tenths: Double, _ right: Int) throws -> Int {
            try handler.perform(
                [request],
                on: CMSampleBuffer(
                    imageBuffer: frame(right, 0),
                    presentationTimeStamp: CMTime(seconds: 5 + tenths / 10, preferredTimescale: 600)))
            return try XCTUnwrap(request.results).count
        }
        XCTAssertEqual(try add(0, 0), 0)
        XCTAssertEqual(try add(0.5, 3), 0)
        XCTAssertEqual(try add(1, 6), 1)
        // Against the last frame that was analysed.
        XCTAssertEqual(try XCTUnwrap(request.results?.first).alignmentTransform.tx, -6, accuracy: 0.3)
        XCTAssertEqual(try add(1.5, 7), 0)
        // An earlier time is another video.
        XCTAssertEqual(try add(0.2, 7), 1)
    }
}
