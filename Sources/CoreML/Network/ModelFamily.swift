import NetworkMetadata
import VisionInference
import VisionModels

/// A family of networks whose files do not say how images are prepared for them, and which is told by its graph.
enum ModelFamily {
    /// YOLOX with its Focus stem: blue first, 0 to 255 (its documentation; models before version 0.1.1 differ).
    case yolox

    /// - Parameter detector: What the outputs look like.
    init?(_ session: Session, input: Graph.Port, detector: DetectorSettings.Kind?) {
        guard detector == .yolox, Self.hasFocusStem(session.nodes, input.value) else { return nil }
        self = .yolox
    }

    /// Whether the image is cut into its four sets of every other pixel of every other row, which become channels of
    /// one convolution.
    private static func hasFocusStem(_ nodes: [Graph.Node], _ input: Graph.ValueID) -> Bool {
        var slices: Set<Graph.ValueID> = [input]
        for node in nodes where slices.contains(node.inputs.first.flatMap { $0 } ?? -1) {
            guard node.operation.name == "Slice" else { continue }
            slices.formUnion(node.outputs)
        }
        guard let join = nodes.first(where: { $0.operation.name == "Concat" }), join.inputs.count == 4,
            Set(join.inputs).count == 4,
            join.inputs.allSatisfy({ $0.map { slices.contains($0) && $0 != input } ?? false })
        else { return false }
        return nodes.contains { node in
            node.operation.name == "Conv" && node.inputs.first.flatMap { $0 } == join.outputs.first
        }
    }

    /// What the metadata says of the image, or, where it says nothing of its colours and their range, what the family
    /// wants.
    func completing(_ feature: ModelMetadata.Feature?) -> ModelMetadata.Feature? {
        var feature = feature ?? ModelMetadata.Feature()
        guard feature.statesNothingOfColours else { return feature }
        switch self {
        case .yolox:
            feature.colourOrder = .bgr
            feature.scale = SIMD3(repeating: 1)
        }
        return feature
    }
}

extension ModelMetadata.Feature {
    /// Whether the preprocessing of an image is assumed.
    var statesNothingOfColours: Bool { colourOrder == nil && scale == nil && bias == nil }
}
