import Foundation
package import VisionImage

/// Why two images cannot be registered.
package enum RegistrationError: Error, Equatable, Sendable {
    case differentSizes(reference: [Int], floating: [Int])
    /// Only `grey8` rasters are registered.
    case unsupportedFormat(Raster.Format)
    /// A side is longer than the transforms go.
    case tooLarge(width: Int, height: Int, limit: Int)
}

/// The shift that moves the floating image onto the reference, in pixels, x to the right and y down: content that lies
/// 5 px further right in the floating image gives dx = -5.
package struct Translation: Equatable, Sendable {
    package var dx: Double
    package var dy: Double
    /// From 0 (the images have nothing in common, or nothing to go by) to 1 (the same content).
    package var confidence: Double

    package init(dx: Double, dy: Double, confidence: Double) {
        self.dx = dx
        self.dy = dy
        self.confidence = confidence
    }

    package static let none = Translation(dx: 0, dy: 0, confidence: 0)
}

/// The transformed image, together with the pixels, which the refinement needs: what a sequence keeps of a frame.
package final class ImageSpectrum: Sendable {
    package let raster: Raster
    /// Real plane, then imaginary plane.
    package let planes: PixelMemory
    private let pool: PlanePool

    init(raster: Raster, planes: PixelMemory, pool: PlanePool) {
        self.raster = raster
        self.planes = planes
        self.pool = pool
    }

    deinit { pool.give(planes) }
}

/// Least-squares sums of one position: see `cvk_u8_translation_sums`.
struct TranslationSums {
    var values: [Double]
    var count: Double

    /// Correlation of the two overlaps, less their means: -1 to 1, and 0 where one of them is flat.
    var correlation: Double {
        let reference = values[5] - values[8] * values[8] / count
        let sum = values[8] + values[12]
        let floating = values[5] + 2 * values[11] + values[13] - sum * sum / count
        guard reference > 0.05 * count, floating > 0.05 * count else { return 0 }
        return (values[5] + values[11] - values[8] * sum / count) / (reference * floating).squareRoot()
    }

    /// The correlation less what so few pixels may have by chance; not below 0.
    var agreement: Double { max(correlation - 2 / count.squareRoot(), 0) }

    /// The Gauss-Newton step of the displacement, with gain and offset of the brightness solved for alongside.
    var step: (x: Double, y: Double) {
        let s = values
        // Little enough to leave good steps alone; keeps the step at nought in directions without any gradient.
        let least = 0.01 * count
        var rows = [
            [s[0] + least, s[1], s[3], s[6], -s[9]],
            [s[1], s[2] + least, s[4], s[7], -s[10]],
            [s[3], s[4], s[5] + least, s[8], -s[11]],
            [s[6], s[7], s[8], count * 1.000001, -s[12]],
        ]
        // Symmetric and positive definite: elimination needs no pivots. The last unknown first, x and y last.
        for pivot in [3, 2, 1] {
            for row in 0..<pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in 0..<5 { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        let x = rows[0][4] / rows[0][0]
        return (x, (rows[1][4] - rows[1][0] * x) / rows[1][1])
    }
}

/// The part of the reference whose counterpart in the floating image, `x + displacement`, can be interpolated.
struct Overlap {
    var x: Int
    var y: Int
    var width: Int
    var height: Int

    /// `whole` is the displacement rounded down.
    init(imageWidth: Int, imageHeight: Int, whole: (x: Int, y: Int)) {
        x = max(1, 2 - whole.x)
        y = max(1, 2 - whole.y)
        width = min(imageWidth - 1, imageWidth - 3 - whole.x) - x
        height = min(imageHeight - 1, imageHeight - 3 - whole.y) - y
    }

    var isUsable: Bool { width >= 4 && height >= 4 }
}

/// Lagrange's interpolation through six points, for a fraction from 0 to 1 between the third and the fourth.
func interpolationTaps(_ fraction: Double) -> [Float] {
    (0..<6).map { tap in
        var product = 1.0
        for other in 0..<6 where other != tap { product *= (fraction + 2 - Double(other)) / Double(tap - other) }
        return Float(product)
    }
}

/// A raised-cosine edge over a quarter of the length at each end, and one in between: keeps more of what two shifted
/// images share than a full Hann window does.
func registrationWindow(_ length: Int) -> [Float] {
    (0..<length).map { index in
        let position = (Double(index) + 0.5) / Double(length)
        let edge = min(position, 1 - position)
        return edge >= 0.25 ? 1 : Float(0.5 - 0.5 * cos(4 * .pi * edge))
    }
}
