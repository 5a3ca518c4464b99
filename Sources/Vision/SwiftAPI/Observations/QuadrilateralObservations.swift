/// Four corners in the image.
public struct RectangleObservation: WrappedObservation, QuadrilateralProviding {
    /// The observation of the classic API with the same values.
    public let classic: VNRectangleObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNRectangleObservation) { self.init(observation, descriptor: nil) }

    /// Creates an observation from its corners, to start a tracker with; its confidence is 1.
    public init(
        topLeft: NormalizedPoint, topRight: NormalizedPoint, bottomRight: NormalizedPoint, bottomLeft: NormalizedPoint
    ) {
        self.init(
            VNRectangleObservation(
                requestRevision: VNRequestRevisionUnspecified, topLeft: topLeft.cgPoint, topRight: topRight.cgPoint,
                bottomRight: bottomRight.cgPoint, bottomLeft: bottomLeft.cgPoint), descriptor: nil)
    }

    init(_ classic: VNRectangleObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}

/// A line of text whose characters were not read.
public struct TextObservation: WrappedObservation, QuadrilateralProviding {
    /// The observation of the classic API with the same values.
    public let classic: VNTextObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The boxes of the characters; nil if the request did not ask for them.
    public var characterBoxes: [RectangleObservation]? {
        classic.characterBoxes?.map { RectangleObservation($0, descriptor: originatingRequestDescriptor) }
    }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNTextObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNTextObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}

/// A line of text with what it says.
public struct RecognizedTextObservation: WrappedObservation, QuadrilateralProviding {
    /// The observation of the classic API with the same values.
    public let classic: VNRecognizedTextObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNRecognizedTextObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNRecognizedTextObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }

    /// Returns up to that many readings of the line, the best first.
    ///
    /// - Parameter maxCandidateCount: From 1 to 10; other numbers are limited to that.
    public func topCandidates(_ maxCandidateCount: Int) -> [RecognizedText] {
        classic.topCandidates(maxCandidateCount).map { RecognizedText(classic: $0) }
    }
}

/// A reading of a line of text.
public struct RecognizedText: Codable, Hashable, Sendable, CustomStringConvertible {
    fileprivate let classic: VNRecognizedText

    /// The text.
    public var string: String { classic.string }

    /// The estimated probability, 0…1, that the text is right.
    public var confidence: Float { classic.confidence }

    /// A text for logs.
    public var description: String { string }

    fileprivate init(classic: VNRecognizedText) { self.classic = classic }

    /// Returns the corners of a part of the text; nil if there is no such part.
    public func boundingBox(for range: Range<String.Index>) -> RectangleObservation? {
        (try? classic.boundingBox(for: range)).flatMap { $0 }.map { RectangleObservation($0) }
    }

    /// Returns whether both have the same values.
    public static func == (lhs: RecognizedText, rhs: RecognizedText) -> Bool {
        lhs.classic === rhs.classic || lhs.classic.archived == rhs.classic.archived
    }

    /// Combines what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(string) }

    private enum Key: CodingKey {
        case text
    }

    /// Encodes the reading.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(classic.archived, forKey: .text)
    }

    /// Decodes a reading.
    ///
    /// - Throws: `DecodingError` if a value is missing or invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        classic = try container.decodeArchive(forKey: .text) { VNRecognizedText(archive: $0) }
    }
}

/// A barcode with its payload.
public struct BarcodeObservation: WrappedObservation, QuadrilateralProviding {
    /// The observation of the classic API with the same values.
    public let classic: VNBarcodeObservation
    /// The request that made it; nil if none did.
    public let originatingRequestDescriptor: RequestDescriptor?

    /// The kinds of composite barcodes; none is read.
    public enum CompositeType: Codable, Hashable, Sendable {
        /// A linear barcode with a linked 2-D component.
        case linked
        /// GS1's composite type A.
        case gs1TypeA
        /// GS1's composite type B.
        case gs1TypeB
        /// GS1's composite type C.
        case gs1TypeC
    }

    /// The symbology.
    public var symbology: BarcodeSymbology { BarcodeSymbology(classic.symbology) }
    /// The payload as text; nil if it is not text.
    public var payloadString: String? { classic.payloadStringValue }
    /// The bytes of the payload.
    public var payloadData: Data? { classic.payloadData }
    /// Whether the payload follows GS1's conventions.
    public var isGS1DataCarrier: Bool { classic.isGS1DataCarrier }
    /// Whether the barcode is light on dark.
    public var isColorInverted: Bool { classic.isColorInverted }
    /// The text of the supplement beside an EAN or UPC barcode.
    public var supplementalPayloadString: String? { classic.supplementalPayloadString }
    /// The bytes of the supplement.
    public var supplementalPayloadData: Data? { classic.supplementalPayloadData }
    /// The kind of the composite barcode: nil, because none is read.
    public var supplementalCompositeType: CompositeType? { nil }

    /// Creates an observation from one of the classic API.
    public init(_ observation: VNBarcodeObservation) { self.init(observation, descriptor: nil) }

    init(_ classic: VNBarcodeObservation, descriptor: RequestDescriptor?) {
        (self.classic, originatingRequestDescriptor) = (classic, descriptor)
    }
}
