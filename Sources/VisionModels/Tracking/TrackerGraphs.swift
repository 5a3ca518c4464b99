package import VisionInference

/// The networks of the learned tracker: the first blocks of EfficientNet-Lite0 from the model store, followed by the
/// tracker's own layers, which are built into the library.
///
/// The template network turns an image of the target into 64 filters, one for each part of the target and its
/// surroundings, and a weight for each channel. The view network computes the feature map of a frame; the search
/// network correlates 16 × 16 positions of it with the filters and returns for each how likely the target is there and
/// where the four sides of its box are. Correlation by parts of the template: Yan et al., "Alpha-Refine",
/// CVPR 2021; boxes by their sides: Xu et al., "SiamFC++", AAAI 2020.
///
/// The feature map does not depend on the target, so several trackers can share one forward pass.
package struct TrackerGraphs {
    /// The sides of the networks' input images, in pixels.
    package static let templateSide = 128
    package static let searchSide = 256
    /// The stride of the networks: pixels of the input for each row and column of the output.
    package static let step = 16
    package static let channels = 64
    package static let templateCells = templateSide / step
    package static let searchCells = searchSide / step

    /// Where the trunk ends, by the input of the tracker's networks: maps at an eighth and at a sixteenth of the
    /// image's size.
    private static let maps = ["fine": "block4.add", "coarse": "block7.add"]

    package let template: ONNXModel
    package let view: ONNXModel
    package let search: ONNXModel

    /// - Parameters:
    ///   - lite0: EfficientNet-Lite0 from the model store.
    ///   - own: Returns one of the tracker's built-in networks.
    /// - Throws: `ModelError` where the networks do not fit each other, `ModelStoreError`.
    init(lite0: ONNXModel, own: (BuiltInNetwork) throws -> ONNXModel = { try $0.model() }) throws {
        let trunk = try Self.trunk(of: lite0)
        let side = ONNXDimension.fixed(Self.templateSide)
        template = try Self.image(height: side, width: side).followed(by: trunk).followed(
            by: own(.trackerTemplate), joining: Self.maps, name: "tracker template")
        view = try Self.image(height: "height", width: "width").followed(by: trunk).followed(
            by: own(.trackerView), joining: Self.maps, name: "tracker view")
        search = try own(.trackerSearch)
    }

    /// Returns the network up to the maps, quantised except for its first layers, whose channels differ too much for
    /// one scale. Its padding is right for every image size that is a multiple of 16.
    private static func trunk(of lite0: ONNXModel) throws -> ONNXModel {
        guard lite0.graph.inputs.map(\.name) == ["image"] else {
            throw ModelError.invalid("its input is not “image”")
        }
        var trunk = try lite0.cut(at: maps.values.sorted())
        trunk.opsets = ["": 13]
        trunk.graph.inputs = [ONNXValueInfo("image", .tensor(.float, shape: [1, 3, "height", "width"]))]
        let floats = trunk.graph.nodes.map(\.name).filter { $0.hasPrefix("stem") || $0.hasPrefix("block0.") }
        return try Quantiser(trunk, options: .init(excludedNodes: Set(floats))).quantised(ranges: trunkRanges)
    }

    /// "pixels", 1 × height × width × 3, to "image", the same with channels first.
    private static func image(height: ONNXDimension, width: ONNXDimension) -> ONNXModel {
        var builder = ONNXBuilder(opset: 13, name: "tracker")
        builder.input("pixels", [1, height, width, 3])
        builder.node("Transpose", ["pixels"], ["perm": [0, 3, 1, 2]], output: "image")
        builder.output("image")
        return builder.model
    }
}
