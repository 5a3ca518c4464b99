import VisionFiles

/// Advice about the photos that a classifier is trained on.
package enum Advice: Sendable, Equatable, CustomStringConvertible {
    /// A class has too few photos.
    case fewPhotos(label: String, count: Int)
    /// One class has many times more photos than another.
    case imbalance(most: String, mostCount: Int, least: String, leastCount: Int)
    /// Two classes contain nearly the same photo.
    case duplicates(first: LabelledPhoto, second: LabelledPhoto, isExact: Bool)
    /// There are more duplicates than are listed.
    case moreDuplicates(count: Int)
    /// There are too many photos to compare all pairs.
    case notCompared(count: Int)
    /// A label has no photo.
    case emptyClass(label: String)

    package static let enoughPhotos = 10
    package static let largestRatio = 10
    /// The maximum number of listed pairs.
    package static let listedDuplicates = 20
    /// The maximum number of photos of which all pairs are compared.
    static let comparedPhotos = 8_000
    /// The cosine similarity of features from which two photos count as nearly the same: scaled, recompressed or
    /// brightened copies are above it, different photos of one object below.
    static let duplicateCosine: Float = 0.94
    /// The likeness of brightness (`BrightnessFields`) that they need besides: drawings of different things may have
    /// nearly the same features. Of copies of 200 photographs at half the size, brighter, grey, rotated by 3° or
    /// strongly compressed all are above it, of those cropped by a twentieth on each side 99 %, of pairs of different
    /// ones 1 %.
    static let duplicateLikeness: Float = 0.6

    package var description: String {
        switch self {
        case .fewPhotos(let label, let count):
            "The class “\(label)” has \(count) \(count == 1 ? "photo" : "photos"); "
                + "it takes at least \(Self.enoughPhotos) to learn a class, and more are better."
        case .imbalance(let most, let mostCount, let least, let leastCount):
            "The class “\(most)” has \(mostCount) photos and “\(least)” only \(leastCount): the classifier will prefer "
                + "the first. Classes should have about the same number of photos, none more than "
                + "\(Self.largestRatio) times as many as another."
        case .duplicates(let first, let second, let isExact):
            "\(first.url.path) (“\(first.label)”) and \(second.url.path) (“\(second.label)”) are "
                + (isExact ? "the same photo" : "nearly the same photo") + " in two classes."
        case .moreDuplicates(let count): "\(count) more pairs of nearly the same photo are in two classes."
        case .notCompared(let count):
            "\(count) photos are too many to search for nearly the same ones in two classes; only exact copies were "
                + "searched for."
        case .emptyClass(let label): "The class “\(label)” has no photo that can be used, and is skipped."
        }
    }

    static func all(
        for photos: [(photo: LabelledPhoto, features: [Float], content: ContentDigest)], threads: Int
    ) -> [Advice] {
        var advice: [Advice] = []
        let counts = Dictionary(grouping: photos, by: \.photo.label).mapValues(\.count)
        let ordered = counts.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
        for (label, count) in counts.sorted(by: { $0.key < $1.key }) where count < enoughPhotos {
            advice.append(.fewPhotos(label: label, count: count))
        }
        if let least = ordered.first, let most = ordered.last, most.value > largestRatio * least.value {
            advice.append(
                .imbalance(most: most.key, mostCount: most.value, least: least.key, leastCount: least.value))
        }
        let pairs = NearDuplicates.pairs(photos, threads: threads)
        advice += pairs.prefix(listedDuplicates).map { pair in
            .duplicates(first: photos[pair.first].photo, second: photos[pair.second].photo, isExact: pair.isExact)
        }
        if pairs.count > listedDuplicates { advice.append(.moreDuplicates(count: pairs.count - listedDuplicates)) }
        if photos.count > comparedPhotos { advice.append(.notCompared(count: photos.count)) }
        return advice
    }
}
