import Foundation
import Vision
import VisionRecords

/// People: whole bodies as far as they are visible, or upper bodies.
struct PeopleAnalysis: NamedAnalysis {
    private let upperBody: Bool
    private let least: Float

    init(_ options: inout AnalysisOptions) throws {
        upperBody = try options.flag("upperBody")
        least = try options.share("minConfidence", default: 0)
    }

    func makeRequests() -> [VNRequest] {
        let request = VNDetectHumanRectanglesRequest()
        request.revision = VNDetectHumanRectanglesRequestRevision2
        request.upperBodyOnly = upperBody
        return [request]
    }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [ObjectResult] {
        image.objects(requests.first?.results ?? [], least) { _ in nil }
    }
}

/// Cats and dogs.
struct AnimalAnalysis: NamedAnalysis {
    private let least: Float

    init(_ options: inout AnalysisOptions) throws { least = try options.share("minConfidence", default: 0) }

    func makeRequests() -> [VNRequest] { [VNRecognizeAnimalsRequest()] }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [ObjectResult] {
        image.objects(requests.first?.results ?? [], least) {
            ($0 as? VNRecognizedObjectObservation)?.labels.first?.identifier
        }
    }
}

/// What stands out: where people look first, or objects in the foreground.
struct SaliencyAnalysis: NamedAnalysis {
    private enum Kind: String, CaseIterable, Sendable {
        case attention, objectness
    }

    private let kind: Kind

    init(_ options: inout AnalysisOptions) throws { kind = try options.word("kind", default: Kind.attention) }

    func makeRequests() -> [VNRequest] {
        switch kind {
        case .attention: [VNGenerateAttentionBasedSaliencyImageRequest()]
        case .objectness: [VNGenerateObjectnessBasedSaliencyImageRequest()]
        }
    }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [ObjectResult] {
        let map = requests.first?.results?.first as? VNSaliencyImageObservation
        return image.objects(map?.salientObjects ?? [], 0) { _ in nil }
    }
}

extension AnalysedImage {
    fileprivate func objects(
        _ observations: [VNObservation], _ least: Float, label: (VNDetectedObjectObservation) -> String?
    ) -> [ObjectResult] {
        observations.compactMap { $0 as? VNDetectedObjectObservation }.filter { $0.confidence >= least }.map {
            ObjectResult(box: coordinates.box($0.boundingBox), confidence: $0.confidence.record, label: label($0))
        }
    }
}
