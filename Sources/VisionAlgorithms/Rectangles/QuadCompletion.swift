import Foundation

/// Looks for the fourth side of quads of which three are seen well: where two lines that leave a side end, along fainter edges
/// than those that lines are made of, as a page's on a light wall.
struct QuadCompletion {
    /// A side and two that leave it.
    struct Bracket {
        var base: Int
        var arms: (Int, Int)
        /// Where the arms end.
        var ends: (PlanarPoint, PlanarPoint)
        var promise: Double
    }

    /// A line from a corner on.
    private struct Arm {
        var end: PlanarPoint
        var coverage: Double
        /// The share of a short stretch on the other side of the corner that has edges as well.
        var over: Double
    }

    private static let (leastCoverage, mostBrackets) = (0.65, 60)
    /// Gaps in an arm that are passed over, in pixels.
    private static let mostGap = 20.0

    let lines: [ImageLine]
    let search: QuadSearch
    let edges: LineEdges

    /// The lines that complete quads, to be appended to `lines`, and the quads.
    func completed(_ sides: [QuadSearch.Side]) -> (lines: [ImageLine], quads: [QuadCandidate]) {
        var found: [ImageLine] = []
        var quads: [QuadCandidate] = []
        for bracket in brackets(sides) {
            // What is a line already was looked at by the search.
            let (a, b) = bracket.ends
            let isKnown = lines.contains { line in
                guard line.distance(to: a) < 3, line.distance(to: b) < 3 else { return false }
                return line.coverage(from: line.place(of: a), to: line.place(of: b)) >= QuadSearch.leastCoverage
            }
            if isKnown { continue }
            guard let line = line(near: bracket), let quad = quad(bracket, line, number: lines.count + found.count)
            else { continue }
            found.append(line)
            quads.append(quad)
        }
        return (found, quads)
    }

    /// The most promising ones.
    private func brackets(_ sides: [QuadSearch.Side]) -> [Bracket] {
        let count = lines.count
        var result: [Bracket] = []
        // Of each line from its corner with each other one, towards both sides of that: many sides share them.
        var arms = [Arm??](repeating: nil, count: 2 * count * count)
        func arm(_ index: Int, from corner: QuadSearch.Corner, base: Int, way: Double) -> Arm? {
            let place = 2 * (base * count + index) + (way > 0 ? 1 : 0)
            if let known = arms[place] { return known }
            let arm = self.arm(index, from: corner, base: base, way: way)
            arms[place] = .some(arm)
            return arm
        }
        for side in sides where Double(side.coverage) >= Self.leastCoverage {
            let base = Int(side.line), pair = Int(side.pair)
            let (p, q) = (pair / count, pair % count)
            guard p != q, let first = search.corners[base * count + p], let second = search.corners[base * count + q]
            else { continue }
            let over = search.beyond(base, first.first, second.first)
            guard over < 0.6 else { continue }
            // Both arms on one side of the base.
            for way in [1.0, -1.0] {
                guard let a = arm(p, from: first, base: base, way: way),
                    let b = arm(q, from: second, base: base, way: way)
                else { continue }
                let promise = Double(side.coverage) + a.coverage + b.coverage - 0.5 * (over + (a.over + b.over) / 2)
                result.append(Bracket(base: base, arms: (p, q), ends: (a.end, b.end), promise: promise))
            }
        }
        let order = result.indices.sorted {
            result[$0].promise != result[$1].promise ? result[$0].promise > result[$1].promise : $0 < $1
        }
        return order.prefix(Self.mostBrackets).map { result[$0] }
    }

    /// How far a line goes on from a corner towards one side of the base.
    private func arm(
        _ index: Int, from corner: QuadSearch.Corner, base: Int, way: Double
    ) -> Arm? {
        let line = lines[index], track = search.tracks[index]
        let turn = lines[base].direction.cross(line.direction) * way > 0 ? 1.0 : -1
        let start = Int(min(max(corner.second.rounded(), 0), track.limit))
        var place = start, best = start
        var (value, most) = (0.0, 0.0)
        while true {
            let next = place + (turn > 0 ? 1 : -1)
            guard next >= 0, next < line.covered.count else { break }
            let hit = line.covered[max(place, next)] - line.covered[min(place, next)]
            value += hit > 0 ? 1 : -1
            place = next
            if value > most { (most, best) = (value, place) }
            if value < most - Self.mostGap / track.unit { break }
        }
        let (length, coverage) = (
            Double(abs(best - start)) * track.unit, line.coverage(from: Double(start), to: Double(best))
        )
        guard length >= search.limits.leastSide, coverage >= Self.leastCoverage else { return nil }
        let back = min(max(Double(abs(best - start)) * 0.2, 8), 24)
        let over = search.coverage(index, corner.second - turn * 3, corner.second - turn * (3 + back))
        return Arm(end: line.point(Double(best)), coverage: coverage, over: over)
    }

