@testable import Vision
import VisionImage
import XCTest

/// Trackers of both levels beside others: what they find depends on neither the others nor the threads.
final class TrackingBatchTests: XCTestCase {
    private let background = Scene(seed: 31, contrast: 0.5)
    private let objects = (0..<5).map { Scene(seed: 32 + UInt64($0)) }
    private let side = 28

    override func tearDown() { Settings.setThreadCount(nil) }

    /// Five objects that move their own ways; two of them hide from the fourth frame on, so that they are searched for.
    private func video() -> [CVPixelBuffer] {
        (0..<9).map { time in
            var frame = background.frame(width: 320, height: 240)
            for (index, object) in objects.enumerated() where time < 4 || index > 1 {
                let (x, y) = position(index, time)
                frame.draw(object, centreX: x, centreY: y, side: side)
            }
            return frame.pixelBuffer()
        }
    }

    private func position(_ index: Int, _ time: Int) -> (x: Int, y: Int) {
        (50 + 55 * index + time * (index % 3), 60 + 30 * (index % 4) + time * (index % 2))
    }

    /// The boxes and confidences of some of the objects, frame by frame, as text.
    private func track(
        _ chosen: [Int], through video: [CVPixelBuffer], _ level: VNRequestTrackingLevel
    ) throws -> [Int: [String]] {
        let handler = VNSequenceRequestHandler()
        var inputs = chosen.map { index in
            let (x, y) = position(index, 0)
            return VNDetectedObjectObservation(
                boundingBox: VNNormalizedRectForImageRect(
                    CGRect(x: x - side / 2, y: 240 - y - side / 2, width: side, height: side), 320, 240))
        }
        var log: [Int: [String]] = [:]
        for frame in video {
            let requests = inputs.map { input in
                let request = VNTrackObjectRequest(detectedObjectObservation: input)
                request.revision = VNTrackObjectRequestRevision1
                request.trackingLevel = level
                return request
            }
            try handler.perform(requests, on: frame)
            inputs = requests.compactMap { $0.results?.first }
            for (index, result) in zip(chosen, inputs) {
                log[index, default: []].append("\(result.boundingBox) \(result.confidence)")
            }
        }
        return log
    }

    func testTheSameBoxesAloneAndInABatchWhateverTheNumberOfThreads() throws {
        let video = video(), all = Array(objects.indices)
        for level in [VNRequestTrackingLevel.fast, .accurate] {
            Settings.setThreadCount(1)
            let wanted = try track(all, through: video, level)
            XCTAssertEqual(Set(wanted.values).count, all.count, "the targets are not told apart")
            for threads in [2, 3, 8] {
                Settings.setThreadCount(threads)
                XCTAssertEqual(try track(all, through: video, level), wanted, "\(threads) threads")
            }
            for index in all {
                XCTAssertEqual(try track([index], through: video, level)[index], wanted[index], "target \(index) alone")
            }
        }
    }
}
