import Foundation
import Vision

/// One kind of analysis of an image with its parameters: what the worker, the C interface and the Python package can
/// compute. Results are records in pixels of the upright image (`Documentation/JSON.md`).
protocol Analysis: Sendable {
    /// What is found in an image; encoded as an element of `results`.
    associatedtype Result: Encodable & Sendable

    /// Reads the parameters.
    ///
    /// - Throws: `AnalysisError` for a value that is not allowed.
    init(_ options: inout AnalysisOptions) throws

    /// Returns new requests that find what the analysis is about.
    func makeRequests() throws -> [VNRequest]

    /// Returns the results out of the requests, which have been performed. May perform more on the same handler.
    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [Result]
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

    var type: any Analysis.Type {
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
    let handler: VNImageRequestHandler
    let coordinates: RecordCoordinates
}

/// What is wrong with what an analysis was asked for, as a sentence.
package struct AnalysisError: Error, Equatable, CustomStringConvertible, LocalizedError {
    package let description: String

    package init(_ description: String) { self.description = description }

    package var errorDescription: String? { description }
}
