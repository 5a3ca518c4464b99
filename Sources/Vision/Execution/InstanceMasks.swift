import VisionAlgorithms
import VisionImage
import VisionModels

/// The masks of people or objects in a region of an image.
private struct InstancesKey: ImageResultKey {
    enum Kind: Hashable { case people, foreground }

    let region: NormalizedRegion
    let kind: Kind

    static func byteCount(of masks: InstanceMasks) -> Int { 2 * masks.labels.count }
}

extension PerformContext {
    /// The maximum number of people of whom a request returns masks.
    private static let mostPeople = 4

    /// Returns the masks of the most prominent people in a region of the image.
    ///
    /// - Throws: The errors of `personMask(in:_:)`.
    func personInstances(in region: NormalizedRegion) throws -> InstanceMasks {
        let masks = try image.results.result(for: InstancesKey(region: region, kind: .people)) {
            let pixels = region.pixels(in: try image.uprightImageSize())
            return try people(in: pixels, most: Self.mostPeople)
        }
        try cancellation.check()
        return masks
    }

    private func people(in region: PixelRegion, most: Int) throws -> InstanceMasks {
        let grid = MaskGrid(of: region, longest: PersonSegmenter.Level.accurate.gridSide)
        return try PersonSegmenter.instances(
            of: try personMasks(in: region, .accurate), on: grid, most: most, leastScore: PeopleDetector.leastScore
        ) { mask in
            try Self.maskFilter.refined(mask, by: pixels(of: region, grid.width, grid.height))
        }
    }

    /// Returns the masks of the objects in the foreground of a region of the image, the largest first.
    ///
    /// - Throws: The errors of `saliencyMap(_:in:)` and `personMask(in:_:)`.
    func foregroundInstances(in region: NormalizedRegion) throws -> InstanceMasks {
        let masks = try image.results.result(for: InstancesKey(region: region, kind: .foreground)) {
            let area = region.pixels(in: try image.uprightImageSize())
            let grid = MaskGrid(of: area, longest: ForegroundInstances.gridSide)
            let map = try saliencyMap(.objectness, in: region)
            try cancellation.check()
            let foreground = ForegroundInstances(objectness: map, columns: SaliencyNetwork.side)
            guard foreground.hasObjects else { return .none(grid.width, grid.height) }
            // Only where there are people are the networks for them needed.
            let found = try people(in: area, .wholeBody, leastScore: PeopleDetector.leastScore)
            let people = found.isEmpty ? nil : try self.people(in: area, most: ForegroundInstances.mostPeople)
            try cancellation.check()
            let image = try pixels(of: area, grid.width, grid.height)
            return try foreground.instances(on: (grid.width, grid.height), people: people) { mask in
                try ForegroundInstances.filter.refined(mask, by: image)
            }
        }
        try cancellation.check()
        return masks
    }
}

extension InstanceMasks {
    /// Masks of a size without any object.
    fileprivate static func none(_ width: Int, _ height: Int) -> InstanceMasks {
        let zeros = [UInt8](repeating: 0, count: width * height)
        return InstanceMasks(width: width, height: height, labels: zeros, coverage: zeros)
    }
}
