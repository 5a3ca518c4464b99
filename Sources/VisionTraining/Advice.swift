import Foundation
import VisionFiles

/// What is to be said about photos that a classifier is trained on.
package enum Advice: Sendable, Equatable, CustomStringConvertible {
    /// Fewer photos of a class than it takes to learn it.
    case fewPhotos(label: String, count: Int)
    /// Many times more photos of one class than of another.
    case imbalance(most: String, mostCount: Int, least: String, leastCount: Int)
    /// Nearly the same photo in two classes.
    case duplicates(first: LabelledPhoto, second: LabelledPhoto, isExact: Bool)
    /// More duplicates than are listed.
    case moreDuplicates(count: Int)
    /// Too many photos to compare each with each.
    case notCompared(count: Int)
    /// A label without any photo.
    case emptyClass(label: String)

    package static let enoughPhotos = 10
    package static let largestRatio = 10
    /// Pairs that are listed.
    package static let listedDuplicates = 20
    /// Photos of which each is compared with each.
    static let comparedPhotos = 8_000
    /// The cosine between the features of two photos from which on they count as nearly the same: copies that were
    /// scaled, compressed again or brightened lie above it, different photos of one thing below.
    static let duplicateCosine: Float = 0.94

    package var description: String {
        switch self {
        case .fewPhotos(let label, let count):
            "The class “\(label)” has \(count) \(count == 1 ? "photo" : "photos"); "
                + "it takes at least \(Self.enoughPhotos) to learn a class, and more are better."
        case .imbalance(let most, let mostCount, let least, let leastCount):
            "The class “\(most)” has \(mostCount) photos and “\(least)” only \(leastCount): the classifier will prefer the "
                + "first. Classes should have about as many photos as each other, none more than \(Self.largestRatio) times "
                + "those of another."
        case .duplicates(let first, let second, let isExact):
            "\(first.url.path) (“\(first.label)”) and \(second.url.path) (“\(second.label)”) are "
                + (isExact ? "the same photo" : "nearly the same photo") + " in two classes."
        case .moreDuplicates(let count): "\(count) more pairs of nearly the same photo lie in two classes."
        case .notCompared(let count):
            "\(count) photos are too many to look for nearly the same ones in two classes; only exact copies were looked for."
        case .emptyClass(let label): "The class “\(label)” has no photo that can be used, and is left out."
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
