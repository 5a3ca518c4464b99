import Foundation
package import VisionImage

/// An error that prevents the registration of two images.
package enum RegistrationError: Error, Equatable, Sendable {
    case differentSizes(reference: [Int], floating: [Int])
    /// A raster is not `grey8`.
    case unsupportedFormat(Raster.Format)
    /// A side is longer than the transforms support.
    case tooLarge(width: Int, height: Int, limit: Int)
}

/// The shift that moves the floating image onto the reference, in pixels, x to the right and y down: for content that
/// lies 5 px further right in the floating image, dx = -5.
package struct Translation: Equatable, Sendable {
    package var dx: Double
    package var dy: Double
    /// From 0 (no common content, or no texture) to 1 (the same content).
    package var confidence: Double

    package static let none = Translation(dx: 0, dy: 0, confidence: 0)
}

/// The spectrum of an image, together with the pixels, which the refinement needs.
package final class ImageSpectrum: Sendable {
    package let raster: Raster
    /// The real plane, then the imaginary plane.
    package let planes: PixelMemory
    private let pool: PlanePool

    init(raster: Raster, planes: PixelMemory, pool: PlanePool) {
        self.raster = raster
        self.planes = planes
        self.pool = pool
    }

    deinit { pool.give(planes) }
}

/// The least-squares sums at one position: see `cvk_u8_translation_sums`.
struct TranslationSums {
    var values: [Double]
    var count: Double

    /// The correlation coefficient of the two overlaps: -1 to 1, and 0 if one of them is flat.
    var correlation: Double {
        let reference = values[5] - values[8] * values[8] / count
        let sum = values[8] + values[12]
        let floating = values[5] + 2 * values[11] + values[13] - sum * sum / count
        guard reference > 0.05 * count, floating > 0.05 * count else { return 0 }
        return (values[5] + values[11] - values[8] * sum / count) / (reference * floating).squareRoot()
    }

    /// The correlation less what so few pixels may reach by chance; not below 0.
    var agreement: Double { max(correlation - 2 / count.squareRoot(), 0) }

    /// The Gauss-Newton step of the displacement; gain and offset of the brightness are solved for as well.
    var step: (x: Double, y: Double) {
        let s = values
        // A regularisation too small to affect good steps; keeps the step at 0 in directions without any gradient.
        let least = 0.01 * count
        var rows = [
            [s[0] + least, s[1], s[3], s[6], -s[9]],
            [s[1], s[2] + least, s[4], s[7], -s[10]],
            [s[3], s[4], s[5] + least, s[8], -s[11]],
            [s[6], s[7], s[8], count * 1.000001, -s[12]],
        ]
        // Symmetric and positive definite: elimination needs no pivots. The last unknown is eliminated first, x and y
        // last.
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

/// Returns the weights of Lagrange interpolation through six points, for a fraction from 0 to 1 between the third and
/// the fourth.
func interpolationTaps(_ fraction: Double) -> [Float] {
    (0..<6).map { tap in
        var product = 1.0
        for other in 0..<6 where other != tap { product *= (fraction + 2 - Double(other)) / Double(tap - other) }
        return Float(product)
    }
}

/// Returns a window with raised-cosine edges over a quarter of the length at each end: it keeps more of the common
/// content of two shifted images than a full Hann window.
func registrationWindow(_ length: Int) -> [Float] {
    (0..<length).map { index in
        let position = (Double(index) + 0.5) / Double(length)
        let edge = min(position, 1 - position)
        return edge >= 0.25 ? 1 : Float(0.5 - 0.5 * cos(4 * .pi * edge))
    }
}
