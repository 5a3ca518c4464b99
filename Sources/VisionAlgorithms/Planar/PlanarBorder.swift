import Foundation

/// The four sides of a planar thing as edges between it and what is around it: what holds a plain page or a screen whose
/// content changes.
///
/// Across each side lies a strip of samples. The strip's places where the grey changes most were measured once, relative to
/// the given corners, and are looked for again in each frame, whatever lies outside by then.
struct PlanarBorder {
    /// Samples of a strip along and across the side.
    private static let along = 64
    private static let across = 16
    /// Samples along the side that are averaged into one profile.
    private static let grouped = 4
    private static let groups = along / grouped
    /// A change of grey below this is no edge.
    private static let leastContrast = 5.0
    /// How well an edge is located, in samples across the strip: prudent, as edges of the surroundings come near as well.
    private static let precision = 1.0

    /// The edge of one group: where it was across its strip, in samples, and how strong. Nil where there was none.
    private struct Mark {
        var place: Double
        var contrast: Double
    }

    private let marks: [Mark?]
    /// Half the extent of the strips across the sides, in units of the square: for top and bottom, and for left and right.
    private let reach: (down: Double, along: Double)
    private let patch: PlanarPatch

    /// The number of marks of 64 that there are.
    var strength: Double { Double(marks.count { $0 != nil }) / Double(marks.count) }

    /// - Parameters:
    ///   - share: How far the strips reach to both sides, as a part of the thing's size.
    ///   - pixels: The same in pixels of the image, at least and at most.
    init(_ pyramid: PlanarPyramid, map: Homography, share: Double, pixels: ClosedRange<Double>) throws {
        let sides = map.quad.sides
        func reach(_ length: Double, _ other: Double) -> Double {
            let reach = min(max(share * (length + other) / 2, pixels.lowerBound), pixels.upperBound)
            return min(2 * reach / length, 0.5)
        }
        self.reach = (reach(sides.height, sides.width), reach(sides.width, sides.height))
        patch = try PlanarPatch(columns: Self.along, rows: Self.across)
        let middle = Double(Self.across) / 2 - 1
        var marks: [Mark?] = []
        for side in 0..<4 {
            let profiles = Self.profiles(of: side, patch, reach: self.reach, pyramid, map)
            marks += profiles.map { profile in profile.flatMap { Self.edge(in: $0, near: middle, within: 2) } }
        }
        self.marks = marks
    }

    /// The map from a strip's square to that of the plane: along the strip x runs along the side, y from outside to inside
    /// or from inside to outside.
    private static func strip(_ side: Int, _ reach: (down: Double, along: Double)) -> Homography {
        switch side {
        case 0: Homography([0.95, 0, 0], [0, reach.down, -1], [0, 0, 1])
        case 1: Homography([0.95, 0, 0], [0, reach.down, 1], [0, 0, 1])
        case 2: Homography([0, reach.along, -1], [0.95, 0, 0], [0, 0, 1])
        default: Homography([0, reach.along, 1], [0.95, 0, 0], [0, 0, 1])
        }
    }

    /// The mean greys across a side, for each of its groups; nil for groups that are partly outside of the frame.
    private static func profiles(
        of side: Int, _ patch: PlanarPatch, reach: (down: Double, along: Double), _ pyramid: PlanarPyramid,
        _ map: Homography
    ) -> [[Double]?] {
        let strip = map * strip(side, reach)
        guard strip.isFinite else { return Array(repeating: nil, count: groups) }
        let quad = strip.quad
        let step = quad.sides.height / Double(across)
        patch.sample(pyramid, level: pyramid.level(forStep: max(step, 1)), map: strip)
        return (0..<groups).map { group in
            var profile = [Double](repeating: 0, count: across)
            for row in 0..<across {
                for column in (group * grouped)..<((group + 1) * grouped) {
                    let place = row * along + column
                    guard patch.inside[place] > 0 else { return nil }
                    profile[row] += Double(patch.values[place])
                }
                profile[row] /= Double(grouped)
            }
            return profile
        }
    }

