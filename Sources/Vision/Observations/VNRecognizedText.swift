import VisionAlgorithms
import VisionImage

/// One way to read a line of text.
open class VNRecognizedText: NSObject, NSCopying, NSSecureCoding, VNRequestRevisionProviding,
    @unchecked Sendable
{
    // Unchecked: all properties are set by initialisers only.

    /// The text.
    open private(set) var string: String
    /// How likely the whole text is right, 0…1.
    open private(set) var confidence: VNConfidence
    /// The revision of the request.
    open private(set) var requestRevision: Int

    private let reading: TextLineReading
    private let corners: VNRectangleObservation.Corners
    private let timeRange: CMTimeRange

    /// Creates a text without characters, for subclasses and tests.
    public override init() {
        string = ""
        confidence = 0
        requestRevision = VNRequestRevisionUnspecified
        reading = TextLineReading(text: "", confidence: 0, lengths: [], spans: [])
        corners = VNRectangleObservation.corners(of: .zero)
        timeRange = .zero
        super.init()
    }

    init(
        _ reading: TextLineReading, corners: VNRectangleObservation.Corners, requestRevision: Int,
        timeRange: CMTimeRange
    ) {
        string = reading.text
        confidence = reading.confidence
        self.reading = reading
        self.corners = corners
        self.requestRevision = requestRevision
        self.timeRange = timeRange
    }

    /// Returns the box of a part of the text: a rectangle with the height and the direction of the line.
    ///
    /// Where a character begins and ends follows from where the network sees it; edges are exact to about a quarter of
    /// a character.
    ///
    /// - Parameter range: A part of `string`.
    /// - Returns: The box, normalised to the request's region of interest, origin at the lower left; nil for an empty
    ///   range.
    /// - Throws: `outOfBoundsError` for a range that is not within `string`.
    open func boundingBox(for range: Range<String.Index>) throws -> VNRectangleObservation? {
        guard range.lowerBound >= string.startIndex, range.upperBound <= string.endIndex else {
            throw visionError(.outOfBoundsError, "The range is not within the recognised text “\(string)”.")
        }
        let bytes = string.utf8
        let start = bytes.distance(from: bytes.startIndex, to: range.lowerBound)
        let end = bytes.distance(from: bytes.startIndex, to: range.upperBound)
        guard let span = reading.span(ofBytes: start..<end) else { return nil }
        func point(_ a: CGPoint, _ b: CGPoint, _ share: Double) -> CGPoint {
            CGPoint(x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share)
        }
        return VNRectangleObservation(
            uuid: UUID(), confidence: confidence, requestRevision: requestRevision,
            corners: (
                topLeft: point(corners.topLeft, corners.topRight, span.lowerBound),
                topRight: point(corners.topLeft, corners.topRight, span.upperBound),
                bottomRight: point(corners.bottomLeft, corners.bottomRight, span.upperBound),
                bottomLeft: point(corners.bottomLeft, corners.bottomRight, span.lowerBound)
            ), timeRange: timeRange)
    }

    // MARK: - Copying and archiving

    /// Returns the object itself: it cannot change.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Texts support secure coding.
    open class var supportsSecureCoding: Bool { true }

    /// Encodes the text for `init(coder:)`.
    open func encode(with coder: NSCoder) { archived.write(to: coder) }

    var archived: ObservationArchive {
        var values = ObservationArchive()
        values.set("string", string)
        values.set("confidence", Double(confidence))
        values.set("requestRevision", requestRevision)
        values.set("timeRange", timeRange)
        values.set("corners", [corners.topLeft, corners.topRight, corners.bottomRight, corners.bottomLeft])
        values.set("characterCount", reading.lengths.count)
        values.set("lengths", reading.lengths.map(Double.init))
        values.set("spans", reading.spans.flatMap { [$0.lowerBound, $0.upperBound] })
        return values
    }

    /// Creates a text from an archive; nil if the archive holds none.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let string = archive.text("string"),
            let confidence = archive.number("confidence"),
            let revision = archive.integer("requestRevision"), let points = archive.points("corners", count: 4),
            let count = archive.integer("characterCount"), (0...string.utf8.count).contains(count),
            let lengths = archive.numbers("lengths", count: count),
            let edges = archive.numbers("spans", count: 2 * count),
            lengths.allSatisfy({ (0...Double(string.utf8.count)).contains($0) })
        else { return nil }
        let spans = (0..<count).map { index in
            min(edges[2 * index], edges[2 * index + 1])...max(edges[2 * index], edges[2 * index + 1])
        }
        self.string = string
        self.confidence = Float(confidence)
        requestRevision = revision
        reading = TextLineReading(
            text: string, confidence: Float(confidence), lengths: lengths.map { Int($0) }, spans: spans)
        corners = (topLeft: points[0], topRight: points[1], bottomRight: points[2], bottomLeft: points[3])
        timeRange = archive.timeRange("timeRange") ?? .zero
        super.init()
    }

    convenience init?(archive: ObservationArchive) { self.init(coder: archive.coder) }

    /// The text and the confidence.
    open override var description: String { "“\(string)” \(confidence)" }
}
