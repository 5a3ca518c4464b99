import Foundation

/// Makes one face of all candidates that mean the same one.
enum FaceMerging {
    /// Boxes that overlap more are of one face.
    static let overlap = 0.3
    /// Of more candidates than this only the best are looked at: no picture has so many faces.
    static let candidateLimit = 5000
    /// Candidates of one face whose eyes point elsewhere than the best one's, by this angle, say nothing about its
    /// place.
    private static let cosineOfAngle = cos(0.6)

    /// The faces, best score first: each the mean of its candidates weighted by their scores, with the best one's
    /// score.
    static func merged(_ candidates: [FaceCandidate]) -> [FaceProposal] {
        var rest = Array(
            candidates.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
                .prefix(candidateLimit).map(\.element))
        var faces: [FaceProposal] = []
        while let best = rest.first {
            let group = rest.filter { $0.overlap(with: best) > overlap }
            // A box without area overlaps nothing, not even itself.
            rest = rest.dropFirst().filter { $0.overlap(with: best) <= overlap }
            let alike = group.filter { isAlike($0, best) }
            faces.append(FaceProposal(face: mean(of: alike, best), alike: alike, all: group))
        }
        return faces
    }

    private static func isAlike(_ one: FaceCandidate, _ other: FaceCandidate) -> Bool {
        let (a, b) = (one.eyeAxis, other.eyeAxis)
        let lengths = ((a * a).sum() * (b * b).sum()).squareRoot()
        return (a * b).sum() >= cosineOfAngle * lengths
    }

    private static func mean(of group: [FaceCandidate], _ best: FaceCandidate) -> FaceCandidate {
        let weight = group.reduce(0) { $0 + $1.score }
        guard weight > 0 else { return best }
        func mean(_ value: (FaceCandidate) -> SIMD2<Double>) -> SIMD2<Double> {
            group.reduce(SIMD2.zero) { $0 + value($1) * $1.score } / weight
        }
        return FaceCandidate(
            centre: mean(\.centre), size: mean(\.size),
            points: FaceCandidate.Place.allCases.map { place in mean { $0[place] } }, score: best.score,
            network: best.network)
    }
}
