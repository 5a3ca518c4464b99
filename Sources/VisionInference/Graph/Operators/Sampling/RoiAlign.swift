/// Samples of regions of images (N, C, H, W), the mean or maximum of some within each of `height` × `width` cells.
/// Inputs: images, regions (x1, y1, x2, y2), and the image of each region.
package struct RoiAlign: Operator {
    package var height: Int
    package var width: Int
    /// Samples along each side of a cell; 0: as many as the cell has pixels.
    package var samples: Int
    /// From the regions' units to pixels.
    package var scale: Float
    /// The centre of the first pixel is at half a unit.
    package var halfPixel: Bool
    package var takesMaximum: Bool

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredFloat(inputs, 0)
        let regions = try required(inputs, 1)
        let images = try required(inputs, 2)
        try check(
            input.shape.count == 4 && input.shape[2] > 0 && input.shape[3] > 0 && regions.shape.count == 2
                && regions.shape[1] == 4 && regions.type == input.type && images.shape == [regions.shape[0]]
                && (images.type == .int64 || images.type == .int32),
            "regions \(regions.shape) of \(input.shape)")
        try check(
            1...1 << 12 ~= height && 1...1 << 12 ~= width && 0...1 << 8 ~= samples, "\(width) × \(height) cells")
        return .known([TensorDescription(input.type, [regions.shape[0], input.shape[1], height, width])])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        // Without a number of samples a cell of a region within the image has at most the image's pixels.
        let image = (inputs.first ?? nil)?.shape ?? []
        let perCell = samples > 0 ? samples * samples : Shape(image.suffix(2)).elementCount
        return Int.saturatingProduct([8, outputs.first?.shape.elementCount ?? 0, perCell])
    }
}
