package import Foundation
import VisionInference

extension ModelClass {
    /// The class of an ONNX or TensorFlow Lite file, with the features that `MLModel` gives it. They follow from the
    /// file and its metadata by the rules of `ModelInterface` in CoreML; a test compares both.
    ///
    /// - Throws: `ModelError` when it cannot be read, or needs what the engine does not have.
    package init(
        networkAt url: URL, name: String? = nil, access: Access = .internal, bundle: ResourceBundle = .module
    ) throws {
        let (graph, metadata) = try ModelError.adding(.init(file: url.path)) {
            let graph = try NetworkFile.graph(contentsOf: url)
            return (graph, try NetworkMetadata.find(besideNetworkAt: url, properties: graph.metadata))
        }
        let features = NetworkFeatures(graph, metadata)
        self.init(
            name: name ?? url.deletingPathExtension().lastPathComponent, fileName: url.lastPathComponent,
            inputs: features.inputs, outputs: features.outputs, access: access, bundle: bundle)
    }

    /// The class of a model in any of the forms that have classes.
    package init(
        modelAt url: URL, name: String? = nil, access: Access = .internal, bundle: ResourceBundle = .module
    ) throws {
        let isPackage = url.pathExtension.lowercased() == "mlpackage"
        if try isPackage || ModelFileKind(ModelBytes(contentsOf: url)).isCoreML {
            try self.init(coreMLAt: url, name: name, access: access, bundle: bundle)
        } else {
            try self.init(networkAt: url, name: name, access: access, bundle: bundle)
        }
    }
}

/// The inputs and outputs of a network as features.
private struct NetworkFeatures {
    var inputs: [ModelFeature] = []
    var outputs: [ModelFeature] = []

    init(_ graph: Graph, _ metadata: NetworkMetadata) {
        var shapes: [[Int?]] = []
        for port in graph.inputs {
            let stated = metadata.inputs?[port.name]
            let (kind, shape) = Self.input(port, stated, isOnlyOne: graph.inputs.count == 1)
            inputs.append(
                ModelFeature(name: port.name, summary: "", kind: kind, isOptional: stated?.default != nil))
            shapes.append(shape)
        }
        let described = zip(graph.outputs, Self.outputShapes(graph, shapes)).map { ($0, $1) }
        let scores = Self.scores(metadata, described)
        for (port, shape) in described where port.name != scores {
            let kind = Self.output(port, shape, metadata.outputs?[port.name])
            outputs.append(ModelFeature(name: port.name, summary: "", kind: kind, isOptional: false))
        }
        guard scores != nil else { return }
        for (name, kind) in [
            (metadata.classifier?.predictedFeatureName ?? "classLabel", ModelFeature.Kind.string),
            (metadata.classifier?.predictedProbabilitiesName ?? "classLabelProbs", .dictionary(stringKeys: true)),
        ] { outputs.append(ModelFeature(name: name, summary: "", kind: kind, isOptional: false)) }
    }

    /// What an input is, and the lengths of its axes.
    private static func input(
        _ port: Graph.Port, _ stated: NetworkMetadata.Feature?, isOnlyOne: Bool
    ) -> (ModelFeature.Kind, [Int?]) {
        let shape = port.shape ?? []
        if stated?.isImage == true || stated?.type == nil && (port.type.isFloat || port.type == .uint8),
            let image = ImageAxes(shape, stated),
            stated?.isImage == true
                || shape.count == 4
                    && (isNamedLikeAnImage(port.name) || isOnlyOne && image.channels == 3)
        {
            let format: ModelFeature.PixelFormat = image.channels == 1 ? .grey : .colour
            return (.image(width: image.width ?? 0, height: image.height ?? 0, format), image.shape)
        }
        let isNumber = stated?.type == "number" || stated?.type == "integer" || stated?.type == nil && port.shape == []
        guard isNumber else { return (.array(shape: known(shape), .init(port.type)), shape) }
        let isInteger = stated?.type.map { $0 == "integer" } ?? !port.type.isFloat
        return (isInteger ? .int64 : .double, shape.map { _ in 1 })
    }

    private static func isNamedLikeAnImage(_ name: String) -> Bool {
        let lower = name.lowercased()
        return ["image", "img", "input", "data", "pixel", "photo", "picture"].contains { lower.contains($0) }
    }

