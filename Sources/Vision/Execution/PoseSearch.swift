import VisionImage
import VisionModels

/// The poses of the people in a region of an image, found with one memory of earlier frames, or without any: poses that
/// follow those of a video are not those of the image alone.
private struct PosesKey<Pose: RememberedPose>: ImageResultKey {
    let region: NormalizedRegion
    /// Retained, so that no other memory has its identity as long as the image keeps the result.
    let memory: PoseMemory<Pose>?

    static func == (left: PosesKey, right: PosesKey) -> Bool {
        left.region == right.region && left.memory === right.memory
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(region)
        hasher.combine(memory.map(ObjectIdentifier.init))
    }

    static func byteCount(of poses: [Pose]) -> Int { poses.count * Pose.byteCount }
}

/// A pose that a sequence follows from frame to frame.
protocol RememberedPose: Hashable, Sendable {
    /// The memory that one takes.
    static var byteCount: Int { get }
    /// Returns the poses without those of a person who has one with a higher score.
    static func distinct(_ poses: [Self]) -> [Self]
}

extension FoundPose: RememberedPose {
    static var byteCount: Int { (BodyPose.landmarkCount + 6) * MemoryLayout<BodyPose.Landmark>.stride }
    static func distinct(_ poses: [FoundPose]) -> [FoundPose] { PoseFinder.distinct(poses) }
}

extension FoundKeypoints: RememberedPose {
    static var byteCount: Int { (KeypointPose.count + 1) * MemoryLayout<KeypointPose.Keypoint>.stride }
    static func distinct(_ poses: [FoundKeypoints]) -> [FoundKeypoints] { KeypointFinder.distinct(poses) }
}

extension PerformContext {
    /// In a sequence, people are searched in every frame of this distance; in those between, known poses are followed.
    private static var searchInterval: Int { 4 }

    /// Returns the bodies of the people in a region of the image, in space as well, the most confident first.
    ///
    /// - Parameters: See `keypoints`.
    /// - Throws: See `keypoints`.
    func poses(in region: NormalizedRegion, following memory: PoseMemory<FoundPose>?) throws -> [FoundPose] {
        try poses(in: region, following: memory, finder: { try PoseFinder() }) { finder, pixels in
            try finder.poses(
                of: people(in: pixels, .wholeBody, leastScore: PoseFinder.leastPersonScore), in: pixels,
                threads: Settings.threadCount, willRun: willRun, pixels: { try image.derivative($0) })
        } follow: { finder, person, pixels in
            try finder.pose(
                following: person, in: pixels, threads: Settings.threadCount, pixels: { try image.derivative($0) })
        }
    }

    /// Returns the joints of the people in a region of the image, the most confident first. All requests of the image
    /// that follow the same memory share them.
    ///
    /// - Parameter memory: The poses of the frame before, which are followed; nil to search in every image.
    /// - Throws: `ModelStoreError` when a network is not installed, `ImageError` when the image cannot be read, and the
    ///   error of a cancelled request.
    func keypoints(
        in region: NormalizedRegion, following memory: PoseMemory<FoundKeypoints>?
    ) throws -> [FoundKeypoints] {
        try poses(in: region, following: memory, finder: { try KeypointFinder() }) { finder, pixels in
            try finder.poses(
                of: people(in: pixels, .wholeBody, leastScore: KeypointFinder.leastPersonScore), in: pixels,
                threads: Settings.threadCount, willRun: willRun, pixels: { try image.derivative($0) })
        } follow: { finder, person, pixels in
            try finder.pose(
                following: person, in: pixels, threads: Settings.threadCount, pixels: { try image.derivative($0) })
        }
    }

    /// Requests that wait for this result restart the search if it is cancelled.
    private func willRun() throws {
        try cancellation.check()
        networkRuns.count()
    }

    private func poses<Pose: RememberedPose, Finder>(
        in region: NormalizedRegion, following memory: PoseMemory<Pose>?, finder make: () throws -> Finder,
        search: (Finder, PixelRegion) throws -> [Pose], follow: (Finder, Pose, PixelRegion) throws -> Pose?
    ) throws -> [Pose] {
        let size = try image.uprightImageSize()
        let pixels = region.pixels(in: size)
        let all = try image.results.result(for: PosesKey(region: region, memory: memory)) {
            let finder = try make()
            guard let memory else { return try search(finder, pixels) }
            let previous = memory.entry(of: region, size: size)
            let followed = try previous.flatMap { entry in
                try followedPoses(entry) { try follow(finder, $0, pixels) }
            }
            let found = try followed ?? search(finder, pixels)
            memory.set(
                PoseMemory.Entry(
                    size: size, poses: found,
                    framesSinceSearch: followed == nil ? 0 : (previous?.framesSinceSearch ?? 0) + 1),
                of: region)
            return found
        }
        try cancellation.check()
        return all
    }

    /// Returns the poses of a frame whose people are those of the frame before; nil where people must be searched.
    private func followedPoses<Pose: RememberedPose>(
        _ entry: PoseMemory<Pose>.Entry, follow: (Pose) throws -> Pose?
    ) throws -> [Pose]? {
        guard !entry.poses.isEmpty, entry.framesSinceSearch + 1 < Self.searchInterval else { return nil }
        var found: [Pose] = []
        for person in entry.poses {
            try willRun()
            guard let next = try follow(person) else { return nil }
            found.append(next)
        }
        let distinct = Pose.distinct(found)
        return distinct.count == found.count ? distinct : nil
    }
}
