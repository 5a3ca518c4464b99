import Foundation

/// A quad formed by four lines, and how much of its sides has edges.
struct QuadCandidate {
    var quad: PlanarQuad
    /// The indices of the lines of its top, right, bottom and left side.
    var lines: SIMD4<Int32>
    /// The share of each side that has edges.
    var coverage: SIMD4<Double>
    /// The share of short stretches beyond the corners, at all eight ends, that has edges as well.
    var overshoot: Double

    /// A quick score for choosing the candidates whose evidence is computed.
    var priority: Double { coverage.sum() / 4 + 0.5 * coverage.min() - 0.5 * overshoot }
}

/// Finds quads that are bounded by four lines with enough edges.
///
/// Any two lines that cross make a corner. A side is a stretch of a line between two of its corners that has enough
/// edges; two lines that several sides connect are opposite sides of quads. All tests of a stretch are differences of
/// cumulative sums, so hundreds of thousands of them take milliseconds.
struct QuadSearch {
    /// The constraints on quads, in pixels and degrees.
    struct Limits {
        var minimumSide: Double
        var quadratureTolerance: Double
        var width: Double
        var height: Double
    }

    static let (minimumCoverage, minimumMean) = (0.3, 0.55)
    /// The largest numbers of stretches, quads and results, which bound the time for images full of lines.
    private static let (maximumSides, maximumQuads, maximumResults) = (300_000, 400_000, 4000)

    private struct Corner {
        var point: PlanarPoint
        /// The positions along the first and along the second line.
        var first: Double
        var second: Double
    }

    struct Side {
        var pair: Int32
        var line: Int32
        var coverage: Float
    }

    /// The data of a line that the inner loops read, without references.
    private struct Track {
        var unit: Double
        /// The index of the line's cumulative sums in `sums`, and the last position.
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
        // Corners may be slightly outside of the image.
        let (marginX, marginY) = (0.08 * limits.width, 0.08 * limits.height)
        let most = min(max(limits.quadratureTolerance + 2, 3), 60) / 180 * Double.pi
        let minimumSine = cos(most)
        for i in lines.indices {
            for j in lines.indices where j > i {
                let (a, b) = (lines[i], lines[j])
                guard abs(a.direction.cross(b.direction)) >= minimumSine, let point = a.crossing(b) else { continue }
                guard point.x > -marginX, point.y > -marginY, point.x < limits.width + marginX,
                    point.y < limits.height + marginY
                else { continue }
                let (s, t) = (a.position(of: point), b.position(of: point))
                corners[i * count + j] = Corner(point: point, first: s, second: t)
                corners[j * count + i] = Corner(point: point, first: t, second: s)
            }
        }
    }

    /// Returns the best quads by priority, without duplicates.
    ///
    /// - Parameter sides: The result of `sides()`.
    func quads(of sides: [Side]) -> [QuadCandidate] {
        let count = tracks.count
        // The sides grouped by the pair of lines that they connect.
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
        var tested = 0
        for i in 0..<count {
            for k in i..<count {
                let bucket = starts[i * count + k]..<starts[i * count + k + 1]
                for p in bucket {
                    for q in (p + 1)..<max(bucket.upperBound, p + 1) {
                        let (left, right) = (sorted[p], sorted[q])
                        // Each quad is found from both of its pairs of opposite sides: take one.
                        guard i < Int(left.line), i < Int(right.line) else { continue }
                        tested += 1
                        guard tested <= Self.maximumQuads else { return Self.best(result) }
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
        guard quads.count > maximumResults else { return quads }
        let priorities = quads.map(\.priority)
        let order = quads.indices.sorted {
            priorities[$0] != priorities[$1] ? priorities[$0] > priorities[$1] : $0 < $1
        }
        return order.prefix(maximumResults).map { quads[$0] }
    }

    /// Returns the stretches of lines between two corners that have enough edges.
    func sides() -> [Side] {
        let count = tracks.count
        var result: [Side] = []
        for j in 0..<count {
            let unit = tracks[j].unit
            var partners: [(line: Int, position: Double)] = []
            for other in 0..<count {
                if let corner = corners[j * count + other] { partners.append((other, corner.first)) }
            }
            partners.sort { $0.position != $1.position ? $0.position < $1.position : $0.line < $1.line }
            let least = limits.minimumSide / unit
            for p in partners.indices {
                for q in partners.indices where q > p {
                    guard partners[q].position - partners[p].position >= least else { continue }
                    let coverage = coverage(j, partners[p].position, partners[q].position)
                    guard coverage >= Self.minimumCoverage else { continue }
                    let (a, b) = (min(partners[p].line, partners[q].line), max(partners[p].line, partners[q].line))
                    result.append(Side(pair: Int32(a * count + b), line: Int32(j), coverage: Float(coverage)))
                    if result.count >= Self.maximumSides { return result }
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
        guard abs(a.first - b.first) * upper.unit >= limits.minimumSide,
            abs(c.first - d.first) * lower.unit >= limits.minimumSide
        else { return nil }
        let coverage = SIMD4(
            self.coverage(top, a.first, b.first), Double(rightCoverage),
            self.coverage(bottom, c.first, d.first), Double(leftCoverage))
        guard coverage.min() >= Self.minimumCoverage, coverage.sum() >= 4 * Self.minimumMean else { return nil }
        let quad = PlanarQuad(topLeft: a.point, topRight: b.point, bottomRight: c.point, bottomLeft: d.point)
        guard quad.isConvex else { return nil }
        var overshoot = beyond(top, a.first, b.first) + beyond(right, b.second, c.second)
        overshoot += beyond(bottom, c.first, d.first) + beyond(left, d.second, a.second)
        overshoot /= 4
        return QuadCandidate(
            quad: quad, lines: SIMD4(Int32(top), Int32(right), Int32(bottom), Int32(left)), coverage: coverage,
            overshoot: overshoot)
    }

    /// Returns the share of short stretches beyond two corners of a line that has edges.
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
