/// Takes the landmarks of a constellation to the 68 points of iBUG, as Documentation/FaceLandmarks.md says.
///
/// Both go along the same lines of a face with other steps: a chain is such a line. The points lie on it at even steps,
/// but for those of the upper inner lip.
struct LandmarkChains {
    private struct Chain {
        let landmarks: [Int]
        let points: [Int]

        /// Where a point lies, in steps between landmarks.
        func position(of index: Int) -> Double {
            switch points[index] {
            // A little nearer to the middle of the lip than to the corner of the mouth.
            case 61: 0.72
            case 63: 1.28
            default: Double(index * (landmarks.count - 1)) / Double(max(points.count - 1, 1))
            }
        }
    }

    private let chains: [Chain]

    static let points76 = LandmarkChains([
        (Array(44...60), Array(0...16)), (Array(0...5), Array(17...21)), (Array(6...11), Array(22...26)),
        ([71, 72, 73, 68], Array(27...30)), (Array(62...66), Array(31...35)), (Array(12...23), Array(36...47)),
        ([24], [48]), (Array(26...30), Array(49...53)), (Array(32...37), Array(54...59)),
        ([38, 39, 40], Array(60...64)), (Array(41...43), Array(65...67)),
    ])

    static let points65 = LandmarkChains([
        (Array(40...50), Array(0...16)), (Array(0...3), Array(17...21)), (Array(4...7), Array(22...26)),
        (Array(60...62), Array(27...30)), (Array(53...57), Array(31...35)), (Array(8...12), Array(36...39)),
        ([12, 13, 14, 15, 8], [39, 40, 41, 36]), (Array(16...20), Array(42...45)),
        ([20, 21, 22, 23, 16], [45, 46, 47, 42]), (Array(24...30), Array(48...54)),
        ([30, 31, 32, 33, 24], [54, 55, 56, 57, 58, 59, 48]), ([34, 35, 36], Array(60...64)),
        (Array(37...39), Array(65...67)),
    ])

    private init(_ chains: [([Int], [Int])]) {
        self.chains = chains.map { Chain(landmarks: $0.0, points: $0.1) }
    }

    /// The value at each of the 68 points, from those at the landmarks.
    func values<Value>(
        _ landmarks: [Value], between: (_ first: Value, _ second: Value, _ share: Double) -> Value
    ) -> [Value] {
        var found: [Int: Value] = [:]
        for chain in chains {
            for (index, point) in chain.points.enumerated() {
                let position = chain.position(of: index)
                let first = min(Int(position), max(chain.landmarks.count - 2, 0))
                let second = min(first + 1, chain.landmarks.count - 1)
                found[point] = between(
                    landmarks[chain.landmarks[first]], landmarks[chain.landmarks[second]], position - Double(first))
            }
        }
        return (0..<68).compactMap { found[$0] }
    }
}
