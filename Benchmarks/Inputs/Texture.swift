import VisionImage

extension RGBImage {
    /// Noise whose amplitude falls with frequency as it does in photographs (about 1/f: the same energy in every
    /// octave), in colours that vary more slowly than the brightness. The same seed gives the same image.
    static func texture(width: Int, height: Int, seed: UInt64) -> RGBImage {
        var random = SplitMix64(seed: seed)
        var planes: [[Float]] = []
        // Brightness, then two colour differences without their finest octaves.
        for finest in [0, 2, 2] {
            var plane = [Float](repeating: 0, count: width * height)
            for octave in finest...8 {
                // Lens and sensor take most of the finest detail.
                let amplitude: Float = (octave == 0 ? 0.25 : octave == 1 ? 0.6 : 1) * (finest == 0 ? 24 : 9)
                addOctave(to: &plane, width: width, height: height, shift: octave, amplitude, &random)
            }
            planes.append(plane)
        }
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 3) { out, count in
            for index in 0..<(width * height) {
                let grey = 120 + planes[0][index]
                let red = planes[1][index]
                let blue = planes[2][index]
                out[3 * index] = byte(grey + red)
                out[3 * index + 1] = byte(grey - 0.5 * red - 0.2 * blue)
                out[3 * index + 2] = byte(grey + blue)
            }
            count = width * height * 3
        }
        return RGBImage(width: width, height: height, pixels: pixels)
    }

    /// Adds random values on a grid of 2^shift pixels, interpolated linearly in between.
    private static func addOctave(
        to plane: inout [Float], width: Int, height: Int, shift: Int, _ amplitude: Float, _ random: inout SplitMix64
    ) {
        let step = 1 << shift
        let columns = width / step + 2
        let rows = height / step + 2
        let grid = (0..<(columns * rows)).map { _ in random.symmetric() * amplitude }
        var line = [Float](repeating: 0, count: columns)
        for y in 0..<height {
            let row = y >> shift
            let fraction = Float(y & (step - 1)) / Float(step)
            for column in 0..<columns {
                let upper = grid[row * columns + column]
                line[column] = upper + (grid[(row + 1) * columns + column] - upper) * fraction
            }
            for x in 0..<width {
                let column = x >> shift
                let left = line[column]
                let across = Float(x & (step - 1)) / Float(step)
                plane[y * width + x] += left + (line[column + 1] - left) * across
            }
        }
    }
}

func byte(_ value: Float) -> UInt8 {
    UInt8(max(0, min(255, value.rounded())))
}
