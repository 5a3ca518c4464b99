import Foundation

/// The four sides of a planar thing as edges between it and what is around it: what holds a plain page or a screen whose
/// content changes.
///
/// Across each side lies a strip of samples. A side is looked for as the straight line along which the grey changes most, with
/// the brightness on one of its two sides that was there at first: a screen keeps its frame whatever it shows and wherever it
/// is carried. Where the line lies relative to the given corners was measured once, as corners are never given exactly.
struct PlanarBorder {
    /// Samples of a strip along and across the side.
    private static let along = 64
    private static let across = 16
    /// What a look at all four sides takes, as a count of samples of a template: lines are fitted as well.
    static let effort = 8 * along * across
    /// Samples along the side that are averaged into one profile.
    private static let grouped = 4
    private static let groups = along / grouped
    /// The changes of grey between the samples of a profile.
    private static let places = across - 1
    /// A change of grey below this is no edge; no edge says more than one of the second.
    private static let (leastContrast, fullContrast) = (Float(5), Float(14))
    /// How well an edge is located, in samples across the strip: prudent, as edges of the surroundings come near as well.
    private static let precision = 0.35
    /// The part of a side along which its line must be seen.
    private static let leastSupport = 0.35

    /// The edge of one group at first: where it was across its strip, in samples, and the greys beside it.
    private struct Mark {
        var place: Double
        var inner: Float
        var outer: Float
    }

    /// An edge of a frame.
    struct Edge {
        var isLevel: Bool
        /// Where it is to be across the side, in the square.
        var mark: Double
        /// Where it is, in the image.
        var point: PlanarPoint
        var weight: Double
    }

    /// What was seen of the border in a frame.
    struct Sight {
        var edges: [Edge] = []
        /// The share of the places along the border that can be seen.
        var visible = 0.0
        /// The share of these where the edge is less than a sample off.
        var agreeing = 0.0
        /// The sides whose lines were found, of 4.
        var sides = 0
        /// Pixels of the image a sample across the sides.
        var unit = 1.0
    }

    private let marks: [Mark?]
    /// Half the extent of the strips across the sides, in units of the square: for top and bottom, and for left and right.
    private let reach: (down: Double, along: Double)
    private let patch: PlanarPatch

