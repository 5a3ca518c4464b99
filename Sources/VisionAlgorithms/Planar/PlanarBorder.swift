import Foundation

/// The four sides of a planar object as edges to its surroundings, which hold a plain page or a screen whose content
/// changes.
///
/// Across each side lies a strip of samples. A side is found as the straight line along which the grey changes most and
/// on one of whose sides the brightness is that of the first frame: a screen keeps its frame whatever it shows and
/// wherever it is carried. The offset of the line from the given corners is measured once, because corners are never
/// given exactly.
struct PlanarBorder {
    /// The numbers of samples of a strip along and across the side.
    private static let along = 64
    private static let across = 16
    /// The cost of observing all four sides, as a number of template samples. Fitting the lines is included.
    static let effort = 8 * along * across
    /// The number of samples along the side that are averaged into one profile.
    private static let grouped = 4
    private static let groups = along / grouped
    /// The number of grey differences in a profile.
    private static let differences = across - 1
    /// Grey changes below the first are not edges; the weight of an edge saturates at the second.
    private static let (minimumContrast, fullContrast) = (Float(5), Float(14))
    /// The standard deviation of an edge's location, in samples across the strip: set high, because nearby edges
    /// interfere.
    private static let precision = 0.35
    /// The part of a side along which its line must be visible.
    private static let minimumSupport = 0.35

    /// The reference edge of one group: its position across the strip, in samples, and the greys beside it.
    private struct Mark {
        var position: Double
        var inner: Float
        var outer: Float
    }

    /// An edge found in a frame.
    struct Edge {
        var isLevel: Bool
        /// The expected position across the side, in the square.
        var mark: Double
        /// The position found, in the image.
        var point: PlanarPoint
        var weight: Double
    }

    /// The edges of the border that were found in a frame.
    struct Observation {
        var edges: [Edge] = []
        /// The share of the groups along the border that are visible.
        var visible = 0.0
        /// The share of these whose edge is less than a sample off.
        var agreeing = 0.0
        /// The number of sides found, of 4.
        var sides = 0
        /// The size of a sample across the sides, in pixels of the image.
        var unit = 1.0
    }

    private let marks: [Mark?]
    /// Half the extent of the strips across the sides, in units of the square: for top and bottom, and for left and
    /// right.
    private let reach: (down: Double, along: Double)
    private let patch: PlanarPatch

    /// The part of the border that had an edge in the first frame.
    var strength: Double { Double(marks.count { $0 != nil }) / Double(marks.count) }

    /// - Parameters:
    ///   - share: How far the strips reach to both sides, relative to the object's size.
    ///   - pixels: The limits of this, in pixels of the image.
    init(_ pyramid: PlanarPyramid, map: Homography, share: Double, pixels: ClosedRange<Double>) throws {
        let sides = map.quad.sides
        func reach(_ length: Double, _ other: Double) -> Double {
            let reach = min(max(share * (length + other) / 2, pixels.lowerBound), pixels.upperBound)
            return min(2 * reach / length, 0.5)
        }
        self.reach = (reach(sides.height, sides.width), reach(sides.width, sides.height))
        patch = try PlanarPatch(columns: Self.along, rows: Self.across)
        var marks: [Mark?] = []
        for side in 0..<4 {
            let strip = Strip(side, patch, self.reach, pyramid, map)
            let middle = Double(Self.across) / 2 - 1
            let positions = [Double](repeating: middle, count: Self.groups)
            guard let line = strip.sideLine(positions, marks: nil, sigma: 1.5) else {
                marks += [Mark?](repeating: nil, count: Self.groups)
                continue
            }
            marks += (0..<Self.groups).map { group in
                guard strip.isVisible[group] else { return nil }
                let expected = middle + line.offset(of: group)
                // A group without a visible edge takes its position from the line that the other groups fix.
                let position = strip.edge(group, near: expected)?.position ?? expected
                let greys = strip.greys(group, beside: position)
                return Mark(position: position, inner: greys.inner, outer: greys.outer)
            }
        }
        self.marks = marks
    }

