import Foundation

/// The votes of an image's edge segments for each angle of the horizon.
///
/// Vertical lines meet in the zenith's vanishing point. It lies on the line through the image centre that is
/// perpendicular to the horizon, so a vertical edge votes for one angle at each distance of that point. Horizontal
/// edges (of what is seen from the front, and of what lies at the camera's height) vote for their own angle, with more
/// weight for those that are collinear.
struct HorizonVotes {
    /// An edge in coordinates whose origin is the image centre and whose unit is the longer side.
    struct Edge {
        var middle: SIMD2<Double>
        /// In -π/2 ..< π/2.
        var angle: Double
        var length: Double
        /// Whether the image is brighter below the edge.
        var isBrighterBelow: Bool
    }

    /// The range of horizon angles, in degrees.
    static let reach = 45.0
    static let step = 0.5
    static let count = Int(2 * reach / step) + 1
    /// The inverse distances of the zenith's vanishing point.
    static let pitches = (0..<19).map { 0.1 * Double($0 - 9) }

    /// The deviation at which the weight of a long edge becomes 0, in degrees.
    private static let width = 2.0
    /// The length below which directions become uncertain.
    private static let uncertainLength = 0.06
    /// The exponent of an edge's length in its weight.
    private static let power = 0.8
    private static let horizontalWeight = 1.0
    private static let lineWeight = 1.0
    /// The penalty for a vanishing point at the least distance.
    private static let pitchPenalty = 0.5
    /// The standard deviation of camera rolls, in degrees.
    private static let rollDeviation = 40.0
    /// The resolution of the distances of parallel lines.
    private static let lineStep = 0.012

    let edges: [Edge]
    private(set) var scores = [Double](repeating: 0, count: count)
    /// The part of the scores that comes from collinear edges.
    private(set) var lines = [Double](repeating: 0, count: count)
    private(set) var bestPitches = [Int](repeating: 0, count: count)

    static func degrees(_ index: Int) -> Double { Double(index) * step - reach }

    /// Returns the deviation, in degrees, at which the weight of an edge of that length becomes 0.
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
        // Indexed by angle, brighter side and distance from the centre, which is below 0.71.
        let distances = Int(0.75 / Self.lineStep) * 2 + 2
        var onLines = [Float](repeating: 0, count: count * 2 * distances)
        for edge in edges {
            let (weight, width) = (Self.weight(edge), Self.width(forLength: edge.length))
            // Vertical edges: the horizon is perpendicular, corrected for the distance of the vanishing point.
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
                let bin = min(distances - 2, max(1, Int((distance / Self.lineStep).rounded()) + distances / 2))
                onLines[(index * 2 + side) * distances + bin] += Float(part * edge.length)
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
                for bin in (start + 1)..<(start + distances - 1) {
                    line = max(line, onLines[bin] + 0.5 * (onLines[bin - 1] + onLines[bin + 1]))
                }
            }
            lines[index] = Double(line)
            let roll = Self.degrees(index) / Self.rollDeviation
            scores[index] =
                (best + Self.horizontalWeight * level[index] + Self.lineWeight * lines[index]) * exp(-roll * roll / 2)
        }
    }

    /// Adds a parabolic kernel around an angle in degrees.
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

    /// The index of the angle with the most votes.
    var best: Int { scores.indices.max { scores[$0] < scores[$1] } ?? 0 }

    /// Returns the most votes of an angle more than 4° away.
    func rival(of best: Int) -> Double {
        let apart = Int(4 / Self.step)
        return scores.indices.filter { abs($0 - best) > apart }.map { scores[$0] }.max() ?? 0
    }
}
