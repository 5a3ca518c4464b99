package import VisionInference

/// The networks of the search for rectangles, as ONNX.
///
/// One looks at the whole picture and tells where rectangular things are, about: a cell in the middle of one says where its four
/// corners lie (as in Zhou et al., "Objects as points", 2019). Two look at a quad brought to a square with what is around it: the
/// mover guesses where the outline of a thing is that the quad is far from, the judge tells whether the quad is the outline, and
/// where the corners are rather. All are our own, trained on rendered scenes (Training/Rectangles).
package struct RectangleGraphs {
    /// Rows and columns of the picture that the first network sees, and pixels of it for each cell.
    package static let coarseSide = 160
    package static let step = 8
    package static let cells = coarseSide / step
    /// A corner's offset from the middle of its cell is in these many pixels.
    package static let offsetUnit = 80.0
    /// Rows and columns of the picture of a quad, and how much of it is around the quad on each side: for the judge and the mover.
    package static let cropSide = 64
    package static let judgeMargin = 11
    package static let moverMargin = 18
    /// The judge's numbers: two logarithms of odds and eight offsets.
    package static let judgeNumbers = 10
    /// The mover's guesses, and the numbers of each: the logarithm of its odds, relative to the others, and eight offsets.
    package static let moves = 3
    package static let moveNumbers = 9

    /// "pixels", 1 × 160 × 160 × 3, to "scores", 1 × 1 × 20 × 20, logarithms of the odds that the middle of a thing is near, and
    /// "corners", 1 × 8 × 20 × 20: x and y of four corners from the middle of the cell.
    package let coarse: ONNXModel
    /// "pixels", count × 64 × 64 × 3, to "numbers", count × 10.
    package let judge: ONNXModel
    /// The same to count × 27.
    package let mover: ONNXModel

    /// - Parameter weights: Those of the three networks, in base64.
    /// - Throws: `WeightFileError`, `ModelError`.
    package init(_ weights: Weights) throws {
        coarse = try Self.coarseNetwork(weights.coarse)
        judge = try Self.cropNetwork(weights.judge, name: "judge", numbers: Self.judgeNumbers)
        mover = try Self.cropNetwork(weights.mover, name: "mover", numbers: Self.moves * Self.moveNumbers)
    }

    /// Half-precision floats in the order of the layers, in base64, as Training/Rectangles/export.py writes them.
    package struct Weights {
        package var coarse: String
        package var judge: String
        package var mover: String

        package init(coarse: String, judge: String, mover: String) {
            (self.coarse, self.judge, self.mover) = (coarse, judge, mover)
        }
    }

    private static let damage = WeightFileError(.damaged, "The weights of the rectangle networks are damaged")

    private static func coarseNetwork(_ text: String) throws -> ONNXModel {
        let side = ONNXDimension.fixed(coarseSide), cells = ONNXDimension.fixed(cells)
        var layers = RectangleLayers(
            builder: ONNXBuilder(opset: 13, name: "rectangles, coarse"),
            weights: try CompiledWeights(base64: text, damage: damage))
        layers.builder.input("pixels", [1, side, side, 3])
        let image = layers.builder.node("Transpose", ["pixels"], ["perm": [0, 3, 1, 2]])
        var value = try layers.convolution(image, "stem1", 3, 16, stride: 2)
        value = try layers.convolution(value, "stem2", 16, 32, stride: 2)
        value = try layers.residual(value, "res2", 32)
        value = try layers.convolution(value, "down3", 32, 48, stride: 2)
        let eighth = try layers.residual(value, "res3", 48)
        value = try layers.inverted(eighth, "down4", 48, 64, stride: 2)
        for block in 0..<3 { value = try layers.inverted(value, "mid4.\(block)", 64, 64) }
        let sixteenth = value
        value = try layers.inverted(value, "down5", 64, 96, stride: 2)
        for block in 0..<2 { value = try layers.inverted(value, "mid5.\(block)", 96, 96) }
        value = try layers.convolution(value, "side5", 96, 64, kernel: 1, isActivated: false)
        value = layers.builder.node("Add", [sixteenth, try layers.twice(value, "up5")])
        value = try layers.inverted(value, "top4", 64, 64)
        value = try layers.convolution(value, "side4", 64, 48, kernel: 1, isActivated: false)
        value = layers.builder.node("Add", [eighth, try layers.twice(value, "up4")])
        for block in 0..<2 { value = try layers.residual(value, "top3.\(block)", 48) }
        let scores = try layers.convolution(value, "score", 48, 1, kernel: 1, isActivated: false)
        let corners = try layers.convolution(value, "corner", 48, 8, kernel: 1, isActivated: false)
        layers.builder.node("Identity", [scores], output: "scores")
        layers.builder.node("Identity", [corners], output: "corners")
        layers.builder.output("scores", [1, 1, cells, cells])
        layers.builder.output("corners", [1, 8, cells, cells])
        try layers.weights.finish()
        return layers.builder.model
    }

    private static func cropNetwork(_ text: String, name: String, numbers: Int) throws -> ONNXModel {
        let side = ONNXDimension.fixed(cropSide)
        var layers = RectangleLayers(
            builder: ONNXBuilder(opset: 13, name: "rectangles, \(name)"),
            weights: try CompiledWeights(base64: text, damage: damage))
        layers.builder.input("pixels", ["count", side, side, 3])
        let image = layers.builder.node("Transpose", ["pixels"], ["perm": [0, 3, 1, 2]])
        var value = try layers.convolution(image, "layer0", 3, 16, kernel: 5, stride: 2)
        value = try layers.convolution(value, "layer1", 16, 32, stride: 2)
        value = try layers.convolution(value, "layer2", 32, 48)
        value = try layers.convolution(value, "layer3", 48, 64, stride: 2)
        value = try layers.convolution(value, "layer4", 64, 64)
        value = try layers.convolution(value, "layer5", 64, 64, stride: 2)
        // The engine keeps channels last, so nothing moves here; the weights are brought to that order.
        value = layers.builder.node("Transpose", [value], ["perm": [0, 2, 3, 1]])
        value = layers.builder.node(
            "Reshape", [value, try layers.builder.initialiser("row.shape", [2], [Int64(-1), 1024])])
        value = try layers.builder.linear(
            value, "full1", &layers.weights, channels: 64, positions: 16, outputs: 96)
        value = layers.builder.node("Relu", [value])
        value = try layers.builder.linear(value, "full2", &layers.weights, channels: 96, outputs: numbers)
        layers.builder.node("Identity", [value], output: "numbers")
        layers.builder.output("numbers", ["count", .fixed(numbers)])
        try layers.weights.finish()
        return layers.builder.model
    }
}

