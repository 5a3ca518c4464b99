import Foundation

/// What the straight edges of a picture say about how it is turned: a score for each angle of the horizon.
///
/// Upright lines meet in the zenith's vanishing point. It lies on the line through the middle of the picture that is
/// perpendicular to the horizon, so an upright edge stands for one angle at each distance of that point. Edges along the
/// horizon – of what is seen from the front, and of what lies at the camera's height – stand for their own angle, and more so
/// those that lie on one line.
struct HorizonVotes {
    /// An edge in a picture whose middle is (0, 0) and whose longer side is 1.
    struct Edge {
        var middle: SIMD2<Double>
        /// In -π/2 ..< π/2.
        var angle: Double
        var length: Double
        /// Brighter below, as the picture stands.
        var isBrighterBelow: Bool
    }

    /// The angles of a horizon that are tried, in degrees.
    static let reach = 45.0
    static let step = 0.5
    static let count = Int(2 * reach / step) + 1
    /// The inverse distances of the zenith's vanishing point.
    static let pitches = (0..<19).map { 0.1 * Double($0 - 9) }

    /// The deviation at which an edge counts no more, in degrees, for a long one.
    private static let width = 2.0
    /// The length at which directions become uncertain.
    private static let uncertainLength = 0.06
    /// The exponent of an edge's length.
    private static let power = 0.8
    private static let horizontalWeight = 1.0
    private static let lineWeight = 1.0
    /// What a point at the least distance takes from its votes.
    private static let pitchPenalty = 0.5
    /// The deviation in degrees of how cameras are held.
    private static let usualTurn = 40.0
    /// Distances of parallel lines that are told apart.
    private static let lineStep = 0.012

    let edges: [Edge]
    private(set) var scores = [Double](repeating: 0, count: count)
    /// Of the scores, the part from lines.
    private(set) var lines = [Double](repeating: 0, count: count)
    private(set) var bestPitches = [Int](repeating: 0, count: count)

    static func degrees(_ index: Int) -> Double { Double(index) * step - reach }

    /// How far from an angle an edge of that length still speaks for it, in degrees.
    static func width(forLength length: Double) -> Double {
        let part = uncertainLength / max(length, 1e-6)
        return width * (1 + part * part).squareRoot()
    }

    static func weight(_ edge: Edge) -> Double { pow(edge.length, power) }

    init(_ edges: [Edge]) {
        self.edges = edges
        vote()
    }

    private mutating func vote() {
        let (count, pitchCount) = (Self.count, Self.pitches.count)
        var upright = [Double](repeating: 0, count: count * pitchCount)
        var level = [Double](repeating: 0, count: count)
        // By angle, side of the brighter half and distance from the middle, which is below 0.71.
        let distances = Int(0.75 / Self.lineStep) * 2 + 2
        var onLines = [Float](repeating: 0, count: count * 2 * distances)
        for edge in edges {
            let (weight, width) = (Self.weight(edge), Self.width(forLength: edge.length))
            // Upright edges: the horizon is a quarter turn away, less what the vanishing point's nearness takes.
            let direction = SIMD2(cos(edge.angle), sin(edge.angle))
            let lever = direction.x * edge.middle.y - direction.y * edge.middle.x
            let quarter = edge.angle > 0 ? edge.angle - .pi / 2 : edge.angle + .pi / 2
            let sign = edge.angle > 0 ? -1.0 : 1.0
            for (number, pitch) in Self.pitches.enumerated() {
                let sine = sign * pitch * lever
                guard abs(sine) < 1 else { continue }
                Self.spread(weight, at: (quarter + asin(sine)) * 180 / .pi, width) { index, part in
                    upright[number * count + index] += part
                }
            }
            let side = edge.isBrighterBelow ? 1 : 0
            let degrees = edge.angle * 180 / .pi
            Self.spread(1, at: degrees, width) { index, part in
                level[index] += part * weight
                let angle = Self.degrees(index) * .pi / 180
                let distance = edge.middle.y * cos(angle) - edge.middle.x * sin(angle)
                let place = min(distances - 2, max(1, Int((distance / Self.lineStep).rounded()) + distances / 2))
                onLines[(index * 2 + side) * distances + place] += Float(part * edge.length)
            }
        }
        for index in 0..<count {
            var best = -1.0
            for (number, pitch) in Self.pitches.enumerated() {
                let part = pitch / 0.9
                let score = upright[number * count + index] * (1 - Self.pitchPenalty * part * part)
                if score > best { (best, bestPitches[index]) = (score, number) }
            }
            var line: Float = 0
            for side in 0..<2 {
                let start = (index * 2 + side) * distances
                for place in (start + 1)..<(start + distances - 1) {
                    line = max(line, onLines[place] + 0.5 * (onLines[place - 1] + onLines[place + 1]))
                }
            }
            lines[index] = Double(line)
            let turn = Self.degrees(index) / Self.usualTurn
            scores[index] =
                (best + Self.horizontalWeight * level[index] + Self.lineWeight * lines[index]) * exp(-turn * turn / 2)
        }
    }

    /// Adds a parabola around an angle in degrees.
    private static func spread(_ weight: Double, at degrees: Double, _ width: Double, _ add: (Int, Double) -> Void) {
        let (centre, reach) = ((degrees + Self.reach) / step, width / step)
        let (from, to) = (
            max(0, Int((centre - reach).rounded(.up))), min(count - 1, Int((centre + reach).rounded(.down)))
        )
        guard from <= to else { return }
        for index in from...to {
            let part = (Double(index) - centre) / reach
            add(index, weight * (1 - part * part))
        }
    }

    /// The angle with the most votes.
    var best: Int { scores.indices.max { scores[$0] < scores[$1] } ?? 0 }

    /// The most votes of an angle more than 4° away.
    func rival(of best: Int) -> Double {
        let apart = Int(4 / Self.step)
        return scores.indices.filter { abs($0 - best) > apart }.map { scores[$0] }.max() ?? 0
    }
}
