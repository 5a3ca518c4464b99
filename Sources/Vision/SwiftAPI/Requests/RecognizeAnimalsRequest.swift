/// Finds cats and dogs. See `VNRecognizeAnimalsRequest`.
public struct RecognizeAnimalsRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [RecognizedObjectObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The second revision.
        case revision2

        /// The revision of the classic request.
        var classic: Int { VNRecognizeAnimalsRequestRevision2 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision2]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .recognizeAnimalsRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision2 }

    /// A species of animals, with the label of its observations.
    public enum Animal: String, Codable, Hashable, Sendable {
        /// A cat.
        case cat = "Cat"
        /// A dog.
        case dog = "Dog"
    }

    /// The animals that can be found.
    public var supportedAnimals: [Animal] {
        ((try? VNRecognizeAnimalsRequest().supportedIdentifiers()) ?? []).compactMap { Animal(rawValue: $0.rawValue) }
    }
}

extension RecognizeAnimalsRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNRecognizeAnimalsRequest().with(regionOfInterest, revision: revision.classic)
        return request
    }

    func result(from observations: [VNObservation]) throws -> [RecognizedObjectObservation] {
        try observations.all(of: VNRecognizedObjectObservation.self).map {
            RecognizedObjectObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: [RecognizedObjectObservation]) -> VisionResult { .recognizeAnimals(self, result) }
}
