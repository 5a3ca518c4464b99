import BarcodeTestSupport
import Foundation
import Vision

/// An image of barcodes, each with its position, rotation and module size; light on dark where wanted.
struct BarcodeScene {
    struct Placed {
        var code: DrawnCode
        /// The centre of the code in pixels from the top left.
        var x: Double
        var y: Double
        /// Pixels of a module.
        var scale: Double
        /// Degrees, clockwise.
        var rotation = 0.0
        var isInverted = false

        /// From pixels to modules.
        func module(_ px: Double, _ py: Double) -> (Double, Double) {
            let (c, s) = (cos(rotation * .pi / 180), sin(rotation * .pi / 180))
            let (dx, dy) = ((px - x) / scale, (py - y) / scale)
            return (c * dx + s * dy + Double(code.width) / 2, -s * dx + c * dy + Double(code.height) / 2)
        }

        /// A corner in pixels from the top left: 0 top left, 1 top right, 2 bottom right, 3 bottom left.
        func corner(_ number: Int) -> CGPoint {
            let (c, s) = (cos(rotation * .pi / 180), sin(rotation * .pi / 180))
            let dx = Double(code.width) / 2 * (number == 1 || number == 2 ? scale : -scale)
            let dy = Double(code.height) / 2 * (number >= 2 ? scale : -scale)
            return CGPoint(x: x + c * dx - s * dy, y: y + s * dx + c * dy)
        }
    }

    let width: Int
    let height: Int
    let codes: [Placed]
    /// The modules of a quiet zone.
    private let quiet = 10.0

    init(width: Int = 640, height: Int = 480, _ codes: [Placed]) {
        self.width = width
        self.height = height
        self.codes = codes
    }

    /// One code in the centre, as large as fits with its quiet zone.
    init(width: Int = 640, height: Int = 480, _ code: DrawnCode, rotation: Double = 0, isInverted: Bool = false) {
        let side = Double(max(code.width, code.height)) + 20
        let scale = (Double(min(width, height)) / side).rounded(.down)
        let middle = Placed(
            code: code, x: Double(width) / 2, y: Double(height) / 2, scale: max(1, min(4, scale)), rotation: rotation,
            isInverted: isInverted)
        self.init(width: width, height: height, [middle])
    }

    /// The image, each pixel the mean of 3 × 3 samples, on light grey.
    func frame() -> GreyFrame {
        GreyFrame(width: width, height: height) { column, row in
            var sum = 0.0
            for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (0, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                sum += brightness(Double(column) + 0.5 + Double(dx) / 3, Double(row) + 0.5 + Double(dy) / 3)
            }
            return UInt8((sum / 9).rounded())
        }
    }

    private func brightness(_ x: Double, _ y: Double) -> Double {
        for placed in codes {
            let (u, v) = placed.module(x, y)
            guard u > -quiet, v > -quiet, u < Double(placed.code.width) + quiet, v < Double(placed.code.height) + quiet
            else { continue }
            return placed.code.isDark(u, v) != placed.isInverted ? 20 : 235
        }
        return 190
    }

    /// A corner of a code in Vision's coordinates.
    func normalized(_ point: CGPoint) -> CGPoint {
        CGPoint(x: point.x / CGFloat(width), y: 1 - point.y / CGFloat(height))
    }
}
