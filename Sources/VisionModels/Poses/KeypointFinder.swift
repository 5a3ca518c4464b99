package import VisionImage

/// A person with the joints in the image.
package struct FoundKeypoints: Hashable, Sendable {
    /// In pixels of the image.
    package let pose: KeypointPose
    /// The score of the person's box times the mean confidence of the joints in the image, 0…1.
    package let score: Double
}

/// Finds the joints of people with known boxes.
///
/// `KeypointNetwork` runs once on each person, in an upright square. Bodies are turned where they are not clear that
/// way. Detectors of people miss gymnasts, or parts of them: where no body is seen clearly, `PoseFinder` searches the
/// whole region.
package struct KeypointFinder: PoseFinding {
    package static let leastPersonScore: Float = 0.25
    package static let poseByteCount = (KeypointPose.count + 1) * MemoryLayout<KeypointPose.Keypoint>.stride
    package static let followedLimit = 4
    /// The most people whose joints are searched.
    private static let personLimit = 20
    /// The side of a crop relative to the longer side of a person's box, and of the box around the joints.
    private static let (boxMargin, jointMargin) = (1.12, 1.4)
    /// The other directions of a crop's x axis that are tried.
    private static let turns: [SIMD2<Double>] = [SIMD2(0, 1), SIMD2(-1, 0), SIMD2(0, -1)]
    /// A pose with a lower confidence, and a lower one of the nose and the shoulders, is tried in turned crops, if the
    /// person's score and the longer side of the box relative to the region's reach these.
    private static let (clearConfidence, clearUpper) = (0.5, 0.6)
    private static let (turnedScore, turnedSide): (Float, Double) = (0.45, 0.25)
    /// With a person of `turnedSide` who has one of these confidences the region is not searched.
    private static let (sufficientConfidence, sufficientUpper) = (0.8, 0.85)
    /// The edge of the image cuts a body that fills so much of the region with fewer joints of a confidence than this,
    /// if the nose and the shoulders are clear. It is neither turned, nor would the search find more of it.
    private static let (cutSide, cutJoints, cutConfidence, cutUpper) = (0.55, 8, 0.5, 0.5)
    /// A pose of the search counts in place of a person's where its confidence times this is higher: it is the mean of
    /// four crops.
    private static let searchFactor = 1.3
    /// A pose with which the first crop of the search agrees so well (`KeypointPose.distance`) stays as it is: most
    /// of these are right (Documentation/Accuracy.md).
    private static let agreement = 0.05
    /// Poses nearer than this are of one person (`KeypointPose.seenDistance`).
    private static let sameDistance = 0.1
    /// The lowest share of its confidence in the frame before that a pose may have to be followed without a search.
    private static let followedShare = 0.85

    private let network: KeypointNetwork

    package init() throws {
        network = try .shared(alongside: PoseFinder.models)
    }

    package func poses(
        of people: [FoundPerson], in region: PixelRegion, threads: Int? = nil, willRun: () throws -> Void = {},
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> [FoundKeypoints] {
        var found: [FoundKeypoints] = []
        var isClear = false
        for person in people.prefix(Self.personLimit) {
            try willRun()
            guard let pose = try pose(of: person, in: region, threads: threads, pixels: pixels) else { continue }
            let confidence = pose.confidence(within: region)
            isClear =
                isClear || Self.isCut(pose, person.box, in: region)
                || Self.length(of: person.box, in: region) >= Self.turnedSide
                    && (confidence >= Self.sufficientConfidence || pose.upperConfidence >= Self.sufficientUpper)
            found.append(FoundKeypoints(pose: pose, score: Double(person.score) * confidence))
        }
        if !isClear {
            try willRun()
            try addStrongest(of: region, to: &found, threads: threads, pixels: pixels)
        }
        return Self.distinct(found)
    }

    /// The longer side of a box relative to the region's.
    private static func length(of box: PixelRegion, in region: PixelRegion) -> Double {
        max(box.width, box.height) / max(region.width, region.height)
    }

    private static func isCut(_ pose: KeypointPose, _ box: PixelRegion, in region: PixelRegion) -> Bool {
        length(of: box, in: region) >= cutSide && pose.upperConfidence >= cutUpper
            && pose.count(in: region, leastConfidence: cutConfidence) < cutJoints
    }

    private func pose(
        of person: FoundPerson, in region: PixelRegion, threads: Int?, pixels: @escaping (Derivative) throws -> Raster
    ) throws -> KeypointPose? {
        let box = person.box
        guard box.isFinite, box.width > 0, box.height > 0 else { return nil }
        let centre = SIMD2(box.x + box.width / 2, box.y + box.height / 2)
        let side = max(box.width, box.height) * Self.boxMargin
        func crop(_ axis: SIMD2<Double>) -> ImagePatch {
            ImagePatch(centre: centre, side: side, axis: axis, size: KeypointNetwork.side)
        }
        let upright = crop(SIMD2(1, 0))
        guard let closeUp = try CloseUp(around: upright, in: region, pixels: pixels),
            var best = try network.pose(of: upright, pixels: closeUp.pixels(of: upright), threads: threads)
        else { return nil }
        guard best.confidence(within: region) < Self.clearConfidence, best.upperConfidence < Self.clearUpper,
            person.score >= Self.turnedScore, Self.length(of: box, in: region) >= Self.turnedSide,
            !Self.isCut(best, box, in: region)
        else { return best }
        for axis in Self.turns {
            let turned = crop(axis)
            if let pose = try network.pose(of: turned, pixels: closeUp.pixels(of: turned), threads: threads),
                pose.confidence(within: region) > best.confidence(within: region)
            {
                best = pose
            }
        }
        return best
    }

    /// Adds the joints of what looks most like a person in a region, or replaces those of the person found there.
    private func addStrongest(
        of region: PixelRegion, to found: inout [FoundKeypoints], threads: Int?,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws {
        // Its networks are loaded here and not with this one: many images need no search, and loading takes longer
        // than finding a pose.
        let strongest = try PoseFinder().strongestPose(
            in: region, threads: threads,
            unless: { first in
                let pose = KeypointPose(first)
                return found.contains { $0.pose.distance(to: pose) < Self.agreement }
            }, pixels: pixels)
        guard let strongest else { return }
        let pose = KeypointPose(strongest.pose)
        let extent = pose.extent
        let known = found.indices.filter { extent.contains(found[$0].pose.middle) }
        guard let index = known.max(by: { found[$0].score < found[$1].score }) else {
            found.append(FoundKeypoints(pose: pose, score: strongest.score))
            return
        }
        let (before, now) = (found[index].pose.confidence(within: region), pose.confidence(within: region))
        guard now * Self.searchFactor > before else { return }
        let score = found[index].score * now / max(before, .leastNormalMagnitude)
        found[index] = FoundKeypoints(pose: pose, score: min(1, score))
    }

    package static func distinct(_ found: [FoundKeypoints]) -> [FoundKeypoints] {
        let sorted = found.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
        return sorted.map(\.element).reduce(into: []) { kept, found in
            if kept.allSatisfy({ $0.pose.seenDistance(to: found.pose) >= sameDistance }) { kept.append(found) }
        }
    }

    package func pose(
        following previous: FoundKeypoints, in region: PixelRegion, threads: Int? = nil,
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> FoundKeypoints? {
        let (extent, before) = (previous.pose.extent, previous.pose.confidence(within: region))
        let side = max(extent.width, extent.height) * Self.jointMargin
        guard extent.isFinite, side >= 1, before > 0 else { return nil }
        let crop = ImagePatch(
            centre: SIMD2(extent.x + extent.width / 2, extent.y + extent.height / 2), side: side,
            size: KeypointNetwork.side)
        guard let closeUp = try CloseUp(around: crop, in: region, pixels: pixels),
            let pose = try network.pose(of: crop, pixels: closeUp.pixels(of: crop), threads: threads)
        else { return nil }
        let now = pose.confidence(within: region)
        guard now >= Self.followedShare * before else { return nil }
        return FoundKeypoints(pose: pose, score: min(1, previous.score * now / before))
    }
}
