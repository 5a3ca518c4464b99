extension DeformableConvolution: FloatOperator {
    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (input, weights) = (try required(inputs, 0), try required(inputs, 1))
        let offsets = try required(inputs, 2).pointer(T.self)
        let bias = optional(inputs, 3)?.pointer(T.self)
        let factors = optional(inputs, 4)?.pointer(T.self)
        let kernel = (rows: weights.shape[2], columns: weights.shape[3])
        let taps = kernel.rows * kernel.columns
        let (channels, rows, columns) = (input.shape[1], input.shape[2], input.shape[3])
        let (kinds, height, width) = (outputs[0].shape[1], outputs[0].shape[2], outputs[0].shape[3])
        let plane = height * width
        let target = outputs[0].pointer(T.self)
        // What the kernel sees of every channel at one position.
        var samples = [Double](repeating: 0, count: channels * taps)
        let size = channels / groups * taps
        for image in 0..<input.shape[0] {
            for position in 0..<plane {
                for group in 0..<offsetGroups {
                    for tap in 0..<taps {
                        let number = (image * offsetGroups + group) * taps + tap
                        let y =
                            Double(position / width * strides[0] - pads[0] + tap / kernel.columns * dilations[0])
                            + offsets[2 * number * plane + position].double
                        let x =
                            Double(position % width * strides[1] - pads[1] + tap % kernel.columns * dilations[1])
                            + offsets[(2 * number + 1) * plane + position].double
                        let factor = factors?[number * plane + position].double ?? 1
                        for channel in group * (channels / offsetGroups)..<(group + 1) * (channels / offsetGroups) {
                            samples[channel * taps + tap] =
                                factor
                                * Self.sample(
                                    input.pointer(T.self) + (image * channels + channel) * rows * columns, rows,
                                    columns, y, x)
                        }
                    }
                }
                for kind in 0..<kinds {
                    let line = weights.pointer(T.self) + kind * size
                    let start = kind / (kinds / groups) * size
                    var sum = bias?[kind].double ?? 0
                    for index in 0..<size { sum += line[index].double * samples[start + index] }
                    target[(image * kinds + kind) * plane + position] = T(double: sum)
                }
            }
        }
    }

    /// Between four pixels; zero outside of the image, and where a coordinate is NaN.
    private static func sample<T: FloatScalar>(
        _ values: UnsafePointer<T>, _ rows: Int, _ columns: Int, _ y: Double, _ x: Double
    ) -> Double {
        guard y > -1, x > -1, y < Double(rows), x < Double(columns) else { return 0 }
        let (top, left) = (Int(y.rounded(.down)), Int(x.rounded(.down)))
        let (down, across) = (y - Double(top), x - Double(left))
        func pixel(_ row: Int, _ column: Int) -> Double {
            row >= 0 && row < rows && column >= 0 && column < columns ? values[row * columns + column].double : 0
        }
        return (1 - down) * ((1 - across) * pixel(top, left) + across * pixel(top, left + 1))
            + down * ((1 - across) * pixel(top + 1, left) + across * pixel(top + 1, left + 1))
    }
}