    /// Finds the border in a frame near `map`.
    func observe(_ pyramid: PlanarPyramid, _ map: Homography) -> Observation {
        var observation = Observation()
        var (marked, visible, agreeing) = (0, 0, 0.0)
        let sizes = map.quad.sides
        observation.unit = min(sizes.height * reach.down, sizes.width * reach.along) / Double(Self.across)
        for side in 0..<4 {
            let own = Array(marks[(side * Self.groups)..<((side + 1) * Self.groups)])
            let count = own.count { $0 != nil }
            marked += count
            guard count > 0 else { continue }
            let strip = Strip(side, patch, reach, pyramid, map)
            let seen = (0..<Self.groups).count { own[$0] != nil && strip.isVisible[$0] }
            visible += seen
            guard seen > 0 else { continue }
            let middle = Double(Self.across) / 2 - 1
            let positions = own.map { $0?.position ?? middle }
            guard let line = strip.sideLine(positions, marks: own, sigma: 3) else { continue }
            observation.sides += 1
            let isLevel = side < 2
            let half = isLevel ? reach.down : reach.along
            let unit = 2 * half / Double(Self.across)
            let outline = side % 2 == 0 ? -1.0 : 1
            let first = observation.edges.count
            var trust = 0.0
            for group in 0..<Self.groups {
                guard let mark = own[group], strip.isVisible[group],
                    let edge = strip.edge(group, near: mark.position + line.offset(of: group))
                else { continue }
                let offset = edge.position - mark.position
                let match = Double(strip.match(group, edge.position, mark))
                if abs(offset) < 1 { agreeing += match }
                trust += match / Double(seen)
                let along = 0.95 * ((2 * Double(group) + 1) / Double(Self.groups) - 1)
                func across(_ position: Double) -> Double {
                    outline + (2 * (position + 1) / Double(Self.across) - 1) * half
                }
                let point = isLevel ? map.apply(along, across(edge.position)) : map.apply(across(edge.position), along)
                let contrast = Double(edge.contrast / (edge.contrast + 10))
                observation.edges.append(
                    Edge(
                        isLevel: isLevel, mark: across(mark.position), point: point,
                        weight: match * contrast / (Self.precision * Self.precision * unit * unit)))
            }
            // A line with gaps or of other greys may belong to something else.
            for index in first..<observation.edges.count { observation.edges[index].weight *= trust }
        }
        observation.visible = Double(visible) / Double(max(1, marked))
        observation.agreeing = visible > 0 ? agreeing / Double(visible) : 0
        return observation
    }

    /// One side in a frame: the mean grey profiles across it, one for each group.
    private struct Strip {
        var isVisible = [Bool](repeating: false, count: groups)
        /// Whether each grey lies within the frame.
        private var isInside = [Bool](repeating: false, count: groups * across)
        /// The profiles of all groups, `across` greys each.
        private var greys = [Float](repeating: 0, count: groups * across)
        /// The grey differences of the profiles.
        private var changes = [Float](repeating: 0, count: groups * differences)
        /// Whether the object lies behind the edge, in the direction of the profiles.
        private let isInsideBehind: Bool

        init(
            _ side: Int, _ patch: PlanarPatch, _ reach: (down: Double, along: Double), _ pyramid: PlanarPyramid,
            _ map: Homography
        ) {
            isInsideBehind = side % 2 == 0
            // In the strip x runs along the side, y across it.
            let outline = side % 2 == 0 ? -1.0 : 1
            let strip =
                side < 2
                ? Homography([0.95, 0, 0], [0, reach.down, outline], [0, 0, 1])
                : Homography([0, reach.along, outline], [0.95, 0, 0], [0, 0, 1])
            let stripMap = map * strip
            guard stripMap.isFinite else { return }
            let step = stripMap.quad.sides.height / Double(across)
            patch.sample(pyramid, level: pyramid.level(forStep: max(step, 1)), map: stripMap)
            sum(patch)
        }

