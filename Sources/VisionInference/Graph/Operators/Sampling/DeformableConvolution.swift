/// A convolution of images (N, C, H, W) each sample of which is taken beside its usual position, between pixels.
///
/// Inputs: images, weights (outputs, inputs of a group, rows, columns), offsets (N, offset groups · samples · 2, H, W;
/// down, then right), and optionally a bias and a factor for every sample (N, offset groups · samples, H, W).
package struct DeformableConvolution: Operator {
    package var groups = 1
    package var offsetGroups = 1
    package var strides: [Int] = [1, 1]
    package var dilations: [Int] = [1, 1]
    /// Top, left, bottom, right.
    package var pads: [Int] = [0, 0, 0, 0]

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
            "images \(input.shape), weights \(weights.shape)")
        let channels = input.shape[1]
        try check(
            channels % groups == 0 && channels % offsetGroups == 0 && weights.shape[0] % groups == 0
                && weights.shape[1] == channels / groups,
            "\(channels) channels in \(groups) and \(offsetGroups) groups, weights \(weights.shape)")
        let sizes = try (0..<2).map { axis in
            let room =
                input.shape[2 + axis] + pads[axis] + pads[2 + axis] - dilations[axis] * (weights.shape[2 + axis] - 1)
                - 1
            try check(room >= 0, "images \(input.shape) are smaller than the kernel \(weights.shape)")
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
}
