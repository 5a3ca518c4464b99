import Foundation
import Vision

/// A text line of letters drawn with strokes, so that tests have text of known position: each letter with its box.
struct DrawnText {
    var text: String
    /// The centre of the line, in pixels of the image from the top left.
    var x: Double
    var y: Double
    /// Of the letters, in pixels.
    var height: Double
    /// Degrees, clockwise as seen.
    var angle = 0.0
    var ink = 20.0

    /// Strokes from point to point in a box of width 0.62 and height 1, y down.
    private static let letters: [Character: [[(Double, Double)]]] = [
        "A": [[(0, 1), (0.31, 0), (0.62, 1)], [(0.11, 0.65), (0.51, 0.65)]],
        "E": [[(0.55, 0), (0, 0), (0, 1), (0.55, 1)], [(0, 0.5), (0.48, 0.5)]],
        "F": [[(0.55, 0), (0, 0), (0, 1)], [(0, 0.5), (0.45, 0.5)]],
        "H": [[(0, 0), (0, 1)], [(0.6, 0), (0.6, 1)], [(0, 0.5), (0.6, 0.5)]],
        "K": [[(0, 0), (0, 1)], [(0.58, 0), (0, 0.58)], [(0.2, 0.4), (0.6, 1)]],
        "L": [[(0, 0), (0, 1), (0.52, 1)]],
        "M": [[(0, 1), (0, 0), (0.35, 0.7), (0.7, 0), (0.7, 1)]],
        "N": [[(0, 1), (0, 0), (0.6, 1), (0.6, 0)]],
        "O": [ring],
        "R": [
            [(0, 1), (0, 0), (0.42, 0), (0.56, 0.12), (0.56, 0.38), (0.42, 0.5), (0, 0.5)], [(0.3, 0.5), (0.6, 1)],
        ],
        "T": [[(0, 0), (0.6, 0)], [(0.3, 0), (0.3, 1)]],
        "V": [[(0, 0), (0.31, 1), (0.62, 0)]],
        "Z": [[(0, 0), (0.56, 0), (0, 1), (0.58, 1)]],
    ]
    private static let ring: [(Double, Double)] = (0...16).map {
        let angle = 2 * Double.pi * Double($0) / 16
        return (0.31 + 0.31 * cos(angle), 0.5 + 0.5 * sin(angle))
    }
    private static let stroke = 0.14
    private static let advance = 0.92
    private static let space = 0.45

    private var axis: SIMD2<Double> { SIMD2(cos(angle * .pi / 180), sin(angle * .pi / 180)) }
    private var down: SIMD2<Double> { SIMD2(-axis.y, axis.x) }

    /// The bounds of the strokes of each visible letter, in heights of the line from its start.
    private var placed: [(left: Double, right: Double, strokes: [[(Double, Double)]])] {
        var next = 0.0
        return text.compactMap { letter in
            let start = next
            guard let strokes = Self.letters[letter] else {
                next += Self.space
                return nil
            }
            next += Self.advance
            let xs = strokes.flatMap { $0.map(\.0) }
            return (
                start + (xs.min() ?? 0) - Self.stroke / 2, start + (xs.max() ?? 0) + Self.stroke / 2,
                strokes.map { $0.map { (start + $0.0, $0.1) } }
            )
        }
    }

    private var left: Double { placed.first?.left ?? 0 }
    private var right: Double { placed.last?.right ?? 0 }

    /// From heights of the line to pixels.
    private func pixel(_ x: Double, _ y: Double) -> SIMD2<Double> {
        SIMD2(self.x, self.y) + (axis * (x - (left + right) / 2) + down * (y - 0.5)) * height
    }

    private func quad(_ left: Double, _ right: Double) -> [CGPoint] {
        let (top, bottom) = (-Self.stroke / 2, 1 + Self.stroke / 2)
        return [(left, top), (right, top), (right, bottom), (left, bottom)].map {
            let point = pixel($0.0, $0.1)
            return CGPoint(x: point.x, y: point.y)
        }
    }

    /// The corners of the ink: top left, top right, bottom right, bottom left, in pixels from the top left.
    var corners: [CGPoint] { quad(left, right) }
    /// The same of each letter.
    var letterCorners: [[CGPoint]] { placed.map { quad($0.left, $0.right) } }

    private func draw(on frame: inout GreyFrame) {
        let half = Self.stroke / 2 * height
        for letter in placed {
            for stroke in letter.strokes {
                for (a, b) in zip(stroke, stroke.dropFirst()) {
                    let (p, q) = (pixel(a.0, a.1), pixel(b.0, b.1))
                    let reach = half + 1
                    let low = pointwiseMin(p, q) - reach, high = pointwiseMax(p, q) + reach
                    for row in max(0, Int(low.y))...max(0, min(frame.height - 1, Int(high.y))) {
                        for column in max(0, Int(low.x))...max(0, min(frame.width - 1, Int(high.x))) {
                            let point = SIMD2(Double(column) + 0.5, Double(row) + 0.5)
                            let side = q - p
                            let part = min(max(((point - p) * side).sum() / (side * side).sum(), 0), 1)
                            let distance = point - p - side * part
                            let away = (distance * distance).sum().squareRoot()
                            let share = min(max(half - away + 0.5, 0), 1)
                            let old = Double(frame[column, row])
                            frame[column, row] = UInt8((old + (ink - old) * share).rounded())
                        }
                    }
                }
            }
        }
    }

    /// Text lines on a wall whose brightness changes smoothly.
    static func frame(_ lines: [DrawnText], width: Int, height: Int) -> GreyFrame {
        var frame = GreyFrame(width: width, height: height) { column, row in
            UInt8(190 + 25 * Double(column) / Double(width) - 20 * Double(row) / Double(height))
        }
        for line in lines { line.draw(on: &frame) }
        return frame
    }
}
