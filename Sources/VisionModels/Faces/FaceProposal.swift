/// A place where the detection networks propose a face, and how far they agree.
package struct FaceProposal: Hashable, Sendable {
    package let face: FaceCandidate
    /// The best score of each network for the face in this direction; 0 where one did not find it.
    package let shortRangeScore: Double
    package let fullRangeScore: Double
    /// The sums of the scores: how many anchors and views found it.
    package let shortRangeSupport: Double
    package let fullRangeSupport: Double
    /// The sum of the scores of candidates here whose eyes point elsewhere.
    package let opposition: Double

    /// - Parameters:
    ///   - face: the mean of the candidates.
    ///   - alike: the candidates with eyes in one direction.
    ///   - all: these and those with eyes in others.
    init(face: FaceCandidate, alike: [FaceCandidate], all: [FaceCandidate]) {
        func scores(_ network: FaceNetwork.Kind) -> [Double] {
            alike.filter { $0.network == network }.map(\.score)
        }
        func sum(_ values: [Double]) -> Double { values.reduce(0, +) }
        self.face = face
        (shortRangeScore, fullRangeScore) = (scores(.shortRange).max() ?? 0, scores(.fullRange).max() ?? 0)
        (shortRangeSupport, fullRangeSupport) = (sum(scores(.shortRange)), sum(scores(.fullRange)))
        opposition = max(sum(all.map(\.score)) - shortRangeSupport - fullRangeSupport, 0)
    }
}
