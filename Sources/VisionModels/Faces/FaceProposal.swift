/// A face proposed by the detection networks, with the agreement of their candidates.
package struct FaceProposal: Hashable, Sendable {
    package let face: FaceCandidate
    /// The best score of each network for the face with this eye axis; 0 where one did not find it.
    package let shortRangeScore: Double
    package let fullRangeScore: Double
    /// The sums of the scores over all anchors and views that found it.
    package let shortRangeSupport: Double
    package let fullRangeSupport: Double
    /// The sum of the scores of candidates of the same position with another eye axis.
    package let opposition: Double

    /// - Parameters:
    ///   - face: The mean of the candidates.
    ///   - alike: The candidates with the same eye axis.
    ///   - all: All candidates, including those with another eye axis.
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
