import Foundation
import VisionImage

/// A grey image of floats without padding.
struct GreyImage {
    let width: Int
    let height: Int
    var pixels: [Float]

    init(width: Int, height: Int, pixels: [Float]) {
        precondition(pixels.count == width * height)
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    init(_ image: RGBImage) {
        self.init(width: image.width, height: image.height, pixels: image.grey.map(Float.init))
    }

    /// The image moved right by `x` and down by `y` of a pixel (each within -1...1), exactly as a phase ramp on its
    /// Fourier transform moves it, with the borders mirrored first so that they do not ring.
    ///
    /// It is computed as a circular convolution with the periodic sinc, by rows and by columns, so that it owes
    /// nothing to the transforms whose use it is to check.
    func shifted(x: Double, y: Double) -> GreyImage {
        let margin = 32
        let rows = Self.shiftRows(pixels, width: width, height: height, by: x, margin: margin)
        let transposed = Self.transpose(rows, width: width, height: height)
        let columns = Self.shiftRows(transposed, width: height, height: width, by: y, margin: margin)
        return GreyImage(
            width: width, height: height, pixels: Self.transpose(columns, width: height, height: width))
    }

    /// The bytes of a part with noise of that standard deviation.
    func bytes(x: Int, y: Int, width: Int, height: Int, noise: Double, random: inout SplitMix64) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(width * height)
        for row in y..<(y + height) {
            for column in x..<(x + width) {
                out.append(byte(pixels[row * self.width + column] + Float(noise * random.normal())))
            }
        }
        return out
    }

    private static func shiftRows(_ pixels: [Float], width: Int, height: Int, by shift: Double, margin: Int) -> [Float]
    {
        let length = width + 2 * margin
        // kernel[length + d] is the weight of the element d to the right; both signs, so that no index wraps.
        let kernel = (0..<(2 * length)).map { Float(periodicSinc(Double(length - $0) - shift, length)) }
        var padded = [Float](repeating: 0, count: length)
        var out = [Float](repeating: 0, count: width * height)
        for row in 0..<height {
            for index in 0..<length {
                var source = abs(index - margin)
                if source >= width { source = 2 * (width - 1) - source }
                padded[index] = pixels[row * width + max(0, source)]
            }
            padded.withUnsafeBytes { padded in
                kernel.withUnsafeBytes { kernel in
                    for column in 0..<width {
                        out[row * width + column] = dot(padded, kernel, from: length - column - margin, count: length)
                    }
                }
            }
        }
        return out
    }

    /// The sum of products of `count` floats with as many from `start` on.
    private static func dot(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, from start: Int, count: Int
    ) -> Float {
        var sums = SIMD16<Float>.zero
        var index = 0
        while index + 16 <= count {
            let values = left.loadUnaligned(fromByteOffset: index * 4, as: SIMD16<Float>.self)
            sums += values * right.loadUnaligned(fromByteOffset: (start + index) * 4, as: SIMD16<Float>.self)
            index += 16
        }
        var sum = sums.sum()
        while index < count {
            sum +=
                left.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
                * right.loadUnaligned(fromByteOffset: (start + index) * 4, as: Float.self)
            index += 1
        }
        return sum
    }

    /// The interpolation kernel of a signal of that length whose Fourier series is all there is of it.
    private static func periodicSinc(_ x: Double, _ length: Int) -> Double {
        let angle = Double.pi * x / Double(length)
        let below = Double(length) * (length % 2 == 0 ? tan(angle) : sin(angle))
        return abs(sin(angle)) < 1e-12 ? 1 : sin(Double.pi * x) / below
    }

    private static func transpose(_ pixels: [Float], width: Int, height: Int) -> [Float] {
        var out = [Float](repeating: 0, count: width * height)
        for row in 0..<height {
            for column in 0..<width { out[column * height + row] = pixels[row * width + column] }
        }
        return out
    }
}

extension SplitMix64 {
    /// Of mean 0 and standard deviation 1 (Box and Muller).
    mutating func normal() -> Double {
        (-2 * log(1 - unit())).squareRoot() * cos(2 * Double.pi * unit())
    }
}