    /// The clearest line through places near both ends.
    private func line(near bracket: Bracket) -> ImageLine? {
        let (a, b) = bracket.ends
        let isUpright = abs(b.y - a.y) > abs(b.x - a.x)
        let map = isUpright ? edges.faint.upright : edges.faint.level
        func places(_ point: PlanarPoint) -> (t: Double, across: Double) {
            isUpright ? (point.y - 0.5, point.x - 0.5) : (point.x - 0.5, point.y - 0.5)
        }
        func along(_ arm: Int, _ end: PlanarPoint, _ pixels: Double) -> PlanarPoint {
            let direction = lines[arm].direction
            return PlanarPoint(x: end.x + direction.x * pixels, y: end.y + direction.y * pixels)
        }
        var hits = [Int32](repeating: 0, count: map.width)
        var best: (value: Double, start: Double, slope: Double, low: Int, high: Int)?
        func look(_ p: PlanarPoint, _ q: PlanarPoint) {
            let (from, to) = (places(p), places(q))
            let low = max(Int(min(from.t, to.t).rounded()), 0), high = min(Int(max(from.t, to.t).rounded()), map.width)
            guard high - low >= 8, abs(to.t - from.t) >= 8 else { return }
            let slope = (to.across - from.across) / (to.t - from.t)
            let start = from.across - slope * from.t
            _ = map.support(start: start, slope: slope, from: low, to: high, dense: 5, hits: &hits)
            var (seen, sign) = (0, 0)
            for t in low..<high where hits[t] != 0 {
                seen += 1
                sign += hits[t] > 0 ? 1 : -1
            }
            let value = (0.5 * Double(seen) + 0.5 * Double(abs(sign))) / Double(high - low)
            if value > best?.value ?? 0.3 { best = (value, start, slope, low, high) }
        }
        for s in stride(from: -8.0, through: 8, by: 2) {
            for t in stride(from: -8.0, through: 8, by: 2) {
                look(along(bracket.arms.0, a, s), along(bracket.arms.1, b, t))
            }
        }
        guard let best else { return nil }
        var (start, slope) = (best.start, best.slope)
        for _ in 0..<3 {
            (start, slope) = map.support(
                start: start, slope: slope, from: best.low, to: best.high, dense: 5, hits: &hits)
        }
        _ = map.support(start: start, slope: slope, from: 0, to: map.width, dense: 5, hits: &hits)
        return ImageLine(isUpright: isUpright, start: start, slope: slope, hits: hits, least: 6)
    }

    private func quad(_ bracket: Bracket, _ line: ImageLine, number: Int) -> QuadCandidate? {
        let base = lines[bracket.base], (p, q) = (lines[bracket.arms.0], lines[bracket.arms.1])
        guard let a = base.crossing(p), let b = base.crossing(q), let c = line.crossing(q), let d = line.crossing(p)
        else { return nil }
        func coverage(_ line: ImageLine, _ a: PlanarPoint, _ b: PlanarPoint) -> Double {
            line.coverage(from: line.place(of: a), to: line.place(of: b))
        }
        func beyond(_ line: ImageLine, _ a: PlanarPoint, _ b: PlanarPoint) -> Double {
            let (s, t) = (line.place(of: a), line.place(of: b))
            let (low, high) = (min(s, t), max(s, t))
            let reach = min(max((high - low) * 0.2, 8), 24)
            return
                (line.coverage(from: low - 3 - reach, to: low - 3) + line.coverage(from: high + 3, to: high + 3 + reach))
                / 2
        }
        let quad = PlanarQuad(topLeft: a, topRight: b, bottomRight: c, bottomLeft: d)
        let (width, height) = (search.limits.width, search.limits.height)
        guard quad.isFinite, quad.isConvex,
            quad.corners.allSatisfy({
                $0.x > -0.08 * width && $0.y > -0.08 * height && $0.x < 1.08 * width && $0.y < 1.08 * height
            })
        else { return nil }
        let covered = SIMD4(coverage(base, a, b), coverage(q, b, c), coverage(line, c, d), coverage(p, d, a))
        guard covered.min() >= 0.3 else { return nil }
        return QuadCandidate(
            quad: quad,
            lines: SIMD4(Int32(bracket.base), Int32(bracket.arms.1), Int32(number), Int32(bracket.arms.0)),
            coverage: covered,
            overshoot: (beyond(base, a, b) + beyond(q, b, c) + beyond(line, c, d) + beyond(p, d, a)) / 4,
            isCompleted: true)
    }
}
