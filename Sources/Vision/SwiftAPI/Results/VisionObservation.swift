/// A result of a request of the Swift API: an immutable value.
///
/// Its values are those of the observation that the `VN…` request of the same name makes.
public protocol VisionObservation: Codable, CustomStringConvertible, Hashable, Sendable {
    /// Identifies the observation. A tracker's results have the uuid of the observation that started the track.
    var uuid: UUID { get }
    /// The confidence, 0…1; 1 if it has no meaning. Scores of Core ML models are not changed.
    var confidence: Float { get }
    /// The time of the observation in the video; nil if the image was not a video frame.
    var timeRange: CMTimeRange? { get }
    /// The request that made the observation; nil if none did, or if it is not one of the Swift API's revisions.
    var originatingRequestDescriptor: RequestDescriptor? { get }
}

/// An observation that has its counterpart of the classic API, for code that works with both.
public protocol VNObservationProviding {
    /// The class of the counterpart.
    associatedtype Classic: VNObservation

    /// The observation of the classic API with the same values.
    var classic: Classic { get }
}

/// An observation of the Swift API: a value around one of the classic API.
protocol WrappedObservation: VisionObservation, VNObservationProviding {
    var originatingRequestDescriptor: RequestDescriptor? { get }

    init(_ classic: Classic, descriptor: RequestDescriptor?)
}

private enum WrappedObservationKey: CodingKey {
    case observation, descriptor
}

extension WrappedObservation {
    /// Identifies the observation.
    public var uuid: UUID { classic.uuid }

    /// The confidence, 0…1.
    public var confidence: Float { classic.confidence }

    /// The time of the observation in the video; nil if the image was not a video frame.
    public var timeRange: CMTimeRange? { classic.timeRange == .zero ? nil : classic.timeRange }

    /// A text for logs.
    public var description: String { "\(Self.self) (\(classic))" }

    /// Returns whether both have the same values.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.classic == rhs.classic && lhs.originatingRequestDescriptor == rhs.originatingRequestDescriptor
    }

    /// Combines what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(classic) }

    /// Encodes the values by name, under `observation`, and the request under `descriptor`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: WrappedObservationKey.self)
        try container.encode(classic.archived, forKey: .observation)
        try container.encodeIfPresent(originatingRequestDescriptor, forKey: .descriptor)
    }

    /// Decodes the observation.
    ///
    /// - Throws: `DecodingError` if a value is missing or invalid.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: WrappedObservationKey.self)
        let classic = try container.decodeArchive(forKey: .observation) { Classic(archive: $0) }
        self.init(classic, descriptor: try container.decodeIfPresent(RequestDescriptor.self, forKey: .descriptor))
    }
}

extension VNObservationProviding where Classic: VNDetectedObjectObservation {
    /// The box, normalised to the region of interest of the request.
    public var boundingBox: NormalizedRect { NormalizedRect(normalizedRect: classic.boundingBox) }
}

extension VNObservationProviding where Classic: VNRectangleObservation {
    /// The upper left corner of the upright object, normalised to the region of interest of the request.
    public var topLeft: NormalizedPoint { NormalizedPoint(normalizedPoint: classic.topLeft) }
    /// The upper right corner of the upright object.
    public var topRight: NormalizedPoint { NormalizedPoint(normalizedPoint: classic.topRight) }
    /// The lower right corner of the upright object.
    public var bottomRight: NormalizedPoint { NormalizedPoint(normalizedPoint: classic.bottomRight) }
    /// The lower left corner of the upright object.
    public var bottomLeft: NormalizedPoint { NormalizedPoint(normalizedPoint: classic.bottomLeft) }
}
