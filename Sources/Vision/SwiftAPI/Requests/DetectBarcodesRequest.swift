/// Detects and reads barcodes: an observation for each. See `VNDetectBarcodesRequest`.
public struct DetectBarcodesRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [BarcodeObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// All symbologies, and the supplements of EAN and UPC.
        case revision4

        /// The revision of the classic request.
        var classic: Int { VNDetectBarcodesRequestRevision4 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision4]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// The symbologies to search for: all that can be read by default; fewer are faster.
    public var symbologies: [BarcodeSymbology] = Self.readableSymbologies

    /// Whether the parts of composite barcodes are joined. Composite barcodes are not read, so this has no effect.
    public var coalescesCompositeSymbologies = false

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .detectBarcodesRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision4 }

    /// The symbologies that can be read.
    public var supportedSymbologies: [BarcodeSymbology] { Self.readableSymbologies }

    private static let readableSymbologies =
        BarcodeConventions
        .symbologies(ofRevision: VNDetectBarcodesRequestRevision4).map { BarcodeSymbology($0) }
}

extension DetectBarcodesRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNDetectBarcodesRequest().with(regionOfInterest, revision: revision.classic)
        request.symbologies = try symbologies.map { symbology in
            guard let classic = symbology.classic else {
                throw VisionError.invalidArgument("Barcodes of unknown symbologies cannot be searched for.")
            }
            return classic
        }
        return request
    }

    func result(from observations: [VNObservation]) throws -> [BarcodeObservation] {
        try observations.all(of: VNBarcodeObservation.self).map { BarcodeObservation($0, descriptor: descriptor) }
    }

    func visionResult(_ result: [BarcodeObservation]) -> VisionResult { .detectBarcodes(self, result) }
}
