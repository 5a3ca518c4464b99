import Foundation
import VisionModels
import XCTest

@testable import Vision

/// What stateful requests keep from frame to frame.
final class RequestMemoryTests: XCTestCase {
    private struct Damage: Error {}

    private func time(_ tenths: Int64) -> FrameTime {
        let buffer = GreyFrame(width: 4, height: 4) { _, _ in 0 }.greyPixelBuffer()
        return FrameTime(
            of: CMSampleBuffer(
                imageBuffer: buffer, presentationTimeStamp: tenths == 0 ? .zero : CMTime(value: tenths, timescale: 10)))
    }

    func testAFrameThatFailsLeavesStateAndTimeAlone() throws {
        let memory = RequestMemory([1])
        let spacing = CMTime(value: 1, timescale: 2)
        XCTAssertEqual(memory.analyse(at: time(10), spacing: spacing) { $0.append(2) } != nil, true)
        XCTAssertThrowsError(
            try memory.analyse(at: time(20), spacing: spacing) { state in
                state.append(99)
                throw Damage()
            })
        // Half a second after the last analysed frame, although sooner after the one that failed.
        XCTAssertEqual(memory.analyse(at: time(22), spacing: spacing) { $0 }, [1, 2])
        XCTAssertNil(memory.analyse(at: time(24), spacing: spacing) { $0 })
    }

    func testTheTimeZeroIsATime() {
        let memory = RequestMemory(0)
        let spacing = CMTime(value: 1, timescale: 2)
        XCTAssertNotNil(memory.analyse(at: time(0), spacing: spacing) { $0 })
        XCTAssertNil(memory.analyse(at: time(1), spacing: spacing) { $0 })
        XCTAssertNotNil(memory.analyse(at: .none, spacing: spacing) { $0 })
        XCTAssertNotNil(memory.analyse(at: time(2), spacing: spacing) { $0 })
    }

    func testACancelledFrameIsNotThePreviousOne() throws {
        func frame(_ right: Int) -> CVPixelBuffer {
            GreyFrame(width: 64, height: 48) { x, y in UInt8(((x - right) * 37 ^ y * 11) & 255) }.greyPixelBuffer()
        }
        let request = VNTrackOpticalFlowRequest()
        let handler = VNSequenceRequestHandler()
        try handler.perform([request], on: frame(0))
        // A format that the flow cannot have fails before the frame counts.
        request.outputPixelFormat = kCVPixelFormatType_32BGRA
        XCTAssertThrowsError(try handler.perform([request], on: frame(2)))
        request.outputPixelFormat = kCVPixelFormatType_TwoComponent32Float
        try handler.perform([request], on: frame(2))
        let again = VNTrackOpticalFlowRequest()
        try handler.perform([again], on: frame(0))
        try handler.perform([again], on: frame(2))
        XCTAssertEqual(values(request.results ?? []), values(again.results ?? []))
    }

    func testMorePoseRegionsThanAreKeptAreForgottenBetweenPerforms() throws {
        let memory = PoseMemory<FoundKeypoints>()
        let size = ImageSize(width: 100, height: 100)
        let entry = PoseMemory<FoundKeypoints>.Entry(
            size: size, thumbnail: FrameThumbnail([UInt8](repeating: 0, count: 64)), poses: [], framesSinceSearch: 0)
        let regions = try (0..<17).map {
            try NormalizedRegion(CGRect(x: Double($0) / 100, y: 0, width: 0.1, height: 0.1))
        }
        func keptCount() -> Int { regions.count { memory.entry(of: $0, size: size) != nil } }
        for region in regions {
            memory.set(entry, of: region)
        }
        XCTAssertEqual(keptCount(), 17)
        memory.limit()
        XCTAssertEqual(keptCount(), 0)
        memory.set(entry, of: regions[3])
        memory.limit()
        XCTAssertEqual(keptCount(), 1)
    }
}
