import Foundation

/// A quad that four lines make, and how much of its sides is seen.
struct QuadCandidate {
    var quad: PlanarQuad
    /// The lines of its top, right, bottom and left side.
    var lines: SIMD4<Int32>
    /// The share of each side that has edges.
    var coverage: SIMD4<Double>
    /// The share of a short stretch beyond the corners, on all eight ends, that has edges as well.
    var overshoot: Double

    /// How likely it is, for choosing which are looked at more closely.
    var promise: Double { coverage.sum() / 4 + 0.5 * coverage.min() - 0.5 * overshoot }
}

/// Looks for four lines that bound a quad, by what is seen of its sides.
///
/// Any two lines that cross make a corner. A side is a stretch of a line between two of its corners that has enough edges; two
/// lines that several sides connect are opposite sides of quads. All tests of a stretch are differences of sums, so hundreds of
/// thousands of them take milliseconds.
struct QuadSearch {
    /// What is looked for, in pixels and degrees.
    struct Limits {
        var leastSide: Double
        var quadratureTolerance: Double
        var width: Double
        var height: Double
    }

    static let (leastCoverage, leastMean) = (0.3, 0.55)
    /// Stretches and quads that are looked at in all, for images that are full of lines.
    private static let (mostSides, mostQuads, mostResults) = (300_000, 400_000, 4000)

    private struct Corner {
        var point: PlanarPoint
        /// Where it is along the first and along the second line.
        var first: Double
        var second: Double
    }

    struct Side {
        var pair: Int32
        var line: Int32
        var coverage: Float
    }

    /// What is asked of a line again and again, without references.
    private struct Track {
        var unit: Double
        /// Where its sums of edges start in `sums`, and the places it has.
        var offset: Int
        var limit: Double
    }

    private let tracks: [Track]
    private let sums: [Int32]
    private let limits: Limits
    private var corners: [Corner?]

    init(_ lines: [ImageLine], limits: Limits) {
        self.limits = limits
        let count = lines.count
        var (tracks, sums): ([Track], [Int32]) = ([], [])
        for line in lines {
            tracks.append(Track(unit: line.unit, offset: sums.count, limit: Double(line.covered.count - 1)))
            sums += line.covered
        }
        (self.tracks, self.sums) = (tracks, sums)
        corners = [Corner?](repeating: nil, count: count * count)
        // Corners may be a little outside of the image.
        let (marginX, marginY) = (0.08 * limits.width, 0.08 * limits.height)
        let most = min(max(limits.quadratureTolerance + 2, 3), 60) / 180 * Double.pi
        let leastSine = cos(most)
        for i in lines.indices {
            for j in lines.indices where j > i {
                let (a, b) = (lines[i], lines[j])
                guard abs(a.direction.cross(b.direction)) >= leastSine, let point = a.crossing(b) else { continue }
                guard point.x > -marginX, point.y > -marginY, point.x < limits.width + marginX,
                    point.y < limits.height + marginY
                else { continue }
                let (s, t) = (a.place(of: point), b.place(of: point))
                corners[i * count + j] = Corner(point: point, first: s, second: t)
                corners[j * count + i] = Corner(point: point, first: t, second: s)
            }
        }
    }

    /// The most promising quads, each once.
    ///
    /// - Parameter sides: What `sides()` gave.
    func quads(of sides: [Side]) -> [QuadCandidate] {
        let count = tracks.count
        // The sides in the order of the pairs of lines that they connect.
        var starts = [Int](repeating: 0, count: count * count + 1)
        for side in sides { starts[Int(side.pair) + 1] += 1 }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var next = starts
        var sorted = [Side](repeating: Side(pair: 0, line: 0, coverage: 0), count: sides.count)
        for side in sides {
            sorted[next[Int(side.pair)]] = side
            next[Int(side.pair)] += 1
        }
        var result: [QuadCandidate] = []
        var looked = 0
        for i in 0..<count {
            for k in i..<count {
                let bucket = starts[i * count + k]..<starts[i * count + k + 1]
                for p in bucket {
                    for q in (p + 1)..<max(bucket.upperBound, p + 1) {
                        let (left, right) = (sorted[p], sorted[q])
                        // Each quad comes up for both of its pairs of opposite sides.
                        guard i < Int(left.line), i < Int(right.line) else { continue }
                        looked += 1
                        guard looked <= Self.mostQuads else { return Self.best(result) }
                        if let quad = quad(i, Int(right.line), k, Int(left.line), right.coverage, left.coverage) {
                            result.append(quad)
                        }
                    }
                }
            }
        }
        return Self.best(result)
    }

