import Foundation
import Vision
import VisionExtras

/// The requests about faces, in frames of video. Only photographs (--photos) have faces in them.
enum Faces {
    static var benchmarks: [Benchmark] {
        [(1, 1920, 1080), (2, 1920, 1080), (2, 4000, 3000)].map { rectangles(revision: $0, $1, $2) } + [quality]
    }

    /// One given face, as the detector has found it, in a frame that no request has seen.
    private static var quality: Benchmark {
        Benchmark(name: "faces/quality-of-one/1920x1080") { inputs in
            let buffer = try PixelBuffers.bgra(try inputs.image(1920, 1080))
            let faces = VNDetectFaceRectanglesRequest()
            try VNImageRequestHandler(cvPixelBuffer: buffer).perform([faces])
            let middle = CGRect(x: 0.4, y: 0.35, width: 0.15, height: 0.27)
            let request = VNDetectFaceCaptureQualityRequest()
            request.inputFaceObservations = [faces.results?.first ?? VNFaceObservation(boundingBox: middle)]
            return .init(counters: { ["quality": Double(request.results?.first?.faceCaptureQuality ?? -1)] }) {
                try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
            }
        }
    }

    private static func rectangles(revision: Int, _ width: Int, _ height: Int) -> Benchmark {
        Benchmark(name: "faces/rectangles-revision-\(revision)/\(width)x\(height)", unit: .frame) { inputs in
            let buffer = try PixelBuffers.bgra(try inputs.image(width, height))
            let request = VNDetectFaceRectanglesRequest()
            request.revision = revision
            var runs = 0
            return .init(counters: {
                ["faces": Double(request.results?.count ?? 0), "runs of networks": Double(runs)]
            }) {
                let handler = VNImageRequestHandler(cvPixelBuffer: buffer)
                try handler.perform([request])
                runs = handler.networkRuns
            }
        }
    }

    static var cases: [ServedCase] {
        [
            // A frame that is in memory; answers how many faces there are.
            ServedCase(name: "faces") { file, parameters in
                let raw = try RawFile(path: file)
                let buffer = try PixelBuffers.make(raw.frames[0], of: raw)
                return { [Double(try boxes(in: buffer, parameters).count)] }
            },
            // A file that is another one every time; answers x, y, width and height of each face in pixels, y down.
            ServedCase(name: "faces-of-file") { file, parameters in
                {
                    let raw = try RawFile(path: file)
                    let buffer = try PixelBuffers.make(raw.frames[0], of: raw)
                    let (width, height) = (Double(raw.width), Double(raw.height))
                    return try boxes(in: buffer, parameters).flatMap { box -> [Double] in
                        let (x, y) = (Double(box.minX) * width, Double(1 - box.maxY) * height)
                        return [x, y, Double(box.width) * width, Double(box.height) * height]
                    }
                }
            },
        ]
    }

    private static func boxes(in buffer: CVPixelBuffer, _ parameters: [String: String]) throws -> [CGRect] {
        let request = VNDetectFaceRectanglesRequest()
        if let revision = parameters["revision"].flatMap(Int.init) { request.revision = revision }
        try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
        return (request.results ?? []).map(\.boundingBox)
    }
}
