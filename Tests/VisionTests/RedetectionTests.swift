import ModelTestSupport
import Vision
import VisionModels
import XCTest

/// A long video in runs of fifty frames: a detector finds the object at the start of each, a tracker follows it from
/// there.
final class RedetectionTests: XCTestCase {
    private let size = (width: 320, height: 240)

    /// In a loop, so that few images have to be drawn.
    private let lap = 20

    private func face(_ index: Int) -> DrawnFace {
        let angle = 2 * Double.pi * Double(index) / Double(lap)
        return DrawnFace(x: 160 + 25 * sin(angle), y: 120 + 15 * cos(angle), size: 80)
    }

    /// The first face that Vision detects.
    private func detect(in frame: CVPixelBuffer) throws -> VNFaceObservation? {
        let request = VNDetectFaceRectanglesRequest()
        try VNImageRequestHandler(cvPixelBuffer: frame).perform([request])
        return request.results?.first
    }

    func testAFaceIsOneTrackThroughRunsOfFiftyFramesAtBothLevels() throws {
        _ = try requireModel { try FaceDetector(.upright) }
        let images = (0..<lap).map { DrawnFace.buffer([face($0)], width: size.width, height: size.height) }
        let video = (0..<110).map { images[$0 % lap] }
        for level in [VNRequestTrackingLevel.fast, .accurate] {
            let handler = VNSequenceRequestHandler()
            var observation: VNDetectedObjectObservation?
            var uuids = Set<UUID>()
            for (index, frame) in video.enumerated() {
                if index % 50 == 0 { observation = try XCTUnwrap(detect(in: frame), "no face in frame \(index)") }
                let request = VNTrackObjectRequest(detectedObjectObservation: try XCTUnwrap(observation))
                request.revision = VNTrackObjectRequestRevision1
                request.trackingLevel = level
                request.isLastFrame = index % 50 == 49 || index == video.count - 1
                try handler.perform([request], on: frame)
                let found = try XCTUnwrap(request.results?.first)
                uuids.insert(found.uuid)
                observation = found
                let wanted = face(index)
                XCTAssertEqual(found.boundingBox.midX * 320, wanted.x, accuracy: 20, "frame \(index)")
                XCTAssertEqual((1 - found.boundingBox.midY) * 240, wanted.y, accuracy: 20, "frame \(index)")
                XCTAssertGreaterThan(found.confidence, 0.3, "frame \(index)")
            }
            XCTAssertEqual(uuids.count, 3, "a track of its own for each run")
        }
    }
}
