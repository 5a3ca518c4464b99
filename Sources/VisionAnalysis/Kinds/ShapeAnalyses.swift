import Foundation
import Vision
import VisionRecords

/// Rectangles in perspective: pages, cards, screens, signs.
struct RectangleAnalysis: NamedAnalysis {
    private let maximumCount: Int
    private let least: Float
    private let leastSize: Float?

    init(_ options: inout AnalysisOptions) throws {
        maximumCount = try options.integer("maximumCount", in: 0...1000, default: 0)
        least = try options.share("minConfidence", default: 0)
        leastSize = try options.share("minSize")
    }

    func makeRequests() -> [VNRequest] {
        let request = VNDetectRectanglesRequest()
        request.maximumObservations = maximumCount
        request.minimumConfidence = least
        if let leastSize { request.minimumSize = leastSize }
        return [request]
    }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [RectangleResult] {
        image.rectangles(requests, least)
    }
}

/// The page that an image is a photograph of: one, or none.
struct DocumentAnalysis: NamedAnalysis {
    private let least: Float

    init(_ options: inout AnalysisOptions) throws { least = try options.share("minConfidence", default: 0) }

    func makeRequests() -> [VNRequest] { [VNDetectDocumentSegmentationRequest()] }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [RectangleResult] {
        image.rectangles(requests, least)
    }
}

extension AnalysedImage {
    fileprivate func rectangles(_ requests: [VNRequest], _ least: Float) -> [RectangleResult] {
        (requests.first?.results ?? []).compactMap { $0 as? VNRectangleObservation }
            .filter { $0.confidence >= least }
            .map { RectangleResult(confidence: $0.confidence.record, corners: coordinates.corners($0)) }
    }
}

/// How far an image is tilted: one angle, or none.
struct HorizonAnalysis: NamedAnalysis {
    struct Result: Encodable, Sendable {
        /// In degrees, counter-clockwise: positive if the right end of the horizon is higher.
        @Nullable var angle: Double?
        @Nullable var confidence: Double?
    }

    init(_ options: inout AnalysisOptions) throws {}

    func makeRequests() -> [VNRequest] { [VNDetectHorizonRequest()] }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [Result] {
        (requests.first?.results ?? []).compactMap { $0 as? VNHorizonObservation }.map {
            Result(angle: (Double($0.angle) * 180 / .pi).rounded(decimals: 3), confidence: $0.confidence.record)
        }
    }
}