    private static func best(_ quads: [QuadCandidate]) -> [QuadCandidate] {
        guard quads.count > mostResults else { return quads }
        let promises = quads.map(\.promise)
        let order = quads.indices.sorted { promises[$0] != promises[$1] ? promises[$0] > promises[$1] : $0 < $1 }
        return order.prefix(mostResults).map { quads[$0] }
    }

    /// Stretches of lines between two corners that have enough edges.
    func sides() -> [Side] {
        let count = tracks.count
        var result: [Side] = []
        for j in 0..<count {
            let unit = tracks[j].unit
            var partners: [(line: Int, place: Double)] = []
            for other in 0..<count {
                if let corner = corners[j * count + other] { partners.append((other, corner.first)) }
            }
            partners.sort { $0.place != $1.place ? $0.place < $1.place : $0.line < $1.line }
            let least = limits.leastSide / unit
            for p in partners.indices {
                for q in partners.indices where q > p {
                    guard partners[q].place - partners[p].place >= least else { continue }
                    let coverage = coverage(j, partners[p].place, partners[q].place)
                    guard coverage >= Self.leastCoverage else { continue }
                    let (a, b) = (min(partners[p].line, partners[q].line), max(partners[p].line, partners[q].line))
                    result.append(Side(pair: Int32(a * count + b), line: Int32(j), coverage: Float(coverage)))
                    if result.count >= Self.mostSides { return result }
                }
            }
        }
        return result
    }

    private func quad(
        _ top: Int, _ right: Int, _ bottom: Int, _ left: Int, _ rightCoverage: Float, _ leftCoverage: Float
    ) -> QuadCandidate? {
        let count = tracks.count
        guard let a = corners[top * count + left], let b = corners[top * count + right],
            let c = corners[bottom * count + right], let d = corners[bottom * count + left]
        else { return nil }
        let (upper, lower) = (tracks[top], tracks[bottom])
        guard abs(a.first - b.first) * upper.unit >= limits.leastSide,
            abs(c.first - d.first) * lower.unit >= limits.leastSide
        else { return nil }
        let coverage = SIMD4(
            self.coverage(top, a.first, b.first), Double(rightCoverage),
            self.coverage(bottom, c.first, d.first), Double(leftCoverage))
        guard coverage.min() >= Self.leastCoverage, coverage.sum() >= 4 * Self.leastMean else { return nil }
        let quad = PlanarQuad(topLeft: a.point, topRight: b.point, bottomRight: c.point, bottomLeft: d.point)
        guard quad.isConvex else { return nil }
        var overshoot = beyond(top, a.first, b.first) + beyond(right, b.second, c.second)
        overshoot += beyond(bottom, c.first, d.first) + beyond(left, d.second, a.second)
        overshoot /= 4
        return QuadCandidate(
            quad: quad, lines: SIMD4(Int32(top), Int32(right), Int32(bottom), Int32(left)), coverage: coverage,
            overshoot: overshoot)
    }

    /// The share of short stretches beyond two corners of a line that has edges.
    private func beyond(_ index: Int, _ a: Double, _ b: Double) -> Double {
        let (low, high) = (min(a, b), max(a, b))
        let reach = min(max((high - low) * 0.2, 8), 24)
        // The first pixels beyond a corner belong to its blur.
        return (coverage(index, low - 3 - reach, low - 3) + coverage(index, high + 3, high + 3 + reach)) / 2
    }

    /// See `ImageLine.coverage`.
    @inline(__always)
    private func coverage(_ index: Int, _ a: Double, _ b: Double) -> Double {
        let track = tracks[index]
        let low = Int(min(max(min(a, b) + 0.5, 0), track.limit)), high = Int(min(max(max(a, b) + 0.5, 0), track.limit))
        guard high > low else { return 0 }
        return Double(sums[track.offset + high] - sums[track.offset + low]) / Double(high - low)
    }
}
