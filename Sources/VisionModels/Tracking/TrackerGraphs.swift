package import VisionInference

/// The networks of the learned tracker, as ONNX: the first blocks of EfficientNet-Lite0, which the store has, with the
/// tracker's own layers on top.
///
/// The template network sees the target once; what it gives are 64 filters, one for each part of the target and its
/// surroundings, and a weight for each channel. The network of views tells what each place of a later frame looks like; the
/// search network compares 16 × 16 of these places with the filters and tells for each how likely the target is there and
/// where the four sides of its box are. Correlation by parts of the template: Yan et al., "Alpha-Refine", CVPR 2021; boxes by
/// their sides: Xu et al., "SiamFC++", AAAI 2020.
///
/// Views know nothing of a target, so that several can share one.
package struct TrackerGraphs {
    /// Rows and columns of the pictures that the networks see.
    package static let templateSide = 128
    package static let searchSide = 256
    /// Pixels of a picture for each row and column of results.
    package static let step = 16
    package static let channels = 64
    package static let templateCells = templateSide / step
    package static let searchCells = searchSide / step

    /// Where the trunk ends: outputs at an eighth and at a sixteenth of the picture's size.
    private static let fine = (name: "block4.add", channels: 40)
    private static let coarse = (name: "block7.add", channels: 80)

    package let template: ONNXModel
    package let view: ONNXModel
    package let search: ONNXModel

    /// - Parameters:
    ///   - lite0: EfficientNet-Lite0 as the store makes it.
    ///   - weights: Those of the tracker's own layers, in base64.
    /// - Throws: `TrackingModelError`.
    package init(lite0: ONNXModel, weights: String) throws {
        var weights = try CompiledWeights(base64: weights, damage: TrackingModelError.damagedWeights)
        let trunk = try Self.trunk(of: lite0)
        template = try Self.templateNetwork(trunk, &weights)
        view = try Self.viewNetwork(trunk, &weights)
        search = try Self.searchNetwork(&weights)
        try weights.finish()
    }

    /// "pixels", 1 × 128 × 128 × 3, and "mask", 1 × 1 × 8 × 8 – how much of each cell lies within the box – to "filters",
    /// 64 × 64: channel, part of the template; and "gate_weights", 1 × 64 × 1 × 1.
    private static func templateNetwork(_ trunk: ONNXModel, _ weights: inout CompiledWeights) throws -> ONNXModel {
        let side = ONNXDimension.fixed(templateSide)
        var layers = TrackerLayers(builder: builder(trunk, height: side, width: side, name: "tracker template"))
        let cells = templateCells
        let mask = layers.builder.input("mask", [1, 1, .fixed(cells), .fixed(cells)])
        let finePart = try layers.builder.convolution(
            fine.name, "template.fine", &weights, outputs: channels, inputs: fine.channels, kernel: 2, stride: 2,
            pad: 0, hasBias: false)
        let coarsePart = try layers.builder.convolution(
            coarse.name, "template.coarse", &weights, outputs: channels, inputs: coarse.channels)
        let maskPart = try layers.builder.convolution(
            mask, "template.mask", &weights, outputs: channels, inputs: 1, hasBias: false)
        let sum = layers.builder.node("Add", [finePart, coarsePart])
        let features = layers.builder.node("Add", [sum, maskPart])
        let shape = try layers.builder.initialiser("filters.shape", [2], [Int64(channels), Int64(cells * cells)])
        layers.builder.node("Reshape", [features, shape], output: "filters")

        let axes = try layers.builder.initialiser("places", [2], [Int64(2), 3])
        let area = layers.builder.node("ReduceSum", [mask, axes], ["keepdims": 1])
        let share = layers.builder.node("Div", [mask, area])
        let inside = layers.builder.node(
            "ReduceSum", [layers.builder.node("Mul", [features, share]), axes], ["keepdims": 1])
        let gate = try layers.builder.convolution(inside, "gate", &weights, outputs: channels, inputs: channels)
        layers.builder.node("Identity", [gate], output: "gate_weights")
        layers.builder.output("filters", [.fixed(channels), .fixed(cells * cells)])
        layers.builder.output("gate_weights", [1, .fixed(channels), 1, 1])
        return layers.builder.model
    }

    /// "pixels", 1 × height × width × 3, to "features", 1 × height / 16 × width / 16 × 64: what each place looks like. Height and
    /// width are multiples of 16.
    private static func viewNetwork(_ trunk: ONNXModel, _ weights: inout CompiledWeights) throws -> ONNXModel {
        var layers = TrackerLayers(builder: builder(trunk, height: "height", width: "width", name: "tracker view"))
        let finePart = try layers.builder.convolution(
            fine.name, "search.fine", &weights, outputs: channels, inputs: fine.channels, kernel: 2, stride: 2, pad: 0,
            hasBias: false)
        let coarsePart = try layers.builder.convolution(
            coarse.name, "search.coarse", &weights, outputs: channels, inputs: coarse.channels)
        let sum = layers.builder.node("Add", [finePart, coarsePart])
        layers.builder.node("Transpose", [sum], ["perm": [0, 2, 3, 1]], output: "features")
        layers.builder.output("features", [1, "rows", "columns", .fixed(channels)])
        return layers.builder.model
    }

    /// "features", 1 × 16 × 16 × 64, "filters" and "gate_weights" to "scores", 1 × 1 × 16 × 16, 0 … 1, and "distances",
    /// 1 × 4 × 16 × 16: how far from the middle of the cell the left, top, right and bottom of the box are, in cells.
    private static func searchNetwork(_ weights: inout CompiledWeights) throws -> ONNXModel {
        var layers = TrackerLayers(builder: ONNXBuilder(opset: 13, name: "tracker search"))
        let parts = templateCells * templateCells
        let rows = layers.builder.input(
            "features", [1, .fixed(searchCells), .fixed(searchCells), .fixed(channels)])
        let filters = layers.builder.input("filters", [.fixed(channels), .fixed(parts)])
        let gate = layers.builder.input("gate_weights", [1, .fixed(channels), 1, 1])
        let features = layers.builder.node("Transpose", [rows], ["perm": [0, 3, 1, 2]], name: "search.features")
        let compared = layers.builder.node("MatMul", [rows, filters], name: "search.compare")
        let matches = layers.builder.node("Transpose", [compared], ["perm": [0, 3, 1, 2]])
        let gated = layers.builder.node("Mul", [features, gate], name: "search.gate")
        let joined = layers.builder.node("Concat", [matches, gated, features], ["axis": 1], name: "search.join")
        let fused = try layers.builder.convolution(
            joined, "search.fuse", &weights, outputs: channels, inputs: parts + 2 * channels, isActivated: true)

        let shared = try layers.block(fused, "shared", &weights)
        let forScores = try layers.block(try layers.block(shared, "score.0", &weights), "score.1", &weights)
        let forSides = try layers.block(try layers.block(shared, "sides.0", &weights), "sides.1", &weights)
        let logits = try layers.builder.convolution(forScores, "score", &weights, outputs: 1, inputs: channels)
        layers.builder.node("Sigmoid", [logits], output: "scores")
        let logarithms = try layers.builder.convolution(forSides, "sides", &weights, outputs: 4, inputs: channels)
        let least = try layers.builder.initialiser("sides.least", [], [Float(-4)])
        let most = try layers.builder.initialiser("sides.most", [], [Float(3)])
        let clipped = layers.builder.node("Clip", [logarithms, least, most])
        layers.builder.node("Exp", [clipped], output: "distances")
        layers.builder.output("scores", [1, 1, .fixed(searchCells), .fixed(searchCells)])
        layers.builder.output("distances", [1, 4, .fixed(searchCells), .fixed(searchCells)])
        return layers.builder.model
    }

    /// The network up to `coarse`, on bytes but for its first layers, whose channels differ too much for one scale. Its
    /// paddings stay right for pictures of another size where that is a multiple of 16, as that of its own pictures is.
    private static func trunk(of lite0: ONNXModel) throws -> ONNXModel {
        var needed: Set<String> = [fine.name, coarse.name]
        var nodes: [ONNXNode] = []
        for node in lite0.graph.nodes.reversed() where node.outputs.contains(where: needed.contains) {
            nodes.append(node)
            needed.formUnion(node.inputs)
        }
        let made = Set(nodes.flatMap(\.outputs))
        guard made.contains(fine.name), made.contains(coarse.name), needed.contains("image"),
            lite0.graph.inputs.map(\.name) == ["image"]
        else {
            throw TrackingModelError.unexpectedNetwork(
                "it has no layers \(fine.name) and \(coarse.name). Install the model anew.")
        }
        var builder = ONNXBuilder(opset: 13, name: "tracker")
        builder.model.graph.nodes = nodes.reversed()
        builder.model.graph.initialisers = lite0.graph.initialisers.filter { needed.contains($0.name) }
        builder.input("image", [1, 3, "height", "width"])
        for part in [fine, coarse] { builder.output(part.name) }
        let floats = nodes.map(\.name).filter { $0.hasPrefix("stem") || $0.hasPrefix("block0.") }
        return try Quantiser(builder.model, options: .init(excludedNodes: Set(floats))).quantised(ranges: trunkRanges)
    }

    /// The trunk for pictures of a size, without outputs.
    private static func builder(
        _ trunk: ONNXModel, height: ONNXDimension, width: ONNXDimension, name: String
    ) -> ONNXBuilder {
        var builder = ONNXBuilder(opset: 13, name: name)
        builder.input("pixels", [1, height, width, 3])
        builder.node("Transpose", ["pixels"], ["perm": [0, 3, 1, 2]], output: "image")
        builder.model.graph.nodes += trunk.graph.nodes
        builder.model.graph.initialisers = trunk.graph.initialisers
        return builder
    }
}

/// Layers with their weights.
private struct TrackerLayers {
    var builder: ONNXBuilder

    /// Depthwise, then by pixel, around a shortcut.
    mutating func block(_ input: String, _ name: String, _ weights: inout CompiledWeights) throws -> String {
        let channels = TrackerGraphs.channels
        let spatial = try builder.convolution(
            input, name + ".spatial", &weights, outputs: channels, inputs: channels, kernel: 5, isDepthwise: true,
            isActivated: true)
        let mixed = try builder.convolution(spatial, name + ".mix", &weights, outputs: channels, inputs: channels)
        return builder.node("Relu", [builder.node("Add", [mixed, input])], name: name, output: name)
    }
}
