import Foundation
import Vision
import VisionExtras
import VisionImage

/// Requests about what an image shows: from files, from frames of video, and where the network has run already.
enum SceneRequests {
    private static let width = 1920
    private static let height = 1080

    private enum Kind: String, CaseIterable {
        case classify
        case print
        case both = "classify+print"

        func requests(_ revision: Int) -> [VNRequest] {
            let requests: [VNRequest] =
                switch self {
                case .classify: [VNClassifyImageRequest()]
                case .print: [VNGenerateImageFeaturePrintRequest()]
                case .both: [VNClassifyImageRequest(), VNGenerateImageFeaturePrintRequest()]
                }
            for request in requests { request.revision = revision }
            return requests
        }
    }

    static var benchmarks: [Benchmark] {
        Kind.allCases.flatMap { kind in
            [
                file(kind, width, height), file(kind, 4000, 3000), frame(kind, revision: 1), frame(kind, revision: 2),
                cached(kind),
            ]
        } + [frame(.classify, revision: 3), bothAgainstOne, revisionsInTurns]
    }

    static var cases: [ServedCase] {
        [
            // A frame that is in memory; answers how many classes there are.
            ServedCase(name: "classify") { file, _ in
                let raw = try RawFile(path: file)
                let buffer = try PixelBuffers.make(raw.frames[0], of: raw)
                let request = VNClassifyImageRequest()
                request.revision = VNClassifyImageRequestRevision2
                return {
                    try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
                    return [Double(request.results?.count ?? 0)]
                }
            }
        ]
    }

    private static func file(_ kind: Kind, _ width: Int, _ height: Int) -> Benchmark {
        Benchmark(name: "scene/\(kind.rawValue)-jpeg/\(width)x\(height)", unit: .frame) { inputs in
            let data = try inputs.image(width, height).raster(.rgb8).encodedJPEG(quality: 0.9)
            let requests = kind.requests(1)
            return .init { try VNImageRequestHandler(data: data).perform(requests) }
        }
    }

    private static func frame(_ kind: Kind, revision: Int) -> Benchmark {
        Benchmark(name: "scene/\(kind.rawValue)-bgra-revision-\(revision)/\(width)x\(height)", unit: .frame) { inputs in
            let buffer = try PixelBuffers.bgra(try inputs.image(width, height))
            let requests = kind.requests(revision)
            return .init { try VNImageRequestHandler(cvPixelBuffer: buffer).perform(requests) }
        }
    }

    /// Everything but the network: the handler has its features.
    private static func cached(_ kind: Kind) -> Benchmark {
        Benchmark(name: "scene/\(kind.rawValue)-cached/\(width)x\(height)", unit: .frame) { inputs in
            let handler = VNImageRequestHandler(
                cvPixelBuffer: try PixelBuffers.bgra(try inputs.image(width, height)))
            let requests = kind.requests(1)
            try handler.perform(requests)
            return .init(counters: { ["runs of the network": Double(handler.networkRuns)] }) {
                try handler.perform(requests)
            }
        }
    }

    /// A call is one frame with both requests, one with
    /// classification alone and one with the print alone.
    private static var bothAgainstOne: Benchmark {
        Benchmark(name: "scene/classify+print-in-turns/\(width)x\(height)") { inputs in
            let buffer = try PixelBuffers.bgra(try inputs.image(width, height))
            let kinds = Kind.allCases.map { ($0, $0.requests(1)) }
            let times = TurnTimes()
            return .init(counters: {
                var ratios: [String: Double] = [:]
                for kind in [Kind.classify, .print] {
                    ratios["both / \(kind.rawValue)"] = times.ratio(Kind.both.rawValue, to: kind.rawValue)
                }
                return ratios
            }) {
                for (kind, requests) in kinds {
                    try times.measure(kind.rawValue) {
                        try VNImageRequestHandler(cvPixelBuffer: buffer).perform(requests)
                    }
                }
            }
        }
    }

    /// A call is one frame with revision 2 of classification and one with revision 3.
    private static var revisionsInTurns: Benchmark {
        Benchmark(name: "scene/classify-revisions-in-turns/\(width)x\(height)") { inputs in
            let buffer = try PixelBuffers.bgra(try inputs.image(width, height))
            let revisions = [2, 3].map { ($0, Kind.classify.requests($0)) }
            let times = TurnTimes()
            return .init(counters: { ["revision 3 / revision 2": times.ratio("3", to: "2")].compactMapValues { $0 } }) {
                for (revision, requests) in revisions {
                    try times.measure("\(revision)") {
                        try VNImageRequestHandler(cvPixelBuffer: buffer).perform(requests)
                    }
                }
            }
        }
    }
}
