import Foundation
package import VisionImage

/// A person with a pose.
package struct FoundPose: Hashable, Sendable {
    /// In pixels of the image.
    package let pose: BodyPose
    /// The box of the person in which the pose was found.
    package let box: PixelRegion
    /// The score of the box times the clarity of the pose, 0…1.
    package let score: Double
}

/// Finds the pose of a person with a known box.
///
/// The network needs the body upright, and the circle around it, of which a box that shows a part of the body says
/// little. So crops of three kinds are tried: the one that the detector of faces and hips states, squares around the
/// box, and those that the pose in another crop asks for. As soon as their poses agree, or one of them is clear, no
/// further crops are tried. The good poses are joined.
///
/// Detectors of people miss gymnasts. So where no pose is clear, the detector of faces and hips searches the whole
/// region for one more person.
package struct PoseFinder: Sendable {
    /// The lowest score of people whose poses are searched.
    package static let leastPersonScore: Float = 0.25
    /// The most people whose poses are searched.
    private static let personLimit = 20
    /// A pose of this quality, and poses that agree so well, need no further crops (Documentation/Accuracy.md).
    private static let (sufficientQuality, sufficientAgreement) = (0.8, 0.65)
    /// People with a lower score get few crops: most are small, or hidden by others.
    private static let weakScore: Float = 0.45
    /// The sides of first crops relative to the longer side of the box.
    private static let (wideMargin, narrowMargin) = (1.6, 1.25)
    /// The sides of the views in which faces and hips are detected, relative to the longer side of the box.
    private static let viewMargins = [1.25, 2]
    /// Where no person has a pose of this quality, the whole region is searched.
    private static let clearQuality = 0.7
    /// The lowest score, presence and quality of a person who is found without a box.
    private static let (leastDetection, leastPresence, leastQuality) = (0.5, 0.5, 0.45)
    /// The largest side of a crop relative to the region that may be read: a larger one shows little of a body.
    private static let largestCrop = 8.0
    /// Poses nearer than this are of one person (`BodyPose.distance`).
    private static let sameDistance = 0.05
    /// The lowest share of its quality in the frame before that a pose may have to be followed without a search.
    private static let followedShare = 0.85

    private let network: PoseNetwork
    private let detector: PoseDetectionNetwork

    /// - Throws: `ModelStoreError`.
    package init() throws {
        network = try .shared()
        detector = try .shared()
    }

    /// Returns the poses of people, the highest score first, each person once.
    ///
    /// - Parameters:
    ///   - people: Their boxes, in pixels of the image.
    ///   - region: The region of the image that may be read.
    ///   - threads: The maximum number of threads of a network; nil for all. Results do not depend on it.
    ///   - willRun: Called before each person and before the search of the whole region; may throw to end the search.
    ///   - pixels: Makes parts of the image.
    package func poses(
        of people: [FoundPerson], in region: PixelRegion, threads: Int? = nil, willRun: () throws -> Void = {},
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> [FoundPose] {
        var found: [FoundPose] = []
        for person in people.prefix(Self.personLimit) {
            try willRun()
            guard let pose = try pose(of: person, in: region, threads: threads, pixels: pixels) else { continue }
            found.append(
                FoundPose(pose: pose, box: person.box, score: Double(person.score) * pose.clarity))
        }
        if found.allSatisfy({ $0.pose.quality(in: $0.box) < Self.clearQuality }) {
            try willRun()
            if let pose = try poseWithoutBox(in: region, threads: threads, pixels: pixels) { found.append(pose) }
        }
        return Self.distinct(found)
    }

    /// Returns the pose of what looks most like a person in a region; nil where that is nobody.
    private func poseWithoutBox(
        in region: PixelRegion, threads: Int?, pixels: @escaping (Derivative) throws -> Raster
    ) throws -> FoundPose? {
        guard region.isFinite, region.width > 0, region.height > 0 else { return nil }
        var search = Search(
            network: network, box: region, region: region, largestCrop: Self.largestCrop, threads: threads,
            pixels: pixels)
        let view = Self.square(around: region, Self.viewMargins[0], size: PoseDetectionNetwork.side)
        guard let input = try search.pixels(of: view),
            let (crop, score) = try detector.crop(in: view, pixels: input, threads: threads),
            score >= Self.leastDetection
        else { return nil }
        let last = try search.addNext(after: search.addNext(after: search.add(crop)))
        if let last { try search.add(last.crop, mirrored: true) }
        guard search.best >= Self.leastQuality, let pose = search.result, pose.presence >= Self.leastPresence else {
            return nil
        }
        return FoundPose(pose: pose, box: pose.extent, score: score * pose.clarity)
    }

    /// Returns the square around the middle of a region.
    ///
    /// - Parameter margin: Its side relative to the longer side of the region.
    private static func square(around region: PixelRegion, _ margin: Double, size: Int) -> ImagePatch {
        ImagePatch(
            centre: SIMD2(region.x + region.width / 2, region.y + region.height / 2),
            side: max(region.width, region.height) * margin, size: size)
    }

    /// Returns the poses without those that are near one with a higher score, the highest score first.
    package static func distinct(_ found: [FoundPose]) -> [FoundPose] {
        let sorted = found.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
        return sorted.map(\.element).reduce(into: []) { kept, pose in
            if kept.allSatisfy({ $0.pose.distance(to: pose.pose) >= sameDistance }) { kept.append(pose) }
        }
    }

    /// Returns the pose of a person; nil where the box lies outside the region, or the network's outputs are not
    /// finite.
    ///
    /// - Parameter person: The box of the whole body as far as it is visible, in pixels of the image.
    package func pose(
        of person: FoundPerson, in region: PixelRegion, threads: Int? = nil,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> BodyPose? {
        let box = person.box
        guard box.isFinite, box.width > 0, box.height > 0 else { return nil }
        var search = Search(
            network: network, box: box, region: region, largestCrop: Self.largestCrop, threads: threads,
            pixels: pixels)
        func square(_ margin: Double) -> ImagePatch { Self.square(around: box, margin, size: PoseNetwork.side) }
        func detected(_ margin: Double) throws -> ImagePatch? {
            let view = Self.square(around: box, margin, size: PoseDetectionNetwork.side)
            guard let pixels = try search.pixels(of: view) else { return nil }
            return try detector.crop(in: view, pixels: pixels, threads: threads)?.crop
        }
        var isSettled: Bool {
            search.best >= Self.sufficientQuality || search.agreement >= Self.sufficientAgreement
        }
        let close = try detected(Self.viewMargins[0]).flatMap { try search.add($0) }
        let narrow = try search.add(square(Self.narrowMargin))
        if isSettled { return search.result }
        try search.addNext(after: narrow)
        if isSettled || person.score < Self.weakScore { return search.result }
        try search.addNext(after: search.pose(of: square(Self.wideMargin)))
        if isSettled { return search.result }
        let second = try close?.nextCrop(size: PoseNetwork.side).flatMap { try search.pose(of: $0) }
        if let crop = second?.nextCrop(size: PoseNetwork.side) { try search.add(crop, mirrored: true) }
        if isSettled { return search.result }
        try search.addNext(after: detected(Self.viewMargins[1]).flatMap { try search.pose(of: $0) })
        return search.result
    }

    /// Returns the person of the frame before in this frame, by one run of the network; nil where the person is not
    /// seen as well as before.
    package func pose(
        following previous: FoundPose, in region: PixelRegion, threads: Int? = nil,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> FoundPose? {
        guard let crop = previous.pose.nextCrop(size: PoseNetwork.side) else { return nil }
        var search = Search(
            network: network, box: region, region: region, largestCrop: Self.largestCrop, threads: threads,
            pixels: pixels)
        let before = previous.pose.clarity
        guard let pose = try search.add(crop), before > 0, pose.clarity >= Self.followedShare * before else {
            return nil
        }
        let move = pose.crop.centre - previous.pose.crop.centre
        let box = PixelRegion(
            x: previous.box.x + move.x, y: previous.box.y + move.y, width: previous.box.width,
            height: previous.box.height)
        return FoundPose(pose: pose, box: box, score: min(1, previous.score * pose.clarity / before))
    }

    /// The crops of one person and their poses.
    private struct Search {
        let network: PoseNetwork
        let box: PixelRegion
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

        var result: BodyPose? { PoseFusion.joined(candidates) }

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

        @discardableResult mutating func add(_ crop: ImagePatch, mirrored: Bool = false) throws -> BodyPose? {
            guard let pose = try pose(of: crop, mirrored: mirrored) else { return nil }
            candidates.append((pose, pose.quality(in: box)))
            return pose
        }

        /// Adds the pose of the crop that a pose asks for.
        @discardableResult mutating func addNext(after pose: BodyPose?) throws -> BodyPose? {
            guard let crop = pose?.nextCrop(size: PoseNetwork.side) else { return nil }
            return try add(crop)
        }
    }
}
