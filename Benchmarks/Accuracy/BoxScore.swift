import VisionImage

/// How well the objects of one class were found on photos.
///
/// Boxes are taken by falling score; each takes the wanted object that overlaps it most and is not taken, if the
/// overlap, intersection over union, is at least one half. A box over an object that need not be found counts neither
/// way.
struct BoxScore {
    private struct Photo {
        /// The score of each box that counts, and whether it is right.
        var found: [(score: Float, isRight: Bool)] = []
        /// The height of each wanted object, and the score of its box.
        var wanted: [(height: Double, score: Float?)] = []
        /// The highest score of a box where there are no objects of the class at all.
        var falseScore: Float?
    }

    private static let leastOverlap = 0.5
    private static let leastOverlapOfIgnored = 0.3

    private var photos: [Photo] = []

    mutating func add(_ boxes: [(box: PixelRegion, score: Float)], _ labels: ObjectLabels, name: String) {
        let objects = labels.objects.filter { $0.name == name }
        let wanted = objects.filter(\.isWanted)
        let isComplete = !labels.incomplete.contains(name)
        var photo = Photo(wanted: wanted.map { ($0.box.height, nil) })
        for (box, score) in boxes.sorted(by: { $0.score > $1.score }) {
            let free = wanted.indices.filter { photo.wanted[$0].score == nil }
            let overlaps = free.map { wanted[$0].box.intersectionOverUnion(with: box) }
            if let best = overlaps.indices.max(by: { overlaps[$0] < overlaps[$1] }), overlaps[best] >= Self.leastOverlap
            {
                photo.wanted[free[best]].score = score
                photo.found.append((score, true))
            } else if isComplete,
                !objects.contains(where: {
                    !$0.isWanted && $0.box.intersectionOverUnion(with: box) >= Self.leastOverlapOfIgnored
                })
            {
                photo.found.append((score, false))
            }
        }
        if objects.isEmpty, isComplete { photo.falseScore = boxes.map(\.score).max() ?? 0 }
        photos.append(photo)
    }

    // MARK: - Figures

    var objectCount: Int { photos.reduce(0) { $0 + $1.wanted.count } }

    /// The mean over 101 recalls of the highest precision at this recall or more.
    var averagePrecision: Double { Self.averagePrecision(photos) }

    /// The interval that holds the average precision of 95 % of samples, drawn from the photos with replacement.
    func interval(samples: Int = 200) -> ClosedRange<Double> {
        var random = SplitMix64(seed: 1)
        let values = (0..<samples).map { _ in
            Self.averagePrecision(photos.indices.map { _ in photos[Int.random(in: photos.indices, using: &random)] })
        }.sorted()
        return percentile(0.025, ofSorted: values)...percentile(0.975, ofSorted: values)
    }

    private static func averagePrecision(_ photos: [Photo]) -> Double {
        let found = photos.flatMap(\.found).sorted { $0.score > $1.score }
        let wanted = photos.reduce(0) { $0 + $1.wanted.count }
        guard wanted > 0 else { return .nan }
        var right = 0
        var curve: [(recall: Double, precision: Double)] = []
        for (index, box) in found.enumerated() where box.isRight {
            right += 1
            curve.append((Double(right) / Double(wanted), Double(right) / Double(index + 1)))
        }
        for index in curve.indices.dropLast().reversed() {
            curve[index].precision = max(curve[index].precision, curve[index + 1].precision)
        }
        var sum = 0.0
        var index = 0
        for step in 0...100 {
            while index < curve.count, curve[index].recall < Double(step) / 100 { index += 1 }
            sum += index < curve.count ? curve[index].precision : 0
        }
        return sum / 101
    }

    /// The share of wanted objects of some heights in pixels that are found at a score.
    func recall(at score: Float, heights: Range<Double> = 0..<(.infinity)) -> (share: Double, count: Int) {
        let wanted = photos.flatMap(\.wanted).filter { heights.contains($0.height) }
        return (Double(wanted.count { ($0.score ?? -1) >= score }) / Double(max(wanted.count, 1)), wanted.count)
    }

    /// The lowest score at which there are no more false boxes than this a photo.
    func score(falseBoxes: Double) -> Float {
        let scores = photos.flatMap(\.found).filter { !$0.isRight }.map(\.score).sorted(by: >)
        let allowed = Int(falseBoxes * Double(photos.count))
        return allowed < scores.count ? scores[allowed].nextUp : 0
    }

    /// The share of photos without objects of the class that have a box at a score.
    func falsePhotos(at score: Float) -> (share: Double, count: Int) {
        let scores = photos.compactMap(\.falseScore)
        return (Double(scores.count { $0 >= score }) / Double(max(scores.count, 1)), scores.count)
    }
}
