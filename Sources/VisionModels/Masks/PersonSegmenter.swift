package import VisionImage

/// Computes the masks of people: networks process each person's crop at several sizes, and the whole image.
package struct PersonSegmenter: Sendable {
    package enum Level: Sendable, CaseIterable {
        /// The whole image, once.
        case fast
        /// A crop of each person by both networks.
        case balanced
        /// Two crops of each person and their mirror images by both networks.
        case accurate
    }

    /// The lowest score of the people whose crops are processed: below that of the boxes that a request returns,
    /// because the networks say themselves where nobody is.
    package static let leastScore: Float = 0.4
    /// The maximum number of people, the largest first, and of those that all networks process.
    private static let (mostPeople, mostInDetail) = (48, 8)

    /// A crop of a person: a network, the size relative to the person's box, and the weight of its mask.
    private struct View {
        let network: PersonMaskNetwork.Kind
        let scale: Double
        let weight: Float
        /// Whether the mirror image is processed as well, and the mean of both masks taken.
        var hasMirror = false
    }

    /// The network of all people reads the box enlarged, within the image; that of one body a square around the box.
    private static func views(_ level: Level) -> [View] {
        switch level {
        case .fast: []
        case .balanced:
            [View(network: .people, scale: 1.2, weight: 0.7), View(network: .body, scale: 1.25, weight: 0.3)]
        case .accurate:
            [
                View(network: .people, scale: 1.2, weight: 0.35, hasMirror: true),
                View(network: .people, scale: 1.4, weight: 0.25, hasMirror: true),
                View(network: .body, scale: 1.25, weight: 0.2, hasMirror: true),
                View(network: .body, scale: 1.6, weight: 0.2, hasMirror: true),
            ]
        }
    }

    /// The largest weight of the mask of the whole image where there are people, and the range of the largest box's
    /// share of the image in which it grows to that: the network was made for people who fill much of it.
    private static let wholeWeight: Float = 0.3
    private static let wholeShare = 0.1...0.4

    private let level: Level
    private let people: PersonMaskNetwork
    private let body: PersonMaskNetwork?

    /// - Throws: `ModelStoreError`.
    package init(_ level: Level) throws {
        self.level = level
        people = try .shared(.people)
        body = level == .fast ? nil : try .shared(.body)
    }

    /// Returns the mask of all people at the pixels of a grid.
    ///
    /// - Parameters:
    ///   - masks: The masks of the people (`masks(of:on:)`); empty for the level `fast`.
    ///   - threads: The maximum number of threads of a network; nil for all. Results do not depend on it.
    ///   - pixels: Makes parts of the image.
    /// - Throws: `ModelStoreError`, `ImageError`, and the errors of `pixels`.
    package func mask(
        of masks: [PersonMask], on grid: MaskGrid, threads: Int? = nil, pixels: (Derivative) throws -> Raster
    ) throws -> FloatMap {
        let region = grid.region
        let area = masks.map { $0.person.box.width * $0.person.box.height }.max()
        let weight = area.map { area in
            let share = area / (region.width * region.height)
            let part = (share - Self.wholeShare.lowerBound) / (Self.wholeShare.upperBound - Self.wholeShare.lowerBound)
            return Self.wholeWeight * Float(min(max(part, 0), 1))
        }
        var values = [Float](repeating: 0, count: grid.width * grid.height)
        for mask in masks { mask.raise(&values, width: grid.width) }
        guard weight != 0 else { return FloatMap(width: grid.width, height: grid.height, values: values) }
        var whole = try self.whole(region, isMirrored: false, threads, pixels)
        if level == .accurate {
            let mirrored = try self.whole(region, isMirrored: true, threads, pixels)
            whole = FloatMap(
                width: whole.width, height: whole.height,
                values: zip(whole.values, mirrored.values).map { ($0 + $1) / 2 })
        }
        let map = try whole.resized(width: grid.width, height: grid.height)
        guard let weight else { return map }
        for index in values.indices { values[index] += weight * (map.values[index] - values[index]) }
        return FloatMap(width: grid.width, height: grid.height, values: values)
    }

    private func whole(
        _ region: PixelRegion, isMirrored: Bool, _ threads: Int?, _ pixels: (Derivative) throws -> Raster
    ) throws -> FloatMap {
        let mask = try people.mask(of: region, in: region, isMirrored: isMirrored, threads: threads, pixels: pixels)
        let side = PersonMaskNetwork.side
        return mask?.map ?? FloatMap(width: side, height: side, values: [Float](repeating: 0, count: side * side))
    }

    /// Returns the masks of people, the largest box first; without those outside the grid.
    ///
    /// - Parameter willRun: Called before each run of a network; an error that it throws ends the search.
    /// - Throws: `ModelStoreError`, `ImageError`, and the errors of `pixels` and `willRun`.
    package func masks(
        of people: [FoundPerson], on grid: MaskGrid, threads: Int? = nil, willRun: () throws -> Void = {},
        pixels: (Derivative) throws -> Raster
    ) throws -> [PersonMask] {
        guard level != .fast else { return [] }
        let areas = people.map { $0.box.width * $0.box.height }
        let largest = people.indices.sorted { areas[$0] != areas[$1] ? areas[$0] > areas[$1] : $0 < $1 }
        let views = Self.views(level)
        return try largest.prefix(Self.mostPeople).enumerated().compactMap { number, index in
            let wanted = number < Self.mostInDetail ? views : Array(views.prefix(1))
            return try mask(of: people[index], wanted, on: grid, threads, willRun, pixels)
        }
    }

    private func mask(
        of person: FoundPerson, _ views: [View], on grid: MaskGrid, _ threads: Int?, _ willRun: () throws -> Void,
        _ pixels: (Derivative) throws -> Raster
    ) throws -> PersonMask? {
        var found: [(part: MaskGrid.Part, map: FloatMap, weight: Float)] = []
        for view in views {
            guard let network = view.network == .people ? self.people : body else { continue }
            let crop = Self.crop(person.box, view, in: grid.region)
            let mirrors = view.hasMirror ? [false, true] : [false]
            for isMirrored in mirrors {
                try willRun()
                let mask = try network.mask(
                    of: crop, in: grid.region, isMirrored: isMirrored, threads: threads, pixels: pixels)
                guard let mask, let values = try grid.values(of: mask) else { continue }
                found.append((values.part, values.map, view.weight / Float(mirrors.count)))
            }
        }
        guard let first = found.first else { return nil }
        let all = found.dropFirst().reduce(first.part) { $0.union($1.part) }
        let total = found.reduce(0) { $0 + $1.weight }
        var sum = MaskSum(all)
        for entry in found { sum.add(entry.map, at: entry.part, weight: entry.weight / total) }
        return PersonMask(person: person, part: all, values: sum.values)
    }

    /// Returns the crop of a person's box.
    private static func crop(_ box: PixelRegion, _ view: View, in region: PixelRegion) -> PixelRegion {
        let (x, y) = (box.x + box.width / 2, box.y + box.height / 2)
        var (width, height) = (box.width * view.scale, box.height * view.scale)
        guard view.network == .people else {
            let side = max(width, height)
            return PixelRegion(x: x - side / 2, y: y - side / 2, width: side, height: side)
        }
        let (left, top) = (max(region.x, x - width / 2), max(region.y, y - height / 2))
        width = min(region.x + region.width, x + width / 2) - left
        height = min(region.y + region.height, y + height / 2) - top
        return PixelRegion(x: left, y: top, width: width, height: height)
    }
}

extension MaskGrid.Part {
    fileprivate func union(_ other: MaskGrid.Part) -> MaskGrid.Part {
        let (left, top) = (min(x, other.x), min(y, other.y))
        return MaskGrid.Part(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }
}

extension PersonMask {
    /// Raises the values of a whole grid to those of the mask, where they are smaller.
    fileprivate func raise(_ target: inout [Float], width: Int) {
        target.withUnsafeMutableBufferPointer { target in
            values.withUnsafeBufferPointer { values in
                for y in 0..<part.height {
                    let (to, from) = ((part.y + y) * width + part.x, y * part.width)
                    for x in 0..<part.width { target[to + x] = max(target[to + x], values[from + x]) }
                }
            }
        }
    }
}
