package import Foundation
package import VisionFiles
import VisionImage
package import VisionPhotos
import VisionThreads

/// Extracts the features of many photos in parallel, one core per photo.
package struct FeatureExtraction: Sendable {
    package let source: any FeatureSource
    package let cache: FeatureCache
    package var augmentation = Augmentation()
    package var threads: Int

    package init(source: any FeatureSource, cache: FeatureCache, threads: Int) {
        self.source = source
        self.cache = cache
        self.threads = threads
    }

    /// The outcome of one photo.
    package enum Outcome: Sendable {
        /// The features of the photo, then those of its augmentations.
        case features([[Float]], content: ContentDigest)
        case unreadable(String)
    }

    /// Statistics of the extraction.
    package struct Counts: Sendable, Equatable {
        /// The number of files that were read completely.
        package var read = 0
        /// The number of network runs.
        package var networkRuns = 0
        /// The number of images whose features were cached.
        package var cached = 0
    }

    private struct State {
        var next = 0
        var done = 0
        var outcomes: [Outcome?]
        var counts = Counts()
        var error: (any Error)?
    }

    /// - Parameters:
    ///   - augments: Returns whether to augment the photo with this number.
    ///   - onProgress: Called as photos are done, by one thread at a time. An error of it ends the extraction.
    /// - Returns: The outcomes in the order of the photos.
    /// - Throws: When an error that is not specific to a photo prevents the extraction.
    package func run(
        _ photos: [URL], augments: @escaping @Sendable (Int) -> Bool = { _ in true },
        onProgress: @escaping @Sendable (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> (outcomes: [Outcome], counts: Counts) {
        let state = Locked(State(outcomes: Array(repeating: nil, count: photos.count)))
        ThreadTeam(maximumCount: min(threads, photos.count) - 1, for: .jobs).run { _ in
            while true {
                let index = state.withLock { state -> Int? in
                    guard state.error == nil, state.next < photos.count else { return nil }
                    defer { state.next += 1 }
                    return state.next
                }
                guard let index else { return }
                do {
                    var counts = Counts()
                    let outcome = try outcome(
                        of: photos[index], augmentation: augments(index) ? augmentation : Augmentation(), &counts)
                    try state.withLock { state in
                        state.outcomes[index] = outcome
                        state.counts.read += counts.read
                        state.counts.networkRuns += counts.networkRuns
                        state.counts.cached += counts.cached
                        state.done += 1
                        try onProgress(state.done, photos.count)
                    }
                } catch {
                    state.withLock { $0.error = $0.error ?? error }
                }
            }
        }
        cache.flush()
        let end = state.withLock { $0 }
        if let error = end.error { throw error }
        return (end.outcomes.map { $0 ?? .unreadable("was not processed") }, end.counts)
    }

    private func outcome(of url: URL, augmentation: Augmentation, _ counts: inout Counts) throws -> Outcome {
        do {
            let path = FilePath(url.path)
            if let content = cache.content(of: try PhotoFile.identity(of: path)),
                let found = cached(content, augmentation)
            {
                counts.cached += found.count
                return .features(found, content: content)
            }
            let (data, identity) = try PhotoFile.read(path)
            counts.read += 1
            let content = try ContentDigest(of: data)
            let features: [[Float]]
            if let found = cached(content, augmentation) {
                counts.cached += found.count
                features = found
            } else {
                features = try make(ImageSource(data: data), content, augmentation, &counts)
            }
            cache.remember(identity, content: content)
            return .features(features, content: content)
        } catch let failure as PhotoFile.Failure {
            return .unreadable(failure.description)
        } catch let error as ImageError {
            return .unreadable(error.description)
        }
    }

    /// The parameters of an augmentation, for the cache key; empty for the photo itself.
    private func variant(_ augmentation: Augmentation, _ index: Int) -> String {
        if index == 0 { return "" }
        let options = augmentation.options.reduce(0) { $0 | UInt64(1) << UInt64($1.rawValue) }
        return "\(Self.recipeVersion)-\(options)-\(index)"
    }

    /// Increases when recipes or their application change.
    private static let recipeVersion: UInt64 = 1

    private func cached(_ content: ContentDigest, _ augmentation: Augmentation) -> [[Float]]? {
        var found: [[Float]] = []
        for index in 0..<augmentation.count {
            guard let features = cache.features(of: content, variant: variant(augmentation, index)) else { return nil }
            found.append(features)
        }
        return found
    }

    private func make(
        _ image: ImageSource, _ content: ContentDigest, _ augmentation: Augmentation, _ counts: inout Counts
    ) throws -> [[Float]] {
        var all: [[Float]] = []
        var decoded: Raster?
        for (index, recipe) in augmentation.recipes(seed: content.word).enumerated() {
            let variant = variant(augmentation, index)
            if let found = cache.features(of: content, variant: variant) {
                counts.cached += 1
                all.append(found)
                continue
            }
            let features: [Float]
            if index == 0 {
                features = try source.features(of: image, threads: 1)
            } else {
                let whole = try decoded ?? wholeImage(of: image)
                decoded = whole
                let copy = try recipe.image(of: whole, side: source.side)
                features = try source.features(of: ImageSource(cgImage: CGImage(raster: copy)), threads: 1)
            }
            counts.networkRuns += 1
            cache.store(features, of: content, variant: variant)
            all.append(features)
        }
        return all
    }

    /// Decodes the photo, once for all its augmentations.
    private func wholeImage(of image: ImageSource) throws -> Raster {
        let size = try image.uprightSize()
        let side = Int(Double(source.side) * Augmentation.Recipe.enlargement)
        return try image.derivative(
            Derivative(
                region: PixelRegion(width: size.width, height: size.height), width: side, height: side, format: .rgb8))
    }
}
