/// Resizes axes of a tensor, any number of them, by ONNX's rules.
///
/// Inputs: the tensor, the region of interest (for `tfCropAndResize`: starts, then ends, by axis), scales, sizes; the
/// last two exclude each other. They belong to `axes`, or to all axes.
package struct Resize: OrderedOperator {
    package enum Rounding: Hashable, Sendable { case roundPreferFloor, roundPreferCeil, floor, ceil }

    package enum Mode: Hashable, Sendable {
        case nearest(Rounding)
        case linear
        /// With the kernel's coefficient: −0.75 in ONNX unless told otherwise.
        case cubic(a: Float)
    }

    /// Where in the input an element of the output lies.
    package enum Coordinates: Hashable, Sendable {
        case halfPixel, halfPixelSymmetric, pytorchHalfPixel, alignCorners, asymmetric, tfCropAndResize
    }

    /// What becomes of the aspect ratio when sizes are given.
    package enum AspectPolicy: Hashable, Sendable { case stretch, notLarger, notSmaller }

    package var mode: Mode
    package var coordinates: Coordinates = .halfPixel
    package var antialias = false
    package var excludesOutside = false
    package var aspectPolicy: AspectPolicy = .stretch
    package var axes: [Int]?
    /// What lies outside of the input, for `tfCropAndResize`.
    package var extrapolationValue: Float = 0
    var order = AxisOrder()

    /// What each axis of the input becomes.
    package struct Plan: Sendable {
        package var shape: Shape
        package var scales: [Double]
        package var regions: [(start: Double, end: Double)]
    }

    /// nil when it depends on data.
    package func plan(_ inputs: [TensorDescription?]) throws -> Plan? {
        let shape = try required(inputs, 0).shape
        let axes =
            try self.axes.map { try resolvedAxes($0, shape).map { order($0) } } ?? shape.indices.map { order($0) }
        var plan = Plan(
            shape: shape, scales: shape.map { _ in 1 }, regions: shape.map { _ in (start: 0, end: 1) })
        if coordinates == .tfCropAndResize {
            let region = try required(inputs, 1)
            guard let values = region.constant?.doubles else { return nil }
            try check(
                values.count == 2 * axes.count && values.allSatisfy { $0.magnitude <= 1e9 }, "region \(values)")
            for (index, axis) in axes.enumerated() {
                plan.regions[axis] = (values[index], values[axes.count + index])
            }
        }
        // An empty tensor stands for one that is left out.
        if isPresent(inputs, 3), try required(inputs, 3).shape != [0] {
            guard case .values(let sizes) = try integers(inputs, 3) else { return nil }
            try setSizes(sizes, axes, &plan)
        } else {
            let scales = try requiredFloat(inputs, 2)
            guard let values = scales.constant?.doubles else { return nil }
            try setScales(values, axes, &plan)
        }
        for axis in shape.indices where plan.shape[axis] != shape[axis] || plan.scales[axis] != 1 {
            try check(shape[axis] > 0 || plan.shape[axis] == 0, "an empty axis cannot become \(plan.shape[axis])")
            // Each position along the axis is worked out and kept.
            try check(plan.shape[axis] <= 1 << 24, "an axis of \(shape[axis]) cannot become \(plan.shape[axis])")
        }
        return plan
    }

    private func setSizes(_ sizes: [Int], _ axes: [Int], _ plan: inout Plan) throws {
        try check(sizes.count == axes.count, "\(sizes.count) sizes for \(axes.count) axes")
        try check(sizes.allSatisfy { (0...1 << 31).contains($0) }, "sizes \(sizes)")
        var scales = zip(sizes, axes).map { Double($0) / Double(max(plan.shape[$1], 1)) }
        var sizes = sizes
        let common: Double? =
            switch aspectPolicy {
            case .stretch: nil
            case .notLarger: scales.min()
            case .notSmaller: scales.max()
            }
        if let common {
            scales = scales.map { _ in common }
            sizes = axes.map { Int((common * Double(plan.shape[$0]) + 0.5).rounded(.down)) }
        }
        for (index, axis) in axes.enumerated() {
            plan.shape[axis] = sizes[index]
            plan.scales[axis] = scales[index]
        }
    }

    private func setScales(_ scales: [Double], _ axes: [Int], _ plan: inout Plan) throws {
        try check(scales.count == axes.count, "\(scales.count) scales for \(axes.count) axes")
        for (scale, axis) in zip(scales, axes) {
            let region = plan.regions[axis]
            let part = coordinates == .tfCropAndResize ? region.end - region.start : 1
            let size = (Double(plan.shape[axis]) * part * scale).rounded(.down)
            try check(scale > 0 && scale.isFinite && size >= 0 && size <= Double(1 << 31), "scale \(scale)")
            plan.shape[axis] = Int(size)
            plan.scales[axis] = scale
        }
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let input = try requiredNumber(inputs, 0)
        guard let plan = try plan(inputs) else { return .dependsOnData }
        _ = try plan.shape.checkedElementCount(input.type)
        // Every position of an output axis is worked out, and so is every weight.
        for axis in plan.shape.indices where antialias && mode != .nearest(.floor) {
            let taps = max(1 / plan.scales[axis], 1) * 4 + 2
            try check(taps * Double(plan.shape[axis]) <= 1e8, "scale \(plan.scales[axis])")
        }
        return .known([TensorDescription(input.type, plan.shape)])
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        4 * (outputs.first?.shape.elementCount ?? 0)
    }
}
