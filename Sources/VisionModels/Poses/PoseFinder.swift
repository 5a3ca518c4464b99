import Foundation
package import VisionImage

/// A person with a pose.
package struct FoundPose: Hashable, Sendable {
    /// In pixels of the image.
    package let pose: BodyPose
    /// The box of the person in which the pose was found.
    package let box: PixelRegion
    /// The score of the box times the mean confidence of the joints in the image, 0…1.
    package let score: Double
}

/// Finds the pose of a person with a known box.
///
/// The network needs the body upright, and the circle around it, of which a box that shows a part of the body says
/// little. So crops of three kinds are tried: the one that the detector of faces and hips states, squares around the
/// box, and those that the pose in another crop asks for. As soon as one of the poses is clear, or they agree, no
/// further crops are tried. The good poses are joined.
///
/// Of a body that the edge of the image cuts, only the first kind shows the circle: in a square around a head and
/// shoulders the network sees a whole body where there is none.
///
/// Detectors of people miss gymnasts, or parts of them. So where no body is seen clearly, the detector of faces and
/// hips searches the whole region, for further crops of a person or for one more person.
package struct PoseFinder: PoseFinding {
    package static let leastPersonScore: Float = 0.25
    package static let poseByteCount = (BodyPose.landmarkCount + 6) * MemoryLayout<BodyPose.Landmark>.stride
    /// All: a search takes about three runs for each person, following one.
    package static var followedLimit: Int { personLimit }
    /// The most people whose poses are searched.
    private static let personLimit = 20
    /// A pose of this quality, and poses that agree so well, need no further crops (Documentation/Accuracy.md).
    private static let (sufficientQuality, sufficientAgreement) = (0.75, 0.65)
    /// Where all poses have a lower quality than this, one more crop is tried, even if they agree.
    private static let doubtfulQuality = 0.65
    /// The edge cuts a body with fewer decisive joints in the image than this. A pose of such a body with a lower
    /// quality than this is not believed.
    private static let (wholeJoints, leastCutQuality) = (8, 0.3)
    /// People with a lower score get few crops: most are small, or hidden by others.
    private static let weakScore: Float = 0.45
    /// The sides of first crops relative to the longer side of the box.
    private static let (wideMargin, narrowMargin) = (1.6, 1.25)
    /// The sides of the views in which faces and hips are detected, relative to the longer side of the box.
    private static let viewMargins = [1.25, 2]
    /// The least clarity of a body, and the least share of the region that the box of a cut one is long, with which the
    /// whole region is not searched.
    private static let (sufficientClarity, fillingShare) = (0.65, 0.7)
    /// The lowest score, presence and clarity of a person who is found without a box.
    private static let (leastDetection, leastPresence, leastClarity) = (0.5, 0.5, 0.45)
    /// The largest side of a crop relative to the region that may be read: a larger one shows little of a body.
    private static let largestCrop = 8.0
    /// Crops whose middles are nearer than this, relative to the larger side, and whose sides are more alike than this
    /// show the same person.
    private static let (sameMiddle, sameSide) = (0.2, 1.6)
    /// Poses nearer than this are of one person (`BodyPose.distance`).
    private static let sameDistance = 0.05
    /// The lowest share of its quality in the frame before that a pose may have to be followed without a search.
    private static let followedShare = 0.85

    /// The models of the networks.
    static let models = [PoseDetectionNetwork.model, PoseNetwork.model]
    private let network: PoseNetwork
    private let detector: PoseDetectionNetwork

    package init() throws {
        network = try .shared()
        detector = try .shared()
    }

    package func poses(
        of people: [FoundPerson], in region: PixelRegion, threads: Int? = nil, willRun: () throws -> Void = {},
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> [FoundPose] {
        var seen: [Seen] = []
        for person in people.prefix(Self.personLimit) {
            try willRun()
            let known = seen.compactMap(\.detected)
            guard var one = try look(at: person, in: region, besides: known, threads: threads, pixels: pixels) else {
                continue
            }
            one.crops.releasePixels()
            seen.append(one)
        }
        var other: FoundPose?
        if !seen.contains(where: { Self.isSufficient($0, in: region) }) {
            try willRun()
            other = try search(region, for: &seen, threads: threads, pixels: pixels)
        }
        let found = seen.compactMap { one in
            one.crops.result.map { pose in
                let score = Double(one.person.score) * pose.confidence(within: region)
                return FoundPose(pose: pose, box: one.person.box, score: score)
            }
        }
        return Self.distinct(found + (other.map { [$0] } ?? []))
    }

    /// A person as seen so far.
    private struct Seen {
        let person: FoundPerson
        var crops: PoseCrops
        /// The crop that the detector of faces and hips states.
        let detected: ImagePatch?
    }

    /// Whether a body is seen so well that the whole region need not be searched: it is clear, or it fills the region
    /// and the edge cuts it, so that the search would find it again.
    private static func isSufficient(_ seen: Seen, in region: PixelRegion) -> Bool {
        guard let pose = seen.crops.bestPose else { return false }
        let box = seen.person.box
        return pose.clarity >= sufficientClarity
            || max(box.width, box.height) >= fillingShare * max(region.width, region.height) && isCut(pose, in: region)
    }

    /// Searches a region for what looks most like a person. If it is one of those known, further crops are added to
    /// that person's; otherwise the pose is returned, or nil where it is nobody.
    private func search(
        _ region: PixelRegion, for seen: inout [Seen], threads: Int?, pixels: @escaping (Derivative) throws -> Raster
    ) throws -> FoundPose? {
        var crops = self.crops(of: region, in: region, threads: threads, pixels: pixels)
        guard let (crop, score) = try strongestCrop(of: region, &crops, threads: threads) else { return nil }
        if let index = seen.firstIndex(where: { $0.detected.map { Self.areAlike($0, crop) } ?? false }) {
            // A body that the edge cuts is seen no better in the whole region.
            guard seen[index].crops.bestPose.map({ !Self.isCut($0, in: region) }) ?? false else { return nil }
            seen[index].crops.others = seen.indices.filter { $0 != index }.map { seen[$0].person.box }
            let next = try seen[index].crops.addNext(after: seen[index].crops.pose(of: crop))
            if let last = next?.nextCrop(size: PoseNetwork.side) { try seen[index].crops.add(last, mirrored: true) }
            return nil
        }
        return try Self.completed(&crops, after: crops.add(crop), score, in: region)
    }

    /// Returns the pose of what looks most like a person in a region, whose people are not known; nil where it is
    /// nobody.
    ///
    /// - Parameters:
    ///   - isKnown: Whether the pose in the first crop is one that the caller has; then no further crops are tried, and
    ///     nil is returned.
    package func strongestPose(
        in region: PixelRegion, threads: Int? = nil, unless isKnown: (BodyPose) -> Bool,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> FoundPose? {
        var crops = self.crops(of: region, in: region, threads: threads, pixels: pixels)
        guard let (crop, score) = try strongestCrop(of: region, &crops, threads: threads),
            let first = try crops.add(crop), !isKnown(first)
        else { return nil }
        return try Self.completed(&crops, after: first, score, in: region)
    }

    /// Returns the joined pose of somebody whose box is not known, of the crops that the first pose asks for and a
    /// mirrored one; nil where it is nobody.
    private static func completed(
        _ crops: inout PoseCrops, after first: BodyPose?, _ score: Double, in region: PixelRegion
    ) throws -> FoundPose? {
        let last = try crops.addNext(after: crops.addNext(after: first))
        if let last { try crops.add(last.crop, mirrored: true) }
        guard let pose = crops.result, pose.clarity >= leastClarity, pose.presence >= leastPresence else { return nil }
        return FoundPose(pose: pose, box: pose.extent, score: score * pose.confidence(within: region))
    }

    /// Returns the crop that the detector of faces and hips states in a whole region, and its score.
    private func strongestCrop(
        of region: PixelRegion, _ crops: inout PoseCrops, threads: Int?
    ) throws -> (crop: ImagePatch, score: Double)? {
        guard region.isFinite, region.width > 0, region.height > 0 else { return nil }
        let view = Self.square(around: region, Self.viewMargins[0], size: PoseDetectionNetwork.side)
        guard let input = try crops.pixels(of: view),
            let found = try detector.crop(in: view, pixels: input, threads: threads),
            found.score >= Self.leastDetection
        else { return nil }
        return found
    }

    /// Whether the edge of the region cuts a body.
    private static func isCut(_ pose: BodyPose, in region: PixelRegion) -> Bool {
        pose.visibleCount(in: region) < wholeJoints
    }

    /// Whether two crops show the same person.
    private static func areAlike(_ one: ImagePatch, _ other: ImagePatch) -> Bool {
        let (offset, larger) = (one.centre - other.centre, max(one.extent.x, other.extent.x))
        return (offset * offset).sum().squareRoot() < sameMiddle * larger
            && larger < sameSide * min(one.extent.x, other.extent.x)
    }

    /// - Parameter box: of the person.
    private func crops(
        of box: PixelRegion, in region: PixelRegion, threads: Int?, pixels: @escaping (Derivative) throws -> Raster
    ) -> PoseCrops {
        PoseCrops(
            network: network, box: box, region: region, largestCrop: Self.largestCrop, threads: threads,
            pixels: pixels)
    }

    /// Returns the square around the middle of a region.
    ///
    /// - Parameter margin: Its side relative to the longer side of the region.
    private static func square(around region: PixelRegion, _ margin: Double, size: Int) -> ImagePatch {
        ImagePatch(
            centre: SIMD2(region.x + region.width / 2, region.y + region.height / 2),
            side: max(region.width, region.height) * margin, size: size)
    }

    package static func distinct(_ found: [FoundPose]) -> [FoundPose] {
        let sorted = found.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
        return sorted.map(\.element).reduce(into: []) { kept, pose in
            if kept.allSatisfy({ $0.pose.distance(to: pose.pose) >= sameDistance }) { kept.append(pose) }
        }
    }

    /// Returns a person as seen in as many crops as it takes; nil where the box is not one.
    ///
    /// - Parameters:
    ///   - person: The box of the whole body as far as it is visible, in pixels of the image.
    ///   - known: The crops that the detector of faces and hips stated for other people.
    private func look(
        at person: FoundPerson, in region: PixelRegion, besides known: [ImagePatch], threads: Int?,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> Seen? {
        let box = person.box
        guard box.isFinite, box.width > 0, box.height > 0 else { return nil }
        var crops = self.crops(of: box, in: region, threads: threads, pixels: pixels)
        func square(_ margin: Double) -> ImagePatch { Self.square(around: box, margin, size: PoseNetwork.side) }
        func detected(_ margin: Double) throws -> ImagePatch? {
            let view = Self.square(around: box, margin, size: PoseDetectionNetwork.side)
            guard let pixels = try crops.pixels(of: view) else { return nil }
            return try detector.crop(in: view, pixels: pixels, threads: threads)?.crop
        }
        let crop = try detected(Self.viewMargins[0])
        let close = try crop.flatMap { try crops.add($0) }
        var seen: Seen { Seen(person: person, crops: crops, detected: crop) }
        if crops.best >= Self.sufficientQuality { return seen }
        // Of two people beside each other the detector may have stated the same one twice.
        let isKnown = crop.map { crop in known.contains { Self.areAlike($0, crop) } } ?? false
        if let close, !isKnown, Self.isCut(close, in: region), crops.best >= Self.leastCutQuality {
            try crops.addNext(after: close)
            return seen
        }
        let narrow = try crops.add(square(Self.narrowMargin))
        if person.score < Self.weakScore { return seen }
        let further: [() throws -> Void] = [
            { try crops.addNext(after: narrow) },
            { try crops.addNext(after: crops.pose(of: square(Self.wideMargin))) },
        ]
        for look in further {
            if crops.best >= Self.sufficientQuality || crops.agreement >= Self.sufficientAgreement { break }
            try look()
        }
        if crops.best < Self.doubtfulQuality {
            try crops.addNext(after: detected(Self.viewMargins[1]).flatMap { try crops.pose(of: $0) })
        }
        return seen
    }

    package func pose(
        following previous: FoundPose, in region: PixelRegion, threads: Int? = nil,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> FoundPose? {
        guard let crop = previous.pose.nextCrop(size: PoseNetwork.side) else { return nil }
        var crops = self.crops(of: region, in: region, threads: threads, pixels: pixels)
        let before = previous.pose.clarity
        guard let pose = try crops.add(crop), before > 0, pose.clarity >= Self.followedShare * before else {
            return nil
        }
        let move = pose.crop.centre - previous.pose.crop.centre
        let box = PixelRegion(
            x: previous.box.x + move.x, y: previous.box.y + move.y, width: previous.box.width,
            height: previous.box.height)
        return FoundPose(pose: pose, box: box, score: min(1, previous.score * pose.clarity / before))
    }
}
