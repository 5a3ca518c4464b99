public import Foundation
import Vision

/// An analysis of an image. Results are records in pixels of the upright image (`Documentation/JSON.md`).
protocol Analysis: Sendable {
    /// What is found in an image; encoded as an element of `results`.
    associatedtype Result: Encodable & Sendable

    /// Returns new requests that find what the analysis is about.
    func makeRequests() throws -> [VNRequest]

    /// Returns the results out of the requests, which have been performed. May perform more on the same handler.
    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [Result]
}

/// One kind of analysis with its parameters: what the worker, the service, the C interface and the Python package can
/// compute.
protocol NamedAnalysis: Analysis {
    /// Reads the parameters.
    ///
    /// - Throws: `AnalysisError` for a value that is not allowed.
    init(_ options: inout AnalysisOptions) throws
}

/// The kinds of analyses by their names.
package enum AnalysisKind: String, CaseIterable, Sendable {
    /// What an image shows.
    case classify
    /// Faces, people and animals.
    case faces, people, animals
    /// Joints of bodies and of hands.
    case pose, hands
    /// Text and codes.
    case text, barcodes
    /// Rectangles, the page of a document, and the horizon.
    case rectangles, document, horizon
    /// What stands out.
    case saliency
    /// A vector for comparing images.
    case print

    /// What it finds, in a few words.
    var summary: String {
        switch self {
        case .classify: "What the image shows, as classes."
        case .faces: "Faces, with landmarks and capture quality if wanted."
        case .people: "People."
        case .animals: "Cats and dogs."
        case .pose: "The joints of people."
        case .hands: "The joints of hands."
        case .text: "Text lines and words, read."
        case .barcodes: "Barcodes, read."
        case .rectangles: "Rectangles in perspective."
        case .document: "The page that the image is a photograph of."
        case .horizon: "How far the image is tilted."
        case .saliency: "What stands out."
        case .print: "A vector for comparing images."
        }
    }

    var type: any NamedAnalysis.Type {
        switch self {
        case .classify: ClassAnalysis.self
        case .faces: FaceAnalysis.self
        case .people: PeopleAnalysis.self
        case .animals: AnimalAnalysis.self
        case .pose: PoseAnalysis.self
        case .hands: HandAnalysis.self
        case .text: TextAnalysis.self
        case .barcodes: BarcodeAnalysis.self
        case .rectangles: RectangleAnalysis.self
        case .document: DocumentAnalysis.self
        case .horizon: HorizonAnalysis.self
        case .saliency: SaliencyAnalysis.self
        case .print: PrintAnalysis.self
        }
    }
}

/// The image that requests were performed on.
struct AnalysedImage {
    let cancellation: AnalysisCancellation
    let handler: VNImageRequestHandler
    let coordinates: RecordCoordinates

    /// Performs requests, which are cancelled with the analysis, and returns what became of each.
    func outcomes(of requests: [VNRequest]) -> [Result<[VNObservation], NSError>] {
        handler.outcomes(of: requests) { cancellation.watch(requests) }
    }

    /// Performs a request that results need.
    ///
    /// - Throws: The request's error.
    func perform(_ request: VNRequest) throws {
        for outcome in outcomes(of: [request]) { _ = try outcome.get() }
    }
}

/// What is wrong with what an analysis was asked for, as a sentence.
public struct AnalysisError: Error, Equatable, CustomStringConvertible, LocalizedError {
    /// The sentence.
    public let description: String

    package init(_ description: String) { self.description = description }

    /// The sentence.
    public var errorDescription: String? { description }
}
