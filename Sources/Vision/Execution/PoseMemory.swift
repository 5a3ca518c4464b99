import VisionImage
import VisionThreads

/// The poses of the last frame of a sequence handler, by region of interest.
///
/// A region's entry changes once a frame, by the request that finds the poses of the frame first. Requests of one
/// perform share that result, so that the memory does not depend on how many there are or on their order.
final class PoseMemory<Pose: Sendable>: Sendable {
    /// What is known of a region.
    struct Entry: Sendable {
        /// The size of the image.
        let size: ImageSize
        let thumbnail: FrameThumbnail
        let poses: [Pose]
        /// The number of frames since people were searched.
        let framesSinceSearch: Int
    }

    /// The largest number of regions that are kept for the next frame.
    private static var limit: Int { 16 }
    private let entries = Locked<[NormalizedRegion: Entry]>([:])

    /// Returns the poses of the last frame of a region; nil without any, and for a frame of another size.
    func entry(of region: NormalizedRegion, size: ImageSize) -> Entry? {
        entries.withLock { $0[region] }.flatMap { $0.size == size ? $0 : nil }
    }

    func set(_ entry: Entry, of region: NormalizedRegion) { entries.withLock { $0[region] = entry } }

    /// Forgets all regions if they are too many. Called between performs: during one, it would depend on the order of
    /// the jobs which regions are forgotten.
    func limit() {
        entries.withLock { if $0.count > Self.limit { $0 = [:] } }
    }
}
