import Foundation

/// Keys' cubic with a = -0.5, widened where an image becomes smaller: how Pillow scales, and so how the published
/// accuracies of many classifiers were measured. Plain and slow; for measurements only.
struct Bicubic {
    /// Which samples make an output, and how much of each.
    private struct Taps {
        let first: Int
        let weights: [Double]
    }

    private static func weight(_ distance: Double) -> Double {
        let x = abs(distance)
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
    }

    private static func taps(from source: Int, to target: Int) -> [Taps] {
        let scale = Double(source) / Double(target)
        let stretch = max(1, scale)
        return (0..<target).map { index in
            let centre = (Double(index) + 0.5) * scale
            let first = max(0, Int(centre - 2 * stretch + 0.5))
            let last = min(source, Int(centre + 2 * stretch + 0.5))
            let weights = (first..<last).map { weight((Double($0) - centre + 0.5) / stretch) }
            let sum = weights.reduce(0, +)
            return Taps(first: first, weights: weights.map { $0 / sum })
        }
    }

    /// The image in another size, three bytes a pixel; rounded to bytes after each of the two directions.
    static func scaled(_ image: RGBImage, width: Int, height: Int) -> RGBImage {
        let columns = taps(from: image.width, to: width)
        var narrow = [UInt8](repeating: 0, count: width * image.height * 3)
        for y in 0..<image.height {
            for (x, taps) in columns.enumerated() {
                for channel in 0..<3 {
                    let start = (y * image.width + taps.first) * 3 + channel
                    narrow[(y * width + x) * 3 + channel] = sum(image.pixels, start, step: 3, taps.weights)
                }
            }
        }
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        for (y, taps) in taps(from: image.height, to: height).enumerated() {
            for index in 0..<(width * 3) {
                pixels[y * width * 3 + index] = sum(
                    narrow, taps.first * width * 3 + index, step: width * 3, taps.weights)
            }
        }
        return RGBImage(width: width, height: height, pixels: pixels)
    }

    private static func sum(_ bytes: [UInt8], _ start: Int, step: Int, _ weights: [Double]) -> UInt8 {
        var sum = 0.5
        for (index, weight) in weights.enumerated() { sum += weight * Double(bytes[start + index * step]) }
        return UInt8(min(255, max(0, sum)))
    }
}
