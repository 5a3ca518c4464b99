extension ONNXDefinition {
    static let resizing: [String: ONNXDefinition] = [
        "Resize": ONNXDefinition(.numbers, since: 10, lower: resize),
        "Upsample": ONNXDefinition(.numbers, since: 7) { node in
            let scales = try node.floats("scales").map { node.constant(try Tensor($0)) } ?? node.input(1)
            let mode: Resize.Mode = node.string("mode", "nearest") == "nearest" ? .nearest(.floor) : .linear
            let operation = Resize(mode: mode, coordinates: .asymmetric)
            return [try resized(node, operation, [node.input(0), nil, scales, nil])]
        },
    ]

    @Sendable private static func resize(_ node: ONNXLowering) throws -> [Graph.ValueID] {
        if node.opset < 11 {
            let mode: Resize.Mode = node.string("mode", "nearest") == "nearest" ? .nearest(.floor) : .linear
            let operation = Resize(mode: mode, coordinates: .asymmetric)
            return [try resized(node, operation, [node.input(0), nil, node.input(1), nil])]
        }
        let coordinateNames: [String: Resize.Coordinates] = [
            "half_pixel": .halfPixel, "half_pixel_symmetric": .halfPixelSymmetric,
            "pytorch_half_pixel": .pytorchHalfPixel, "align_corners": .alignCorners, "asymmetric": .asymmetric,
            "tf_crop_and_resize": .tfCropAndResize,
        ]
        let roundings: [String: Resize.Rounding] = [
            "round_prefer_floor": .roundPreferFloor, "round_prefer_ceil": .roundPreferCeil, "floor": .floor,
            "ceil": .ceil,
        ]
        let policies: [String: Resize.AspectPolicy] = [
            "stretch": .stretch, "not_larger": .notLarger, "not_smaller": .notSmaller,
        ]
        guard let coordinates = coordinateNames[node.string("coordinate_transformation_mode", "half_pixel")],
            let rounding = roundings[node.string("nearest_mode", "round_prefer_floor")],
            let policy = policies[node.string("keep_aspect_ratio_policy", "stretch")]
        else { throw node.unsupported("its modes") }
        let mode: Resize.Mode
        switch node.string("mode", "nearest") {
        case "nearest": mode = .nearest(rounding)
        case "linear": mode = .linear
        case "cubic": mode = .cubic(a: node.float("cubic_coeff_a", -0.75))
        default: throw node.unsupported("the mode \(node.string("mode", ""))")
        }
        let operation = Resize(
            mode: mode, coordinates: coordinates, antialias: node.flag("antialias"),
            excludesOutside: node.flag("exclude_outside"), aspectPolicy: policy, axes: node.ints("axes"),
            extrapolationValue: node.float("extrapolation_value", 0))
        return [
            try resized(node, operation, [node.input(0), node.optional(1), node.optional(2), node.optional(3)])
        ]
    }

    /// Images of floats that keep their number and channels go to the kernels for images.
    private static func resized(
        _ node: ONNXLowering, _ operation: Resize, _ inputs: [Graph.ValueID?]
    ) throws -> Graph.ValueID {
        // Scales of no elements stand for scales that are left out.
        var inputs = inputs
        for index in 1..<4 {
            if let value = inputs[index], try node.describe(value).shape == [0] { inputs[index] = nil }
        }
        guard let input = inputs[0] else { throw node.invalid("no input") }
        let shape = try node.shape(input)
        let descriptions = try inputs.map { try $0.map { try node.describe($0) } }
        guard shape.count == 4, try node.type(input) == .float32, !operation.antialias,
            let coordinates = imageCoordinates(operation.coordinates), let filter = imageFilter(operation.mode),
            let plan = try operation.plan(descriptions), plan.scales[0] == 1, plan.scales[1] == 1,
            plan.shape[2] > 0, plan.shape[3] > 0, !shape.contains(0)
        else { return try node.add(operation, inputs) }
        let image = ResizeImage(
            filter: filter, coordinates: coordinates, height: plan.shape[2], width: plan.shape[3],
            scaleY: plan.scales[2],
            scaleX: plan.scales[3])
        return try node.channelsLast(input) { try node.add(image, [$0]) }
    }

    private static func imageFilter(_ mode: Resize.Mode) -> ResizeImage.Filter? {
        switch mode {
        case .linear: .bilinear
        case .nearest(.roundPreferFloor): .nearest(.preferFloor)
        case .nearest(.roundPreferCeil): .nearest(.preferCeiling)
        case .nearest(.floor): .nearest(.floor)
        case .nearest(.ceil): .nearest(.ceiling)
        case .cubic: nil
        }
    }

    private static func imageCoordinates(_ coordinates: Resize.Coordinates) -> ResizeImage.Coordinates? {
        switch coordinates {
        case .halfPixel: .halfPixel
        case .pytorchHalfPixel: .halfPixelOrOne
        case .asymmetric: .asymmetric
        case .alignCorners: .alignedCorners
        case .halfPixelSymmetric, .tfCropAndResize: nil
        }
    }
}
