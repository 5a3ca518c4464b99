package import VisionImage

/// Finds the poses of people with known boxes, and follows them from frame to frame.
package protocol PoseFinding: Sendable {
    /// A person with a pose, in pixels of the image.
    associatedtype Pose: Hashable, Sendable

    /// The lowest score of people whose poses are searched.
    static var leastPersonScore: Float { get }
    /// The bytes that a pose takes.
    static var poseByteCount: Int { get }
    /// The most people who are followed. Of many, one is soon not seen as well as before, and then the runs for the
    /// others were for nothing.
    static var followedLimit: Int { get }

    /// - Throws: `ModelStoreError`.
    init() throws

    /// Returns the poses of people, the highest score first, each person once.
    ///
    /// - Parameters:
    ///   - people: Their boxes, in pixels of the image.
    ///   - region: The region of the image that may be read.
    ///   - threads: The maximum number of threads of a network; nil for all. Results do not depend on it.
    ///   - willRun: Called before each person and before the search of the whole region; may throw to end the search.
    ///   - pixels: Makes parts of the image.
    func poses(
        of people: [FoundPerson], in region: PixelRegion, threads: Int?, willRun: () throws -> Void,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> [Pose]

    /// Returns the person of the frame before in this frame, by one run of the network; nil where the person is not
    /// seen as well as before.
    func pose(
        following previous: Pose, in region: PixelRegion, threads: Int?,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> Pose?

    /// Returns the poses without those that are near one with a higher score, the highest score first.
    static func distinct(_ found: [Pose]) -> [Pose]
}