    private static func output(
        _ port: Graph.Port, _ shape: [Int?], _ stated: NetworkMetadata.Feature?
    ) -> ModelFeature.Kind {
        guard stated?.isImage == true else { return .array(shape: known(shape), .init(port.type)) }
        let isGrey =
            stated?.colorOrder == "grayscale"
            || stated?.colorOrder == nil && stated?.pixelFormat == nil
                && !shape.isEmpty && !shape.suffix(3).contains(3) && !shape.suffix(3).contains(4)
        let last = stated?.layout.map { $0 == "NHWC" } ?? (shape.last == 3 || shape.last == 4)
        let sides: [Int?] = shape.count < 3 ? [nil, nil] : last ? Array(shape.dropLast().suffix(2)) : shape.suffix(2)
        let format: ModelFeature.PixelFormat =
            (stated?.pixelFormat.map { $0 == "OneComponent8" } ?? isGrey) ? .grey : .colour
        return .image(width: sides[1] ?? 0, height: sides[0] ?? 0, format)
    }

    /// A shape without open axes.
    private static func known(_ shape: [Int?]) -> [Int]? {
        shape.isEmpty || shape.contains(nil) ? nil : shape.compactMap { $0 }
    }

    /// The shapes of the outputs for those of the inputs, where these are known; else those in the file.
    private static func outputShapes(_ graph: Graph, _ inputs: [[Int?]]) -> [[Int?]] {
        let declared = graph.outputs.map { $0.shape ?? [] }
        let descriptions = zip(graph.inputs, inputs).compactMap { port, shape -> TensorDescription? in
            let lengths = shape.compactMap { $0 }
            guard port.shape != nil, lengths.count == shape.count,
                (try? lengths.checkedElementCount(port.type)) != nil
            else { return nil }
            return TensorDescription(port.type, lengths)
        }
        guard descriptions.count == graph.inputs.count,
            let shaped = try? ShapedGraph(graph, inputs: descriptions)
        else { return declared }
        return zip(graph.outputs, declared).map { port, declared in shaped[port.value]?.shape.map { $0 } ?? declared }
    }

    /// The output that a classifier replaces by labels and their probabilities.
    private static func scores(_ metadata: NetworkMetadata, _ outputs: [(Graph.Port, [Int?])]) -> String? {
        guard let labels = metadata.labels else { return nil }
        if let classifier = metadata.classifier {
            if let name = classifier.scores { return name }
        } else if let detector = metadata.detector, detector.kind != "none" {
            return nil
        }
        let candidates = outputs.filter { port, shape in
            let lengths = shape.compactMap { $0 }.filter { $0 != 1 }
            return !shape.isEmpty && lengths == (labels.count == 1 ? [] : [labels.count])
                && metadata.outputs?[port.name]?.isImage != true
        }
        guard candidates.count == 1, let scores = candidates.first?.0.name else { return nil }
        // Scores beside boxes are those of a detector, which is recognised when the model is opened.
        func says(_ name: String, _ words: [String]) -> Bool { words.contains { name.lowercased().contains($0) } }
        let hasBoxes = outputs.contains { $0.1.last == 4 && says($0.0.name, ["box", "loc", "coordinates"]) }
        let isDetector = hasBoxes && says(scores, ["score", "conf", "prob"])
        return metadata.classifier == nil && isDetector ? nil : scores
    }
}

/// The axes of an input that has the shape of an image.
private struct ImageAxes {
    var channels: Int
    var height: Int?
    var width: Int?
    var shape: [Int?]

    private static let longestSide = 1 << 16

    /// nil if it has not 1 or 3 channels.
    init?(_ lengths: [Int?], _ stated: NetworkMetadata.Feature?) {
        guard lengths.count == 3 || lengths.count == 4 else { return nil }
        if lengths.count == 4, let batch = lengths[0], batch != 1 { return nil }
        let axes = Array(lengths.suffix(3))
        let wanted = stated?.colorOrder.map { $0 == "grayscale" ? 1 : 3 }
        func counts(_ length: Int?) -> Bool { length == 1 || length == 3 }
        if stated?.layout == nil, !counts(axes[0]), !counts(axes[2]) { return nil }
        let last =
            stated?.layout.map { $0 == "NHWC" }
            ?? (counts(axes[2]) && (!counts(axes[0]) || axes[0] == 1 && axes[2] == 3))
        guard let channels = (last ? axes[2] : axes[0]) ?? wanted, counts(channels),
            wanted == nil || channels == wanted
        else { return nil }
        self.channels = channels
        height = (last ? axes[0] : axes[1]) ?? stated?.height
        width = (last ? axes[1] : axes[2]) ?? stated?.width
        for case let side? in [height, width] where !(1...Self.longestSide).contains(side) { return nil }
        let sides: [Int?] = last ? [height, width, channels] : [channels, height, width]
        shape = lengths.count == 4 ? [1] + sides : sides
    }
}

extension ModelFeature.Scalar {
    fileprivate init(_ type: ElementType) {
        switch type {
        case .float32, .bfloat16: self = .float
        case .float64: self = .double
        case .float16: self = .half
        default: self = .int32
        }
    }
}