        private mutating func sum(_ patch: PlanarPatch) {
            patch.values.withUnsafeFloats { values in
                patch.inside.withUnsafeFloats { inside in
                    for group in 0..<groups {
                        for row in 0..<across {
                            let start = row * along + group * grouped
                            var (grey, seen) = (Float(0), Float(0))
                            for column in start..<(start + grouped) {
                                grey += values[column]
                                seen += inside[column]
                            }
                            greys[group * across + row] = grey / Float(grouped)
                            isInside[group * across + row] = seen == Float(grouped)
                        }
                    }
                }
            }
            for group in 0..<groups {
                let start = group * across
                // The middle, where the edge is expected, must be in the frame.
                isVisible[group] = (start + 5..<start + 11).allSatisfy { isInside[$0] }
                guard isVisible[group] else { continue }
                for index in 0..<differences {
                    let before = max(0, index - 1), behind = min(differences - 1, index + 1)
                    guard isInside[start + before], isInside[start + behind + 1] else { continue }
                    let sum =
                        greys[start + before + 1] - greys[start + before] + greys[start + behind + 1]
                        - greys[start + behind] + 2 * (greys[start + index + 1] - greys[start + index])
                    changes[group * differences + index] = abs(sum) / 4
                }
            }
        }

        /// Returns the mean greys on both sides of a position in a group's profile.
        func greys(_ group: Int, beside position: Double) -> (inner: Float, outer: Float) {
            let start = group * across
            let middle = Int(min(max(position, 0), Double(differences - 1)).rounded())
            func mean(_ first: Int) -> Float {
                var sum: Float = 0
                for row in first..<(first + 3) { sum += greys[start + min(max(row, 0), across - 1)] }
                return sum / 3
            }
            let (before, behind) = (mean(middle - 3), mean(middle + 2))
            return isInsideBehind ? (behind, before) : (before, behind)
        }

        /// Returns how well the greys beside a position match those of the mark on at least one side: 1 for equal ones.
        func match(_ group: Int, _ position: Double, _ mark: Mark) -> Float {
            let now = greys(group, beside: position)
            func likeness(_ a: Float, _ b: Float) -> Float {
                let difference = (a - b) / (a + b + 40)
                return 1 / (1 + difference * difference * 50)
            }
            return max(likeness(now.inner, mark.inner), 0.9 * likeness(now.outer, mark.outer))
        }

        /// Returns the edge of a group near a position, if there is one.
        func edge(_ group: Int, near position: Double) -> (position: Double, contrast: Float)? {
            let start = group * differences
            let middle = Int(min(max(position, -10), 100).rounded())
            var best = -1
            for index in max(1, middle - 1)...max(1, middle + 1) where index < differences - 1 {
                guard changes[start + index] >= minimumContrast else { continue }
                if changes[start + index] >= changes[start + index - 1],
                    changes[start + index] >= changes[start + index + 1],
                    best < 0 || changes[start + index] > changes[start + best]
                {
                    best = index
                }
            }
            guard best > 0 else { return nil }
            let offset = vertex(changes[start + best - 1], changes[start + best], changes[start + best + 1])
            return (Double(best) + offset, changes[start + best])
        }

        /// The offset of a side from its marks, in samples, at its two ends.
        struct SideLine {
            var first: Double
            var last: Double

            func offset(of group: Int) -> Double {
                first + (last - first) * (Double(group) + 0.5) / Double(groups)
            }
        }

        private static let range = 6

        /// The votes for each offset of each group, and their sums along lines that begin at one offset: one vector.
        private enum Votes {
            /// The largest slope of a line, in samples over all groups.
            static let slopes = 5
            /// Padding between the groups' votes, for lines that leave the range.
            static let room = slopes + 1
            static let stride = 32

