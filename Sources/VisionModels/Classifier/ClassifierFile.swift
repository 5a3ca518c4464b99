package import Foundation
package import VisionInference

/// The file of a trained classifier: a last layer on the features of another network.
///
/// The file is ONNX. One node of the domain `ClassifierFile.domain` computes the features from the image; the nodes
/// after it are plain ONNX. `Documentation/CreateML.md` describes both operators.
package struct ClassifierFile: Sendable {
    package static let domain = "org.openvision"
    static let version = 1
    static let sceneOperator = "ScenePrint"
    static let networkOperator = "NetworkFeatures"
    /// The name of the image input.
    package static let imageName = "image"
    /// The output with the probabilities of the classes.
    package static let scoresName = "scores"
    /// The side of the image in the description, in pixels, as in Create ML's own classifiers. Images of every size are
    /// accepted and resized to the input of the feature network.
    package static let statedSide = 299

    package enum Extractor: Sendable {
        /// The pooled features of a backbone, by the number of its revision.
        case scene(revision: Int)
        /// An output of another network, whose file is inside this one.
        case network(EmbeddedNetwork)
    }

    /// A network within a file.
    package struct EmbeddedNetwork: Sendable {
        /// "onnx" or "tflite".
        package var form: String
        package var bytes: ModelSlice
        /// JSON as described in `Documentation/ModelMetadata.md`; nil for what the file itself says.
        package var metadata: String?
        package var output: String

        package init(form: String, bytes: ModelSlice, metadata: String?, output: String) {
            self.form = form
            self.bytes = bytes
            self.metadata = metadata
            self.output = output
        }
    }

    package let extractor: Extractor
    /// The rest of the network: one input, the features.
    package let head: ONNXModel
    package let featureCount: Int

    // MARK: - Reading

    /// - Returns: nil for a model without a node of the domain: an ordinary network.
    /// - Throws: `ModelError` for a model that has one and is not as described.
    package init?(_ model: ONNXModel) throws(ModelError) {
        let indices = model.graph.nodes.indices.filter { model.graph.nodes[$0].domain == Self.domain }
        guard let index = indices.first else { return nil }
        let node = model.graph.nodes[index]
        guard indices.count == 1, node.inputs.count == 1, node.outputs.count == 1, !node.outputs[0].isEmpty else {
            throw .invalid("it must have one node of \(Self.domain) with one input and one output")
        }
        if let version = model.opsets[Self.domain], version != Self.version {
            throw .unsupported(
                "version \(version) of \(Self.domain) is not known, only \(Self.version)",
                operation: node.operatorType, node: node.name)
        }
        guard model.graph.inputs.count == 1, model.graph.inputs[0].name == node.inputs[0] else {
            throw .invalid("the node “\(node.name)” must take the only input of the model")
        }
        guard
            !model.graph.nodes.indices.contains(where: {
                $0 != index && model.graph.nodes[$0].inputs.contains(node.inputs[0])
            })
        else {
            throw .invalid("the image goes to another node than “\(node.name)” as well")
        }
        guard case .int(let count)? = node.attribute("features"), (1...Self.largestFeatureCount).contains(Int(count))
        else { throw .invalid("the node “\(node.name)” does not say how many features it gives") }
        featureCount = Int(count)
        extractor = try Self.extractor(of: node)
        var head = model
        head.opsets[Self.domain] = nil
        head.graph.nodes.remove(at: index)
        head.graph.inputs = [ONNXValueInfo(node.outputs[0], .tensor(.float, shape: [1, .fixed(featureCount)]))]
        self.head = head
    }

    /// The outputs of a network that can be features.
    package static let largestFeatureCount = 1 << 20

    private static func extractor(of node: ONNXNode) throws(ModelError) -> Extractor {
        switch node.operatorType {
        case sceneOperator:
            guard case .int(let revision)? = node.attribute("revision"), let revision = Int32(exactly: revision) else {
                throw .invalid("the node “\(node.name)” does not say which revision of the scene network it means")
            }
            return .scene(revision: Int(revision))
        case networkOperator:
            guard case .string(let form)? = node.attribute("form"), ["onnx", "tflite"].contains(form),
                case .string(let output)? = node.attribute("output"),
                case .tensor(let file)? = node.attribute("network"), file.type == .uint8
            else { throw .invalid("the node “\(node.name)” does not hold a network") }
            var metadata: String?
            if let value = node.attribute("metadata") {
                guard case .string(let text) = value else {
                    throw .invalid("the metadata of the node “\(node.name)” is no text")
                }
                metadata = text
            }
            return .network(EmbeddedNetwork(form: form, bytes: file.data, metadata: metadata, output: output))
        default:
            throw .unsupported(
                "\(Self.domain) has no operator of that name", operation: node.operatorType, node: node.name)
        }
    }

    // MARK: - Writing

    /// Returns the file of a classifier's last layer.
    ///
    /// - Parameters:
    ///   - weights: The bits of half-precision floats, `featureCount` for each class.
    ///   - metadata: The JSON text with the labels.
    /// - Throws: `ModelError` where the sizes do not fit each other.
    package static func data(
        extractor: Extractor, featureCount: Int, weights: [UInt16], offsets: [Float], metadata: String,
        documentation: String
    ) throws -> Data {
        var builder = ONNXBuilder(opset: 17, name: "classifier")
        builder.model.opsets[domain] = version
        builder.model.documentation = documentation
        builder.model.metadata["openvision"] = metadata
        let classes = offsets.count
        let image = builder.input(imageName, [1, .fixed(statedSide), .fixed(statedSide), 3], .uint8)
        var node = ONNXNode()
        node.name = "features"
        node.domain = domain
        node.inputs = [image]
        node.outputs = ["features"]
        node.attributes = [ONNXAttribute("features", .int(Int64(featureCount)))]
        switch extractor {
        case .scene(let revision):
            node.operatorType = sceneOperator
            node.attributes.append(ONNXAttribute("revision", .int(Int64(revision))))
            if let backbone = Backbone.Revision(rawValue: revision) {
                node.attributes.append(ONNXAttribute("network", .string(backbone.model)))
            }
        case .network(let network):
            node.operatorType = networkOperator
            node.attributes += [
                ONNXAttribute("form", .string(network.form)), ONNXAttribute("output", .string(network.output)),
                ONNXAttribute(
                    "network",
                    .tensor(try ONNXTensor(name: "", type: .uint8, shape: [network.bytes.count], data: network.bytes))),
            ]
            if let metadata = network.metadata { node.attributes.append(ONNXAttribute("metadata", .string(metadata))) }
        }
        builder.model.graph.nodes.append(node)
        try builder.initialiser("weights", .float16, [classes, featureCount], elements: weights)
        try builder.initialiser("offsets", [classes], offsets)
        let wide = builder.node("Cast", ["weights"], ["to": .int(Int64(ONNXDataType.float.rawValue))])
        let products = builder.node("Gemm", ["features", wide, "offsets"], ["transB": 1])
        builder.output(builder.node("Softmax", [products], ["axis": 1], output: scoresName), [1, .fixed(classes)])
        return builder.data()
    }
}
