import Foundation

/// Merges the candidates of each face.
enum FaceMerging {
    /// The intersection over union above which boxes belong to one face.
    static let overlap = 0.3
    /// The maximum number of candidates, best first: no image has so many faces.
    static let candidateLimit = 5000
    /// Candidates whose eye axis differs from that of the best one by more than this angle do not count in the mean.
    private static let cosineOfAngle = cos(0.6)

    /// Returns the faces, best score first: each is the mean of its candidates weighted by their scores, with the score
    /// of the best one.
    static func merged(_ candidates: [FaceCandidate]) -> [FaceProposal] {
        var rest = Array(candidates.stablySorted { $0.score > $1.score }.prefix(candidateLimit))
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
            points: FaceCandidate.Keypoint.allCases.map { keypoint in mean { $0[keypoint] } }, score: best.score,
            network: best.network)
    }
}
