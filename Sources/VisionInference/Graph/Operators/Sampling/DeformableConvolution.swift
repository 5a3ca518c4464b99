/// A convolution of pictures (N, C, H, W) each sample of which is taken beside its usual place, between pixels.
///
/// Inputs: pictures, weights (outputs, inputs of a group, rows, columns), offsets (N, offset groups · samples · 2, H, W; down,
/// then right), and optionally a bias and a factor for every sample (N, offset groups · samples, H, W).
package struct DeformableConvolution: FloatOperator {
    package var groups: Int
    package var offsetGroups: Int
    package var strides: [Int]
    package var dilations: [Int]
    /// Top, left, bottom, right.
    package var pads: [Int]

    package init(
        groups: Int = 1, offsetGroups: Int = 1, strides: [Int] = [1, 1], dilations: [Int] = [1, 1],
        pads: [Int] = [0, 0, 0, 0]
    ) {
        self.groups = groups
        self.offsetGroups = offsetGroups
        self.strides = strides
        self.dilations = dilations
        self.pads = pads
    }

    package var name: String { "DeformConv" }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let (input, weights) = (try requiredFloat(inputs, 0), try required(inputs, 1))
        let offsets = try required(inputs, 2)
        let range = 1...1 << 15
        try check(
            input.shape.count == 4 && weights.shape.count == 4 && range.contains(groups) && range.contains(offsetGroups)
                && strides.count == 2 && dilations.count == 2 && pads.count == 4
                && (strides + dilations).allSatisfy { range.contains($0) }
                && pads.allSatisfy { (0...1 << 15).contains($0) }
                && weights.shape[2...].allSatisfy { range.contains($0) },
            "pictures \(input.shape), weights \(weights.shape)")
        let channels = input.shape[1]
        try check(
            channels % groups == 0 && channels % offsetGroups == 0 && weights.shape[0] % groups == 0
                && weights.shape[1] == channels / groups,
            "\(channels) channels in \(groups) and \(offsetGroups) groups, weights \(weights.shape)")
        let sizes = try (0..<2).map { axis in
            let room =
                input.shape[2 + axis] + pads[axis] + pads[2 + axis] - dilations[axis] * (weights.shape[2 + axis] - 1)
                - 1
            try check(room >= 0, "pictures \(input.shape) are smaller than the kernel \(weights.shape)")
            return room / strides[axis] + 1
        }
        let samples = offsetGroups * weights.shape[2] * weights.shape[3]
        try check(
            offsets.shape == [input.shape[0], 2 * samples] + sizes, "offsets of shape \(offsets.shape)")
        if isPresent(inputs, 3) {
            try check(try required(inputs, 3).shape == [weights.shape[0]], "a bias for every output is wanted")
        }
        if isPresent(inputs, 4) {
            try check(
                try required(inputs, 4).shape == [input.shape[0], samples] + sizes,
                "factors for every sample are wanted")
        }
        for index in 1..<min(inputs.count, 5) where isPresent(inputs, index) {
            try check(try required(inputs, index).type == input.type, "inputs of different types")
        }
        let shape = [input.shape[0], weights.shape[0]] + sizes
        _ = try shape.checkedElementCount(input.type)
        return .known([TensorDescription(input.type, shape)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        guard inputs.count > 1, let weights = inputs[1]?.shape else { return 0 }
        return Int.saturatingProduct([
            2, outputs.first?.shape.elementCount ?? 0, Shape(weights.dropFirst()).elementCount,
        ])
    }

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
        // What the kernel sees of every channel at one place.
        var samples = [Double](repeating: 0, count: channels * taps)
        let size = channels / groups * taps
        for picture in 0..<input.shape[0] {
            for place in 0..<plane {
                for group in 0..<offsetGroups {
                    for tap in 0..<taps {
                        let number = (picture * offsetGroups + group) * taps + tap
                        let y =
                            Double(place / width * strides[0] - pads[0] + tap / kernel.columns * dilations[0])
                            + offsets[2 * number * plane + place].double
                        let x =
                            Double(place % width * strides[1] - pads[1] + tap % kernel.columns * dilations[1])
                            + offsets[(2 * number + 1) * plane + place].double
                        let factor = factors?[number * plane + place].double ?? 1
                        for channel in group * (channels / offsetGroups)..<(group + 1) * (channels / offsetGroups) {
                            samples[channel * taps + tap] =
                                factor
                                * Self.sample(
                                    input.pointer(T.self) + (picture * channels + channel) * rows * columns, rows,
                                    columns, y, x)
                        }
                    }
                }
                for kind in 0..<kinds {
                    let line = weights.pointer(T.self) + kind * size
                    let start = kind / (kinds / groups) * size
                    var sum = bias?[kind].double ?? 0
                    for index in 0..<size { sum += line[index].double * samples[start + index] }
                    target[(picture * kinds + kind) * plane + place] = T(double: sum)
                }
            }
        }
    }

    /// Between four pixels; zero outside of the picture, and where a coordinate is NaN.
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
