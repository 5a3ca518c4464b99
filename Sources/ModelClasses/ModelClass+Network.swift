package import Foundation
import NetworkMetadata
import VisionInference

extension ModelClass {
    /// The class of an ONNX or TensorFlow Lite file, with the features that `MLModel` gives it. They follow from the
    /// file and its metadata by the rules of `ModelInterface` in CoreML; a test compares both.
    ///
    /// - Throws: `ModelError` when it cannot be read, or needs what the engine does not have.
    package init(
        networkAt url: URL, name: String? = nil, access: Access = .internal, bundle: ResourceBundle = .module
    ) throws {
        let features = try ModelError.adding(.init(file: url.path)) {
            let graph = try NetworkFile.graph(contentsOf: url)
            do {
                return try NetworkFeatures(
                    graph, try ModelMetadata.find(besideModelAt: url, properties: graph.metadata))
            } catch let error as UnusableMetadata {
                throw ModelError.invalid(error.description)
            } catch let error as InputForm.Misfit {
                throw ModelError.invalid(error.description)
            }
        }
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

    /// - Throws: `InputForm.Misfit`.
    init(_ graph: Graph, _ metadata: ModelMetadata) throws {
        let forms = try graph.inputs.map { port in
            try InputForm(
                of: port.name, shape: port.shape, isFloat: port.type.isFloat,
                mayBeImage: port.type.isFloat || port.type == .uint8, isOnlyOne: graph.inputs.count == 1,
                stated: metadata.inputs[port.name])
        }
        inputs = zip(graph.inputs, forms).map { port, form in
            ModelFeature(
                name: port.name, summary: "", kind: Self.kind(form, port),
                isOptional: metadata.inputs[port.name]?.defaultValue != nil)
        }
        let shapes = zip(graph.inputs, forms).map { $1.shape(of: $0.shape) }
        let described = zip(graph.outputs, Self.outputShapes(graph, shapes)).map { ($0, $1) }
        let scores = Self.scores(metadata, forms, described)
        for (port, shape) in described where port.name != scores {
            let kind = Self.output(port, shape, metadata.outputs[port.name])
            outputs.append(ModelFeature(name: port.name, summary: "", kind: kind, isOptional: false))
        }
        guard scores != nil else { return }
        let names = metadata.classifier ?? ModelMetadata.Classifier()
        for (name, kind) in [
            (names.predictedFeatureName, ModelFeature.Kind.string),
            (names.predictedProbabilitiesName, .dictionary(stringKeys: true)),
        ] { outputs.append(ModelFeature(name: name, summary: "", kind: kind, isOptional: false)) }
    }

    private static func kind(_ form: InputForm, _ port: Graph.Port) -> ModelFeature.Kind {
        switch form {
        case .image(let axes):
            .image(width: axes.width ?? 0, height: axes.height ?? 0, axes.channels == 1 ? .grey : .colour)
        case .number: .double
        case .integer: .int64
        case .array: .array(shape: known(port.shape ?? []), .init(port.type))
        }
    }

    private static func output(
        _ port: Graph.Port, _ shape: [Int?], _ stated: ModelMetadata.Feature?
    ) -> ModelFeature.Kind {
        guard let stated, stated.kind == .image else { return .array(shape: known(shape), .init(port.type)) }
        let sides = ModelMetadata.outputSides(
            of: shape, channelsLast: stated.layout.map { $0 == .channelsLast })
        return .image(
            width: sides.width ?? 0, height: sides.height ?? 0,
            stated.outputFormat(of: shape) == .grey ? .grey : .colour)
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
    private static func scores(
        _ metadata: ModelMetadata, _ inputs: [InputForm], _ outputs: [(port: Graph.Port, shape: [Int?])]
    ) -> String? {
        let arrays = outputs.filter { metadata.outputs[$0.port.name]?.kind != .image }
        let image = inputs.compactMap { if case .image(let axes) = $0 { axes } else { nil } }.first
        let recognition = DetectorRecognition(
            outputs: arrays.map { ($0.port.name, $0.shape.map { $0 ?? 0 }) }, inputWidth: image?.width ?? 1,
            inputHeight: image?.height ?? 1, labelCount: metadata.labels?.count, settings: metadata.detector)
        return metadata.scores(among: arrays.map { ($0.port.name, $0.shape) }, recognition)
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