    /// The part of the border that had an edge at first.
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
        var marks: [Mark?] = []
        for side in 0..<4 {
            let strip = Strip(side, patch, self.reach, pyramid, map)
            let middle = Double(Self.across) / 2 - 1
            let places = [Double](repeating: middle, count: Self.groups)
            guard let line = strip.line(places, marks: nil, sigma: 1.5) else {
                marks += [Mark?](repeating: nil, count: Self.groups)
                continue
            }
            marks += (0..<Self.groups).map { group in
                guard strip.isVisible[group] else { return nil }
                let expected = middle + line.offset(of: group)
                // Where nothing is to be seen of a line that is seen elsewhere, it is there all the same.
                let place = strip.edge(group, near: expected)?.place ?? expected
                let greys = strip.greys(group, beside: place)
                return Mark(place: place, inner: greys.inner, outer: greys.outer)
            }
        }
        self.marks = marks
    }

    /// Looks for the border in a frame, from where `map` says it is.
    func look(_ pyramid: PlanarPyramid, _ map: Homography) -> Sight {
        var sight = Sight()
        var (marked, visible, agreeing) = (0, 0, 0.0)
        let sizes = map.quad.sides
        sight.unit = min(sizes.height * reach.down, sizes.width * reach.along) / Double(Self.across)
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
            let places = own.map { $0?.place ?? middle }
            guard let line = strip.line(places, marks: own, sigma: 3) else { continue }
            sight.sides += 1
            let isLevel = side < 2
            let half = isLevel ? reach.down : reach.along
            let unit = 2 * half / Double(Self.across)
            let outline = side % 2 == 0 ? -1.0 : 1
            let first = sight.edges.count
            var trust = 0.0
            for group in 0..<Self.groups {
                guard let mark = own[group], strip.isVisible[group],
                    let edge = strip.edge(group, near: mark.place + line.offset(of: group))
                else { continue }
                let offset = edge.place - mark.place
                let match = Double(strip.match(group, edge.place, mark))
                if abs(offset) < 1 { agreeing += match }
                trust += match / Double(seen)
                let along = 0.95 * ((2 * Double(group) + 1) / Double(Self.groups) - 1)
                func across(_ place: Double) -> Double { outline + (2 * (place + 1) / Double(Self.across) - 1) * half }
                let point = isLevel ? map.apply(along, across(edge.place)) : map.apply(across(edge.place), along)
                let contrast = Double(edge.contrast / (edge.contrast + 10))
                sight.edges.append(
                    Edge(
                        isLevel: isLevel, mark: across(mark.place), point: point,
                        weight: match * contrast / (Self.precision * Self.precision * unit * unit)))
            }
            // A line with gaps and of other greys may be that of something else.
            for index in first..<sight.edges.count { sight.edges[index].weight *= trust }
        }
        sight.visible = Double(visible) / Double(max(1, marked))
        sight.agreeing = visible > 0 ? agreeing / Double(visible) : 0
        return sight
    }

    /// One side of a frame: the mean greys across it, for each of its groups.
    private struct Strip {
        var isVisible = [Bool](repeating: false, count: groups)
        /// Which greys lie in the frame.
        private var isInside = [Bool](repeating: false, count: groups * across)
        /// Groups of `across` greys.
        private var greys = [Float](repeating: 0, count: groups * across)
        /// How much the grey changes at each place of each group.
        private var changes = [Float](repeating: 0, count: groups * places)
        /// Whether the thing lies behind the edge, seen along the profiles.
        private let isInsideBehind: Bool

        init(
            _ side: Int, _ patch: PlanarPatch, _ reach: (down: Double, along: Double), _ pyramid: PlanarPyramid,
            _ map: Homography
        ) {
            isInsideBehind = side % 2 == 0
            // Along the strip x runs along the side, y across it.
            let outline = side % 2 == 0 ? -1.0 : 1
            let strip =
                side < 2
                ? Homography([0.95, 0, 0], [0, reach.down, outline], [0, 0, 1])
                : Homography([0, reach.along, outline], [0.95, 0, 0], [0, 0, 1])
            let place = map * strip
            guard place.isFinite else { return }
            let step = place.quad.sides.height / Double(across)
            patch.sample(pyramid, level: pyramid.level(forStep: max(step, 1)), map: place)
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
                // The middle must be in the frame, where the edge is expected.
                isVisible[group] = (start + 5..<start + 11).allSatisfy { isInside[$0] }
                guard isVisible[group] else { continue }
                for place in 0..<places {
                    let before = max(0, place - 1), behind = min(places - 1, place + 1)
                    guard isInside[start + before], isInside[start + behind + 1] else { continue }
                    let sum =
                        greys[start + before + 1] - greys[start + before] + greys[start + behind + 1]
                        - greys[start + behind] + 2 * (greys[start + place + 1] - greys[start + place])
                    changes[group * places + place] = abs(sum) / 4
                }
            }
        }

        /// The mean greys just beside a place of a group.
        func greys(_ group: Int, beside place: Double) -> (inner: Float, outer: Float) {
            let start = group * across
            let middle = Int(min(max(place, 0), Double(places - 1)).rounded())
            func mean(_ first: Int) -> Float {
                var sum: Float = 0
                for row in first..<(first + 3) { sum += greys[start + min(max(row, 0), across - 1)] }
                return sum / 3
            }
            let (before, behind) = (mean(middle - 3), mean(middle + 2))
            return isInsideBehind ? (behind, before) : (before, behind)
        }

        /// Whether the greys beside a place are those of the mark on one side at least: 1 if so, less if not.
        func match(_ group: Int, _ place: Double, _ mark: Mark) -> Float {
            let now = greys(group, beside: place)
            func likeness(_ a: Float, _ b: Float) -> Float {
                let difference = (a - b) / (a + b + 40)
                return 1 / (1 + difference * difference * 50)
            }
            return max(likeness(now.inner, mark.inner), 0.9 * likeness(now.outer, mark.outer))
        }

        /// The edge of a group at a place, if there is one.
        func edge(_ group: Int, near place: Double) -> (place: Double, contrast: Float)? {
            let start = group * places
            let middle = Int(min(max(place, -10), 100).rounded())
            var best = -1
            for index in max(1, middle - 1)...max(1, middle + 1) where index < places - 1 {
                guard changes[start + index] >= leastContrast else { continue }
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

        /// How far a side is from its marks, in samples, at its two ends.
        struct Line {
            var first: Double
            var last: Double

            func offset(of group: Int) -> Double {
                first + (last - first) * (Double(group) + 0.5) / Double(groups)
            }
        }

        private static let range = 6

        /// What speaks for each offset of each group, and for all lines that begin at one: as many as a vector holds.
        private enum Votes {
            /// By how many samples a line may lean, over all groups.
            static let slopes = 5
            /// Between the groups' votes, for lines that leave their range.
            static let room = slopes + 1
            static let stride = 32

            /// For lines of each slope, the sums over the groups by the offset that they begin at.
            static func sums(_ votes: [Float]) -> [SIMD16<Float>] {
                votes.withUnsafeBytes { votes in
                    (-slopes...slopes).map { slope in
                        var sum = SIMD16<Float>()
                        for group in 0..<groups {
                            // The nearest offset on the line, in whole numbers.
                            let middle = slope * (2 * group + 1) + groups + 2 * groups * room
                            let place = group * stride + middle / (2 * groups)
                            sum += votes.loadUnaligned(
                                fromByteOffset: place * MemoryLayout<Float>.stride, as: SIMD16<Float>.self)
                        }
                        return sum
                    }
                }
            }
        }

        /// The straight line with most of the edges, the nearer to the marks the better; nil when none is long enough.
        func line(_ expected: [Double], marks: [Mark?]?, sigma: Double) -> Line? {
            let range = Self.range
            // What speaks for an edge of each group at each offset.
            // Lines reach beyond them where no vote is, at a step of a group per sample at most.
            var votes = [Float](repeating: 0, count: groups * Votes.stride)
            var seen = 0
            for group in 0..<groups where isVisible[group] {
                if let marks, marks[group] == nil { continue }
                seen += 1
                for offset in -range...range {
                    let place = Int((expected[group] + Double(offset)).rounded())
                    guard place >= 0, place < places else { continue }
                    let contrast = min(changes[group * places + place], fullContrast) / fullContrast
                    guard contrast > 0.2 else { continue }
                    let likely = marks.flatMap { $0[group] }.map { match(group, Double(place), $0) } ?? 1
                    votes[group * Votes.stride + Votes.room + offset + range] = contrast * (0.2 + 0.8 * likely)
                }
            }
            guard seen > 0 else { return nil }
            var best: Line?
            var bestScore: Float = 0
            let sums = Votes.sums(votes)
            for first in -range...range {
                for last in max(-range, first - Votes.slopes)...min(range, first + Votes.slopes) {
                    let sum = sums[last - first + Votes.slopes][first + range]
                    // No line is likelier than one that lies where the marks are.
                    guard sum > bestScore else { continue }
                    let distance = Double(first + last) / 2 / sigma, slope = Double(last - first) / 6
                    let score = sum * Float(exp(-0.5 * (distance * distance + slope * slope)))
                    if score > bestScore { (best, bestScore) = (Line(first: Double(first), last: Double(last)), score) }
                }
            }
            guard let best else { return nil }
            let found = (0..<groups).count { group in
                isVisible[group] && (marks == nil || marks?[group] != nil)
                    && edge(group, near: expected[group] + best.offset(of: group)) != nil
            }
            return Double(found) >= leastSupport * Double(max(seen, groups / 4)) ? best : nil
        }
    }
}

extension PlanarSystem {
    /// Adds equations that bring the sides on to the edges of the frame. The system is that of a square `extent` times as
    /// large as the thing, which lies where `map` says.
    mutating func add(_ sight: PlanarBorder.Sight, at map: Homography, extent: Double, firmness: Double = 1) {
        guard let back = map.inverse else { return }
        for edge in sight.edges {
            let place = back.apply(edge.point)
            guard place.isFinite, abs(place.x) < 2, abs(place.y) < 2 else { continue }
            let offset = (edge.isLevel ? place.y : place.x) - edge.mark
            add(
                x: (edge.isLevel ? place.x : edge.mark) / extent, y: (edge.isLevel ? edge.mark : place.y) / extent,
                normalX: edge.isLevel ? 0 : 1, normalY: edge.isLevel ? 1 : 0, distance: offset / extent,
                weight: firmness * edge.weight * extent * extent)
        }
    }
}
