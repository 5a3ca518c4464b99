import VisionImage

/// The crops of one person and their poses.
struct PoseCrops {
    let network: PoseNetwork
    let box: PixelRegion
    /// The boxes of other people, once they count (`BodyPose.quality`).
    var others: [PixelRegion]?
    let region: PixelRegion
    let largestCrop: Double
    let threads: Int?
    let pixels: (Derivative) throws -> Raster
    private var candidates: [(pose: BodyPose, quality: Double)] = []
    private var closeUp: CloseUp?

    init(
        network: PoseNetwork, box: PixelRegion, region: PixelRegion, largestCrop: Double, threads: Int?,
        pixels: @escaping (Derivative) throws -> Raster
    ) {
        (self.network, self.box, self.region) = (network, box, region)
        (self.largestCrop, self.threads, self.pixels) = (largestCrop, threads, pixels)
    }

    /// The highest quality so far.
    var best: Double { candidates.map(\.quality).max() ?? 0 }

    /// How well the poses so far agree, 0…1.
    var agreement: Double { PoseFusion.agreement(of: candidates) }

    /// The pose with the highest quality so far; nil without any.
    var bestPose: BodyPose? { candidates.max { $0.quality < $1.quality }?.pose }

    /// The joined pose; nil without any.
    var result: BodyPose? { PoseFusion.joined(candidates) }

    /// Gives back the part of the image that crops are cut from.
    mutating func releasePixels() { closeUp = nil }

    /// Returns the pixels of a crop; nil where it lies outside the image, or is much larger.
    mutating func pixels(of crop: ImagePatch) throws -> Raster? {
        guard crop.extent.x <= largestCrop * max(region.width, region.height) else { return nil }
        if closeUp?.covers(crop) != true {
            closeUp = try CloseUp(around: crop, in: region, pixels: pixels)
        }
        return try closeUp?.pixels(of: crop)
    }

    /// Returns the pose in a crop, which has no part in the result: one that only asks for the next crop.
    mutating func pose(of crop: ImagePatch, mirrored: Bool = false) throws -> BodyPose? {
        guard let pixels = try pixels(of: crop) else { return nil }
        return try network.pose(of: crop, pixels: pixels, mirrored: mirrored, threads: threads)
    }

    /// Adds the pose in a crop.
    @discardableResult mutating func add(_ crop: ImagePatch, mirrored: Bool = false) throws -> BodyPose? {
        guard let pose = try pose(of: crop, mirrored: mirrored) else { return nil }
        candidates.append((pose, pose.quality(in: box, others: others, of: region)))
        return pose
    }

    /// Adds the pose of the crop that a pose asks for.
    @discardableResult mutating func addNext(after pose: BodyPose?) throws -> BodyPose? {
        guard let crop = pose?.nextCrop(size: PoseNetwork.side) else { return nil }
        return try add(crop)
    }
}
