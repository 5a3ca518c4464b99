import VisionAlgorithms
import VisionImage

/// A line of text that was read.
///
/// The corners are in reading direction: `topLeft` is where reading starts, also for text that stands on its head. The
/// confidence is that of the most likely reading.
open class VNRecognizedTextObservation: VNRectangleObservation, @unchecked Sendable {
    /// The readings, the most likely first.
    private let candidates: [VNRecognizedText]

    /// The maximum number of candidates.
    static let candidateLimit = 10

    /// Creates an observation without text, for subclasses and tests.
    public override init() {
        candidates = []
        super.init()
    }

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
    open func topCandidates(_ maximumCandidateCount: Int) -> [VNRecognizedText] {
        Array(candidates.prefix(max(0, maximumCandidateCount)))
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let count = archive.integer("candidateCount"),
            (0...Self.candidateLimit).contains(count)
        else {
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
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("candidateCount", candidates.count)
        for (index, candidate) in candidates.enumerated() { archive.set("candidate\(index)", candidate.archived) }
    }

    /// The base description, and the most likely reading.
    open override var description: String {
        "\(super.description)\(candidates.first.map { " “\($0.string)”" } ?? "")"
    }
}
