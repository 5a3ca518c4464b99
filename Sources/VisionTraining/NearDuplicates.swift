import Foundation
import VisionFiles
import VisionPhotos
import VisionThreads

/// Finds pairs of nearly equal photos of different classes.
enum NearDuplicates {
    struct Pair: Equatable {
        let first: Int
        let second: Int
        /// Whether the files are identical.
        let isExact: Bool
    }

    /// The maximum number of pairs, because many copies of one photo could exceed memory.
    private static let pairLimit = 10_000
    /// The number of rows that are compared with all others at once.
    private static let block = 256

    static func pairs(
        _ photos: [(photo: LabelledPhoto, features: [Float], content: ContentDigest)], threads: Int
    ) -> [Pair] {
        var pairs: [Pair] = []
        guard let width = photos.first?.features.count, width > 0, photos.count <= Advice.comparedPhotos else {
            return exactPairs(photos)
        }
        var rows: [Float] = []
        rows.reserveCapacity(photos.count * width)
        for photo in photos {
            let length = Vectors.dot(photo.features, photo.features).squareRoot()
            let factor = length > 0 ? Float(1 / length) : 0
            rows += photo.features.map { $0 * factor }
        }
        var looks = Looks(urls: photos.map(\.photo.url))
        Workers.with(threads: threads) { workers in
            let products = Products(workers: workers)
            var cosines = [Float](repeating: 0, count: block * photos.count)
            for start in stride(from: 0, to: photos.count, by: block) where pairs.count < pairLimit {
                let range = start..<min(start + block, photos.count)
                // Photos before the block were compared with it already.
                let columns = photos.count - start
                products.multiply(
                    Array(rows[range.lowerBound * width..<range.upperBound * width]), rows, from: start * width,
                    isTransposed: true, rows: range.count, inner: width, columns: columns, into: &cosines)
                for first in range where pairs.count < pairLimit {
                    let row = (first - start) * columns - start
                    for second in first + 1..<max(first + 1, photos.count)
                    where cosines[row + second] >= Advice.duplicateCosine
                        && photos[first].photo.label != photos[second].photo.label
                    {
                        let isExact = photos[first].content == photos[second].content
                        guard isExact || looks.areAlike(first, second) else { continue }
                        pairs.append(Pair(first: first, second: second, isExact: isExact))
                    }
                }
            }
        }
        return pairs
    }

    /// The brightness of photos, read when it is first needed: few photos are near one of another class.
    private struct Looks {
        let urls: [URL]
        private var known: [Int: BrightnessFields?] = [:]

        init(urls: [URL]) { self.urls = urls }

        /// Photos that cannot be read any more count as alike.
        mutating func areAlike(_ first: Int, _ second: Int) -> Bool {
            guard let one = fields(first), let other = fields(second) else { return true }
            return one.likeness(other) >= Advice.duplicateLikeness
        }

        private mutating func fields(_ index: Int) -> BrightnessFields? {
            if let fields = known[index] { return fields }
            let path = FilePath(urls[index].path)
            let fields = try? BrightnessFields(of: try PhotoFile.read(path).data)
            known[index] = fields
            return fields
        }
    }

    private static func exactPairs(
        _ photos: [(photo: LabelledPhoto, features: [Float], content: ContentDigest)]
    ) -> [Pair] {
        var pairs: [Pair] = []
        for members in Dictionary(grouping: photos.indices, by: { photos[$0].content }).values where members.count > 1 {
            for (position, first) in members.enumerated() where pairs.count < pairLimit {
                for second in members[(position + 1)...] where photos[first].photo.label != photos[second].photo.label {
                    pairs.append(Pair(first: first, second: second, isExact: true))
                }
            }
        }
        return pairs.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
    }
}
