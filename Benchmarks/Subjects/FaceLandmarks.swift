import Foundation
import Vision
import VisionExtras

/// Landmarks of faces in frames of video. Only photographs (--photos) have faces in them.
enum FaceLandmarks {
    static var benchmarks: [Benchmark] { [landmarks(givenRoll: true), landmarks(givenRoll: false)] }

    /// One given face, as the detector has found it, in a frame that no request has seen; with its roll, and as a box
    /// alone.
    private static func landmarks(givenRoll: Bool) -> Benchmark {
        Benchmark(name: "faces/landmarks-of-one\(givenRoll ? "" : "-box")/1920x1080") { inputs in
            let buffer = try PixelBuffers.bgra(try inputs.image(1920, 1080))
            let faces = VNDetectFaceRectanglesRequest()
            try VNImageRequestHandler(cvPixelBuffer: buffer).perform([faces])
            let found = faces.results?.first
            let box = found?.boundingBox ?? CGRect(x: 0.4, y: 0.35, width: 0.15, height: 0.27)
            let request = VNDetectFaceLandmarksRequest()
            request.inputFaceObservations = [
                VNFaceObservation(
                    requestRevision: 2, boundingBox: box, roll: givenRoll ? found?.roll ?? 0 : nil, yaw: nil)
            ]
            return .init(counters: {
                ["confidence": Double(request.results?.first?.landmarks?.confidence ?? -1)]
            }) {
                try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
            }
        }
    }
}
