import VisionAlgorithms
import VisionImage

/// A line of text that was read.
///
/// The corners are in reading direction: `topLeft` is where reading starts, also for text that stands on its head. The
/// confidence is that of the most likely reading.
public final class VNRecognizedTextObservation: VNRectangleObservation, @unchecked Sendable {
    /// The readings, the most likely first.
    private let candidates: [VNRecognizedText]

    /// The maximum number of candidates.
    static let candidateLimit = 10

    init(readings: [TextLineReading], requestRevision: Int, corners: Corners, timeRange: CMTimeRange) {
        candidates = readings.prefix(Self.candidateLimit).map {
            VNRecognizedText($0, corners: corners, requestRevision: requestRevision, timeRange: timeRange)
        }
        super.init(
            uuid: UUID(), confidence: candidates.first?.confidence ?? 0, requestRevision: requestRevision,
            corners: corners, timeRange: timeRange)
    }

    /// Returns the most likely readings, the most likely first.
    ///
    /// - Parameter maximumCandidateCount: The maximum number of readings; there are at most 10.
    public func topCandidates(_ maximumCandidateCount: Int) -> [VNRecognizedText] {
        Array(candidates.prefix(max(0, maximumCandidateCount)))
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    required init?(archive: ObservationArchive) {
        guard let count = archive.integer("candidateCount"), (0...Self.candidateLimit).contains(count) else {
            return nil
        }
        var candidates: [VNRecognizedText] = []
        for index in 0..<count {
            guard let text = archive.part("candidate\(index)").flatMap({ VNRecognizedText(archive: $0) }) else {
                return nil
            }
            candidates.append(text)
        }
        self.candidates = candidates
        super.init(archive: archive)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("candidateCount", candidates.count)
        for (index, candidate) in candidates.enumerated() { archive.set("candidate\(index)", candidate.archived) }
    }

    /// The base description, and the most likely reading.
    public override var description: String {
        "\(super.description)\(candidates.first.map { " “\($0.string)”" } ?? "")"
    }
}