    /// The strongest change of grey near a place; the place k lies between samples k and k + 1.
    private static func edge(in profile: [Double], near middle: Double, within sigma: Double) -> Mark? {
        let changes = (0..<(across - 1)).map { profile[$0 + 1] - profile[$0] }
        let smooth = changes.indices.map { index in
            let before = changes[max(0, index - 1)], behind = changes[min(changes.count - 1, index + 1)]
            return abs(before + 2 * changes[index] + behind) / 4
        }
        var best = -1
        var bestValue = 0.0
        for index in 1..<(smooth.count - 1)
        where smooth[index] >= smooth[index - 1] && smooth[index] >= smooth[index + 1] {
            let distance = (Double(index) - middle) / sigma
            let value = smooth[index] * exp(-0.5 * distance * distance)
            if value > bestValue { (best, bestValue) = (index, value) }
        }
        guard best > 0, smooth[best] >= leastContrast else { return nil }
        let offset = vertex(Float(smooth[best - 1]), Float(smooth[best]), Float(smooth[best + 1]))
        return Mark(place: Double(best) + offset, contrast: smooth[best])
    }

    /// What the edges of a frame say: for each mark that can be seen its side, where along it, and how far off the edge is
    /// across it, in samples; nil where no edge was found.
    private func search(
        _ pyramid: PlanarPyramid, _ map: Homography
    ) -> [(side: Int, along: Double, offset: Double?, contrast: Double, mark: Mark)] {
        var found: [(side: Int, along: Double, offset: Double?, contrast: Double, mark: Mark)] = []
        for side in 0..<4 {
            let own = marks[(side * Self.groups)..<((side + 1) * Self.groups)]
            guard own.contains(where: { $0 != nil }) else { continue }
            let profiles = Self.profiles(of: side, patch, reach: reach, pyramid, map)
            for (group, mark) in own.enumerated() {
                guard let mark, let profile = profiles[group] else { continue }
                let edge = Self.edge(in: profile, near: mark.place, within: 3)
                let along = 0.95 * ((2 * Double(group) + 1) / Double(Self.groups) - 1)
                found.append((side, along, edge.map { $0.place - mark.place }, edge?.contrast ?? 0, mark))
            }
        }
        return found
    }

    /// Adds equations that bring the sides on to the edges of the frame. The system is that of a square `extent` times as
    /// large as the thing.
    func add(to system: inout PlanarSystem, _ pyramid: PlanarPyramid, _ map: Homography, extent: Double) {
        for edge in search(pyramid, map) {
            guard let offset = edge.offset else { continue }
            let isLevel = edge.side < 2
            let half = isLevel ? reach.down : reach.along
            let unit = 2 * half / Double(Self.across)
            let place = (edge.side % 2 == 0 ? -1 : 1) + (2 * (edge.mark.place + 1) / Double(Self.across) - 1) * half
            // Tukey's weights: an edge far off is another one.
            let ratio = offset / 3.5
            guard abs(ratio) < 1 else { continue }
            let robust = (1 - ratio * ratio) * (1 - ratio * ratio)
            let contrast = edge.contrast / (edge.contrast + 10)
            let weight = robust * contrast / (Self.precision * Self.precision * unit * unit)
            system.add(
                x: (isLevel ? edge.along : place) / extent, y: (isLevel ? place : edge.along) / extent,
                normalX: isLevel ? 0 : 1, normalY: isLevel ? 1 : 0, distance: offset * unit / extent,
                weight: weight * extent * extent)
        }
    }

    /// The share of the edges that lie where their marks were, and the share of the marks that can be seen.
    func agreement(_ pyramid: PlanarPyramid, _ map: Homography) -> (agreeing: Double, visible: Double) {
        let found = search(pyramid, map)
        let count = marks.count { $0 != nil }
        guard count > 0, !found.isEmpty else { return (0, 0) }
        // Where the surroundings are as bright as the thing there is no edge to be seen, which says little.
        let edges = found.compactMap(\.offset)
        guard !edges.isEmpty else { return (0, 0) }
        let agreeing = Double(edges.count { abs($0) < 1 }) / Double(edges.count)
        let seen = Double(edges.count) + 0.5 * Double(found.count - edges.count)
        return (agreeing, seen / Double(count))
    }
}
