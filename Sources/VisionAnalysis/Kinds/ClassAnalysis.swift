import Foundation
import Vision
import VisionExtras
import VisionRecords

/// What an image shows: the most confident classes that no class is below, with those above them.
struct ClassAnalysis: NamedAnalysis {
    private let count: Int
    private let least: Float
    private let includesAncestors: Bool
    private let revision: Int

    init(_ options: inout AnalysisOptions) throws {
        count = try options.integer("top", in: 1...10_000, default: 5)
        least = try options.share("minConfidence", default: 0.01)
        includesAncestors = try options.flag("ancestors")
        revision = try options.integer(
            "revision", in: VNClassifyImageRequestRevision1...VNClassifyImageRequestRevision4,
            default: VNClassifyImageRequest.defaultRevision)
    }

    func makeRequests() -> [VNRequest] {
        let request = VNClassifyImageRequest()
        request.revision = revision
        return [request]
    }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [ClassResult] {
        guard let request = requests.first as? VNClassifyImageRequest else { return [] }
        let taxonomy = try ClassificationTaxonomy(forRevision: request.revision)
        let classes = (request.results ?? []).lazy.filter { found in
            found.confidence >= least
                && (includesAncestors || taxonomy.children(of: found.identifier)?.isEmpty == true)
        }
        return classes.prefix(count).map { found in
            ClassResult(
                identifier: found.identifier, confidence: Double(found.confidence).rounded(decimals: 6),
                parents: taxonomy.parents(of: found.identifier))
        }
    }
}

/// A vector whose distance to that of another image says how alike they are.
struct PrintAnalysis: NamedAnalysis {
    struct Result: Encodable, Sendable {
        /// Prints of different revisions cannot be compared.
        let revision: Int
        let count: Int
        /// The elements: floats of 4 bytes, little-endian; encoded as Base64.
        let data: Data

        private enum CodingKeys: String, CodingKey {
            case revision, count
            case data = "base64"
        }
    }

    init(_ options: inout AnalysisOptions) throws {}

    func makeRequests() -> [VNRequest] { [VNGenerateImageFeaturePrintRequest()] }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [Result] {
        (requests.first?.results ?? []).compactMap { $0 as? VNFeaturePrintObservation }.map {
            Result(revision: $0.requestRevision, count: $0.elementCount, data: $0.data)
        }
    }
}
