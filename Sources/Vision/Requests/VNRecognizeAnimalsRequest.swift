import VisionImage
import VisionModels

/// Cats and dogs, by the built-in network (`Training/Animals`).
public let VNRecognizeAnimalsRequestRevision1: Int = 1

/// The same network as revision 1.
public let VNRecognizeAnimalsRequestRevision2: Int = 2

/// Finds cats and dogs: an observation for each, the most confident first, none if there are none.
///
/// The boxes are normalised to the region of interest. The labels of an observation are both species, the more likely
/// one first; their identifiers are those of `VNAnimalIdentifier`. Where the network is not sure, it runs once more, on
/// the part of the region around the animals.
open class VNRecognizeAnimalsRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNRecognizedObjectObservation

    override class var revisionTable: RevisionTable { .recognizeAnimals }

    override func makeCopy() -> VNRequest { VNRecognizeAnimalsRequest(completionHandler: completionHandler) }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        return RequestJob { context in
            let pixels = region.pixels(in: try context.image.uprightImageSize())
            return try context.animals(in: pixels).map { animal in
                VNRecognizedObjectObservation(
                    labels: Self.labels(animal.scores, revision, context.timeRange),
                    confidence: animal.scores.max() ?? 0, requestRevision: revision,
                    boundingBox: CGRect(
                        x: animal.box.x, y: 1 - animal.box.y - animal.box.height, width: animal.box.width,
                        height: animal.box.height), timeRange: context.timeRange)
            }
        }
    }

    private static func labels(
        _ scores: [Float], _ revision: Int, _ timeRange: CMTimeRange
    ) -> [VNClassificationObservation] {
        let sum = scores.reduce(0, +)
        return zip(AnimalDetector.Species.allCases, scores).sorted { $0.1 > $1.1 }.map { species, score in
            VNClassificationObservation(
                identifier: species.identifier.rawValue, confidence: sum > 0 ? score / sum : 0, uuid: UUID(),
                requestRevision: revision, timeRange: timeRange)
        }
    }

    // MARK: - Species

    /// Returns the species that a revision knows.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open class func knownAnimalIdentifiers(forRevision requestRevision: Int) throws -> [VNAnimalIdentifier] {
        if let error = revisionTable.error(forRevision: requestRevision) { throw error }
        return AnimalDetector.Species.allCases.map(\.identifier)
    }

    /// Returns the species that the request's revision knows.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open func supportedIdentifiers() throws -> [VNAnimalIdentifier] {
        try Self.knownAnimalIdentifiers(forRevision: revision)
    }
}

extension AnimalDetector.Species {
    fileprivate var identifier: VNAnimalIdentifier {
        switch self {
        case .cat: .cat
        case .dog: .dog
        }
    }
}
