/// A box before overlapping ones are dropped.
struct Candidate {
    let box: UnitBox
    let score: Float
    let classIndex: Int
    /// Where the box stands in the model's output.
    let row: Int
}

/// Drops weaker boxes that overlap a stronger one of the same class.
///
/// The order is fixed by score, then by index in the output, so the results are deterministic.
enum Suppression {
    /// More candidates than this say that the threshold is meaningless; the strongest are enough.
    static let candidateLimit = 30_000

    /// - Returns: The survivors, strongest first.
    static func survivors(
        of candidates: [Candidate], overlapThreshold: Float, maximumCount: Int
    ) -> [Candidate] {
        let sorted = candidates.sorted { ($1.score, $0.row) < ($0.score, $1.row) }.prefix(candidateLimit)
        var kept: [Candidate] = []
        var keptByClass: [Int: [UnitBox]] = [:]
        for candidate in sorted {
            let rivals = keptByClass[candidate.classIndex, default: []]
            if rivals.contains(where: { $0.overlap(with: candidate.box) > Double(overlapThreshold) }) { continue }
            keptByClass[candidate.classIndex, default: []].append(candidate.box)
            kept.append(candidate)
            if kept.count == maximumCount { break }
        }
        return kept
    }
}