/// Layers with their weights.
private struct RectangleLayers {
    var builder: ONNXBuilder
    var weights: CompiledWeights

    mutating func convolution(
        _ input: String, _ name: String, _ inputs: Int, _ outputs: Int, kernel: Int = 3, stride: Int = 1,
        isDepthwise: Bool = false, isActivated: Bool = true
    ) throws -> String {
        try builder.convolution(
            input, name, &weights, outputs: outputs, inputs: inputs, kernel: kernel, stride: stride,
            isDepthwise: isDepthwise, isActivated: isActivated)
    }

    /// Two convolutions around a shortcut.
    mutating func residual(_ input: String, _ name: String, _ channels: Int) throws -> String {
        let first = try convolution(input, name + ".first", channels, channels)
        let second = try convolution(first, name + ".second", channels, channels, isActivated: false)
        return builder.node("Relu", [builder.node("Add", [input, second])], name: name, output: name)
    }

    /// Twice as many channels, looked at one by one; a shortcut where nothing changes its size.
    mutating func inverted(
        _ input: String, _ name: String, _ inputs: Int, _ outputs: Int, stride: Int = 1
    ) throws -> String {
        let wide = try convolution(input, name + ".wide", inputs, 2 * inputs, kernel: 1)
        let spatial = try convolution(
            wide, name + ".spatial", 2 * inputs, 2 * inputs, kernel: 5, stride: stride, isDepthwise: true)
        let mixed = try convolution(spatial, name + ".mix", 2 * inputs, outputs, kernel: 1, isActivated: false)
        return inputs == outputs && stride == 1 ? builder.node("Add", [input, mixed]) : mixed
    }

    /// Twice the rows and columns, each place four times.
    mutating func twice(_ input: String, _ name: String) throws -> String {
        let scales = try builder.initialiser(name + ".scales", [4], [Float(1), 1, 2, 2])
        return builder.node(
            "Resize", [input, "", scales],
            [
                "mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor",
            ], name: name, output: name)
    }
}