            /// Returns, for each slope, the sums over the groups by the offset at which the line begins.
            static func sums(_ votes: [Float]) -> [SIMD16<Float>] {
                votes.withUnsafeBytes { votes in
                    (-slopes...slopes).map { slope in
                        var sum = SIMD16<Float>()
                        for group in 0..<groups {
                            // The nearest integer offset on the line.
                            let middle = slope * (2 * group + 1) + groups + 2 * groups * room
                            let index = group * stride + middle / (2 * groups)
                            sum += votes.loadUnaligned(
                                fromByteOffset: index * MemoryLayout<Float>.stride, as: SIMD16<Float>.self)
                        }
                        return sum
                    }
                }
            }
        }

        /// Returns the straight line with the most edges, weighted towards small offsets from the marks; nil if none is
        /// long enough.
        func sideLine(_ expected: [Double], marks: [Mark?]?, sigma: Double) -> SideLine? {
            let range = Self.range
            // The votes for an edge of each group at each offset. Lines may leave the range, by at most one group a
            // sample, into the padding without votes.
            var votes = [Float](repeating: 0, count: groups * Votes.stride)
            var seen = 0
            for group in 0..<groups where isVisible[group] {
                if let marks, marks[group] == nil { continue }
                seen += 1
                for offset in -range...range {
                    let index = Int((expected[group] + Double(offset)).rounded())
                    guard index >= 0, index < differences else { continue }
                    let contrast = min(changes[group * differences + index], fullContrast) / fullContrast
                    guard contrast > 0.2 else { continue }
                    let likeness = marks.flatMap { $0[group] }.map { match(group, Double(index), $0) } ?? 1
                    votes[group * Votes.stride + Votes.room + offset + range] = contrast * (0.2 + 0.8 * likeness)
                }
            }
            guard seen > 0 else { return nil }
            var best: SideLine?
            var bestScore: Float = 0
            let sums = Votes.sums(votes)
            for first in -range...range {
                for last in max(-range, first - Votes.slopes)...min(range, first + Votes.slopes) {
                    let sum = sums[last - first + Votes.slopes][first + range]
                    // The prior: a line without offset from the marks is the most likely.
                    guard sum > bestScore else { continue }
                    let distance = Double(first + last) / 2 / sigma, slope = Double(last - first) / 6
                    let score = sum * Float(exp(-0.5 * (distance * distance + slope * slope)))
                    if score > bestScore {
                        (best, bestScore) = (SideLine(first: Double(first), last: Double(last)), score)
                    }
                }
            }
            guard let best else { return nil }
            let found = (0..<groups).count { group in
                isVisible[group] && (marks == nil || marks?[group] != nil)
                    && edge(group, near: expected[group] + best.offset(of: group)) != nil
            }
            return Double(found) >= minimumSupport * Double(max(seen, groups / 4)) ? best : nil
        }
    }
}

extension PlanarSystem {
    /// Adds equations that move the sides onto the edges found. The system is that of a square `extent` times as large
    /// as the object, which lies at `map`.
    mutating func add(_ observation: PlanarBorder.Observation, at map: Homography, extent: Double, firmness: Double = 1)
    {
        guard let back = map.inverse else { return }
        for edge in observation.edges {
            let point = back.apply(edge.point)
            guard point.isFinite, abs(point.x) < 2, abs(point.y) < 2 else { continue }
            let offset = (edge.isLevel ? point.y : point.x) - edge.mark
            add(
                x: (edge.isLevel ? point.x : edge.mark) / extent, y: (edge.isLevel ? edge.mark : point.y) / extent,
                normalX: edge.isLevel ? 0 : 1, normalY: edge.isLevel ? 1 : 0, distance: offset / extent,
                weight: firmness * edge.weight * extent * extent)
        }
    }
}
