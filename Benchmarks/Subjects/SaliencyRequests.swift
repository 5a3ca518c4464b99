import Foundation
import Vision
import VisionExtras
import VisionImage

/// Requests that read the maps of the backbone of classification, and the one for people.
enum SaliencyRequests {
    private static let width = 1920
    private static let height = 1080

    private enum Kind: String, CaseIterable {
        case classify, print, attention, objectness, animals, people

        /// Those of a perform with all that share the backbone.
        static let sharing: [Kind] = [.classify, .print, .attention, .objectness, .animals]

        var request: VNRequest {
            let request: VNRequest =
                switch self {
                case .classify: VNClassifyImageRequest()
                case .print: VNGenerateImageFeaturePrintRequest()
                case .attention: VNGenerateAttentionBasedSaliencyImageRequest()
                case .objectness: VNGenerateObjectnessBasedSaliencyImageRequest()
                case .animals: VNRecognizeAnimalsRequest()
                case .people: VNDetectHumanRectanglesRequest()
                }
            // The revision with EfficientNet-Lite2, which the maps are those of.
            if self == .classify || self == .print { request.revision = 2 }
            return request
        }
    }

    static var benchmarks: [Benchmark] {
        [Kind.attention, .objectness, .animals, .people].map(jpeg) + [inTurns]
    }

    private static func jpeg(_ kind: Kind) -> Benchmark {
        Benchmark(name: "saliency/\(kind.rawValue)-jpeg/\(width)x\(height)", unit: .frame) { inputs in
            let data = try inputs.image(width, height).raster(.rgb8).encodedJPEG(quality: 0.9)
            let request = kind.request
            return .init { try VNImageRequestHandler(data: data).perform([request]) }
        }
    }

    /// A call is one JPEG with each kind by itself, then with all that share the backbone in one perform. The counters
    /// are times relative to classification, and of the five together relative to five handlers.
    private static var inTurns: Benchmark {
        Benchmark(name: "saliency/in-turns-jpeg/\(width)x\(height)") { inputs in
            let data = try inputs.image(width, height).raster(.rgb8).encodedJPEG(quality: 0.9)
            let requests = Kind.allCases.map { ($0, $0.request) }
            let together = Kind.sharing.map(\.request)
            let times = TurnTimes()
            return .init(counters: {
                var ratios: [String: Double] = [:]
                for name in [Kind.attention, .objectness, .animals, .people].map(\.rawValue) + ["five"] {
                    ratios["\(name) / classify"] = times.ratio(name, to: Kind.classify.rawValue)
                }
                ratios["five / five handlers"] = times.ratio("five", to: "handlers")
                return ratios
            }) {
                for (kind, request) in requests {
                    try times.measure(kind.rawValue) { try VNImageRequestHandler(data: data).perform([request]) }
                }
                try times.measure("five") { try VNImageRequestHandler(data: data).perform(together) }
                try times.measure("handlers") {
                    for request in together { try VNImageRequestHandler(data: data).perform([request]) }
                }
            }
        }
    }
}
