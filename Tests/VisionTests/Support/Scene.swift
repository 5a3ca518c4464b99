import Foundation
import VisionImage

/// A smooth, endless grey texture that can be sampled at any position, between pixels too.
struct Scene {
    private let waves: [(kx: Double, ky: Double, phase: Double, amplitude: Double)]

    private let contrast: Double

    /// - Parameters:
    ///   - wavelengths: The shortest and the longest, in pixels.
    ///   - contrast: 1 for the full range of brightness.
    init(seed: UInt64, wavelengths: ClosedRange<Double> = 8...80, contrast: Double = 1, waves count: Int = 24) {
        self.contrast = contrast
        var random = SplitMix64(seed: seed)
        waves = (0..<count).map { index in
            let ratio = wavelengths.upperBound / wavelengths.lowerBound
            let wavelength = wavelengths.lowerBound * pow(ratio, Double(index) / Double(count - 1))
            let angle = random.unit() * 2 * .pi
            let k = 2 * .pi / wavelength
            return (k * cos(angle), k * sin(angle), random.unit() * 2 * .pi, 0.5 + random.unit())
        }
    }

    /// The brightness at a position, about 20…235; x to the right, y down.
    func brightness(_ x: Double, _ y: Double) -> Double {
        var sum = 0.0
        for wave in waves { sum += wave.amplitude * cos(wave.kx * x + wave.ky * y + wave.phase) }
        return min(235, max(20, 128 + sum * 60 * contrast / sqrt(Double(waves.count))))
    }

    /// The image of a camera whose top left pixel is at (`x`, `y`).
    func frame(width: Int, height: Int, x: Double = 0, y: Double = 0) -> GreyFrame {
        GreyFrame(width: width, height: height) { column, row in
            UInt8(brightness(Double(column) + x, Double(row) + y).rounded())
        }
    }
}
