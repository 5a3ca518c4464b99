import Foundation
import Vision

/// A face drawn by formula, so that tests have faces of known position, size and roll.
struct DrawnFace {
    typealias Colour = SIMD3<Double>

    /// The midpoint between brows and chin, in pixels of the image from the top left.
    var x: Double
    var y: Double
    /// From about the brows to the chin, in pixels.
    var size: Double
    /// Radians, positive counter-clockwise.
    var roll = 0.0

    /// The smallest upright box of the face without roll; top-left origin.
    var box: CGRect { CGRect(x: x - size / 2, y: y - size / 2, width: size, height: size) }

    /// A soft ellipse: 1 inside, 0 outside.
    private static func ellipse(
        _ x: Double, _ y: Double, _ centreX: Double, _ centreY: Double, _ radiusX: Double, _ radiusY: Double,
        soft: Double = 0.02
    ) -> Double {
        let (a, b) = ((x - centreX) / radiusX, (y - centreY) / radiusY)
        return min(max((1 - a * a - b * b) / (2 * soft / min(radiusX, radiusY)), 0), 1)
    }

    /// The colour of a pixel over the colour behind it.
    fileprivate func colour(_ column: Double, _ row: Double, over background: Colour) -> Colour {
        // The drawing fills a unit square in which the face is 0.45 wide and its middle lies at (0.5, 0.56).
        let (right, down) = ((column - x) / size * 0.45, (row - y) / size * 0.45)
        let x = 0.5 + right * cos(roll) - down * sin(roll)
        let y = 0.56 + right * sin(roll) + down * cos(roll)
        guard (0...1).contains(x), (0...1).contains(y) else { return background }
        var colour = background
        func put(_ share: Double, _ other: Colour) { colour = colour * (1 - share) + other * share }
        put(Self.ellipse(x, y, 0.5, 0.45, 0.30, 0.36), [50, 35, 25])
        put(Self.ellipse(x, y, 0.5, 0.98, 0.36, 0.20), [60, 60, 120])
        put(Self.ellipse(x, y, 0.5, 0.80, 0.11, 0.15), [190, 145, 120])
        put(Self.ellipse(x, y, 0.5, 0.50, 0.235, 0.30), Colour(224, 180, 152) * (1 - 1.4 * abs(x - 0.5)))
        for side in [-1.0, 1] {
            let eye = 0.5 + side * 0.095
            put(0.35 * Self.ellipse(x, y, eye, 0.445, 0.065, 0.045, soft: 0.06), [150, 105, 85])
            put(Self.ellipse(x, y, eye, 0.45, 0.05, 0.022, soft: 0.006), [240, 238, 235])
            put(Self.ellipse(x, y, eye, 0.45, 0.021, 0.021, soft: 0.005), [70, 45, 30])
            put(Self.ellipse(x, y, eye, 0.45, 0.009, 0.009, soft: 0.003), [10, 8, 8])
            put(Self.ellipse(x, y, eye, 0.395, 0.062, 0.012, soft: 0.006), [60, 40, 28])
            put(0.8 * Self.ellipse(x, y, 0.5 + side * 0.026, 0.597, 0.012, 0.008, soft: 0.006), [110, 65, 55])
        }
        put(0.5 * Self.ellipse(x, y, 0.5, 0.53, 0.03, 0.09, soft: 0.04), [205, 160, 135])
        put(0.5 * Self.ellipse(x, y, 0.5, 0.585, 0.05, 0.022), [190, 140, 118])
        put(Self.ellipse(x, y, 0.5, 0.675, 0.075, 0.026, soft: 0.008), [175, 85, 80])
        put(Self.ellipse(x, y, 0.5, 0.674, 0.07, 0.006, soft: 0.004), [95, 40, 40])
        return colour
    }
}

extension DrawnFace {
    /// Faces on a wall, as a pixel buffer.
    static func buffer(_ faces: [DrawnFace], width: Int, height: Int) -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
        guard let buffer else { preconditionFailure("no buffer") }
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { preconditionFailure("no address") }
        let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
        for row in 0..<height {
            for column in 0..<width {
                let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
                let wall = Colour(95, 115, 130) * (1 + 0.15 * sin(x / 17) * cos(y / 23))
                let colour = faces.reduce(wall) { $1.colour(x, y, over: $0) }
                for component in 0..<4 {
                    let value = component < 3 ? min(max(colour[2 - component], 0), 255) : 255
                    base.storeBytes(
                        of: UInt8(value), toByteOffset: row * rowBytes + column * 4 + component, as: UInt8.self)
                }
            }
        }
        return buffer
    }
}

extension DrawnFace {
    /// Faces on a wall, without colours.
    static func greyFrame(_ faces: [DrawnFace], width: Int, height: Int) -> GreyFrame {
        GreyFrame(width: width, height: height) { column, row in
            let (x, y) = (Double(column) + 0.5, Double(row) + 0.5)
            let wall = Colour(95, 115, 130) * (1 + 0.15 * sin(x / 17) * cos(y / 23))
            let colour = faces.reduce(wall) { $1.colour(x, y, over: $0) }
            return UInt8(min(max((colour * Colour(0.299, 0.587, 0.114)).sum(), 0), 255))
        }
    }
}
