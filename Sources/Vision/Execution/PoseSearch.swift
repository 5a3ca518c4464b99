import VisionImage
import VisionModels

/// The poses of the people in a region of an image, found with one memory of earlier frames, or without any: poses that
/// follow those of a video are not those of the image alone.
private struct PosesKey<Finder: PoseFinding>: ImageResultKey {
    let region: NormalizedRegion
    /// Retained, so that no other memory has its identity as long as the image keeps the result.
    let memory: PoseMemory<Finder.Pose>?

    static func == (left: PosesKey, right: PosesKey) -> Bool {
        left.region == right.region && left.memory === right.memory
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(region)
        hasher.combine(memory.map(ObjectIdentifier.init))
    }

    static func byteCount(of poses: [Finder.Pose]) -> Int { poses.count * Finder.poseByteCount }
}

extension PerformContext {
    /// In a sequence, people are searched in every frame of this distance; in those between, known poses are followed.
    private static let searchInterval = 4

    /// Returns the poses of the people in a region of the image, the most confident first. All requests of the image
    /// with the same finder that follow the same memory share them.
    ///
    /// - Parameter memory: The poses of the frame before, which are followed; nil to search in every image.
    /// - Throws: `ModelStoreError` when a network is not installed, `ImageError` when the image cannot be read, and the
    ///   error of a cancelled request.
    func poses<Finder: PoseFinding>(
        by _: Finder.Type, in region: NormalizedRegion, following memory: PoseMemory<Finder.Pose>?
    ) throws -> [Finder.Pose] {
        let size = try image.uprightImageSize()
        let all = try image.results.result(for: PosesKey<Finder>(region: region, memory: memory)) {
            let finder = try Finder()
            let pixels = region.pixels(in: size)
            guard let memory else { return try searchedPoses(in: pixels, finder) }
            let thumbnail = try FrameThumbnail(of: pixels, in: image)
            let previous = memory.entry(of: region, size: size)
            let followed = try previous.flatMap { previous in
                // After a cut a crop can show somebody else, as clearly.
                thumbnail.showsScene(of: previous.thumbnail) ? try followedPoses(previous, in: pixels, finder) : nil
            }
            let found = try followed ?? searchedPoses(in: pixels, finder)
            memory.set(
                PoseMemory.Entry(
                    size: size, thumbnail: thumbnail, poses: found,
                    framesSinceSearch: followed == nil ? 0 : (previous?.framesSinceSearch ?? 0) + 1),
                of: region)
            return found
        }
        try cancellation.check()
        return all
    }

    private func searchedPoses<Finder: PoseFinding>(in region: PixelRegion, _ finder: Finder) throws -> [Finder.Pose] {
        try finder.poses(
            of: people(in: region, .wholeBody, leastScore: Finder.leastPersonScore), in: region,
            threads: Settings.threadCount
        ) {
            // Requests that wait for this result restart the search if it is cancelled.
            try cancellation.check()
            networkRuns.count()
        } pixels: {
            try image.derivative($0)
        }
    }

    /// Returns the poses of a frame whose people are those of the frame before; nil where people must be searched.
    private func followedPoses<Finder: PoseFinding>(
        _ entry: PoseMemory<Finder.Pose>.Entry, in region: PixelRegion, _ finder: Finder
    ) throws -> [Finder.Pose]? {
        guard (1...Finder.followedLimit).contains(entry.poses.count),
            entry.framesSinceSearch + 1 < Self.searchInterval
        else { return nil }
        var found: [Finder.Pose] = []
        for person in entry.poses {
            try cancellation.check()
            networkRuns.count()
            guard
                let next = try finder.pose(
                    following: person, in: region, threads: Settings.threadCount,
                    pixels: { try image.derivative($0) })
            else { return nil }
            found.append(next)
        }
        let distinct = Finder.distinct(found)
        return distinct.count == found.count ? distinct : nil
    }
}
