import NetworkMetadata
import Foundation
import VisionInference
import VisionModels

/// Converts the file of a network to a Core ML package.
package struct CoreMLConversion: Sendable {
    /// The width and height of images, where the network takes any.
    package var imageSize: (width: Int, height: Int)?
    /// Shapes of inputs by name, where the network leaves them open.
    package var shapes: [String: [Int]] = [:]
    /// Weights and computations in half precision.
    package var usesHalf = false

    /// What was written.
    package struct Result: Sendable {
        /// Inputs and outputs of the package, as its description has them.
        package var inputs: [String]
        package var outputs: [String]
        /// Names that are not the network's, by those.
        package var renamed: [String: String]
    }

    package init() {}

    /// Converts a `.onnx` or `.tflite` file, with its metadata: images, labels, descriptions.
    ///
    /// - Parameter package: The folder to write.
    /// - Throws: `MLModelError` for a file that cannot be read, a shape that is open, and an operator that ML programs
    ///   do not have: the message names it and the node.
    package func convert(_ url: URL, to package: URL) throws -> Result {
        let file = try ModelFile(url)
        let graph: Graph
        switch try file.contents() {
        case .coreML: throw MLModelError(.generic, "\(url.path) is a Core ML file already.")
        case .graph(let network): graph = network
        case .onnx(let model):
            guard try file.reporting({ try ClassifierFile(model) }) == nil else {
                throw MLModelError(
                    .generic,
                    "\(url.path) is a classifier that was trained here, whose features its file does not hold. Write "
                        + "it as a Core ML file when it is trained: openvision train FOLDER --output FILE.mlmodel")
            }
            graph = try file.reporting { try ONNXImporter.graph(model) }
        }
        let session = try file.reporting { try Session(graph: graph) }
        let metadata = try ModelMetadata.reporting {
            try ModelMetadata.find(besideModelAt: url, properties: session.metadata)
        }
        let interface = try ModelInterface(session: session, metadata: metadata)
        let export = try self.export(interface, metadata)
        let shapes = try interface.inputs.map { try shape(of: $0) }
        try check(interface)
        let names = try file.reporting { try export.write(graph, shapes: shapes, to: package) }
        let written = try MLModel(contentsOf: package).modelDescription
        return Result(
            inputs: written.inputDescriptionsByName.values.map(\.description).sorted(),
            outputs: written.outputDescriptionsByName.values.map(\.description).sorted(),
            renamed: names.filter { $0.key != $0.value })
    }

    /// Throws for shapes of inputs that the network does not have.
    private func check(_ interface: ModelInterface) throws {
        let known = interface.inputs.map(\.port.name)
        if let name = shapes.keys.filter({ !known.contains($0) }).min() {
            throw MLModelError(
                .generic, "The network has no input “\(name)”. It has: \(known.joined(separator: ", ")).")
        }
    }

    private func shape(of input: ModelInterface.Input) throws -> [Int] {
        let open = input.port.shape ?? input.shape
        var wanted = input.shape
        if case .image(let image) = input.kind, let imageSize {
            var sized = image.shape
            let first = sized.count - 3 + (image.channelsLast ? 0 : 1)
            sized[first] = sized[first] ?? imageSize.height
            sized[first + 1] = sized[first + 1] ?? imageSize.width
            wanted = sized
        }
        if let stated = shapes[input.port.name] {
            guard stated.count == open.count, zip(open, stated).allSatisfy({ $0 == nil || $0 == $1 }) else {
                let text = open.map { $0.map(String.init) ?? "?" }.joined(separator: "x")
                throw MLModelError(
                    .generic,
                    "The input “\(input.port.name)” has the shape \(text), not "
                        + "\(stated.map(String.init).joined(separator: "x")).")
            }
            wanted = stated
        }
        // A batch has one element.
        if wanted.count > 1, wanted[0] == nil { wanted[0] = 1 }
        let lengths = wanted.compactMap { $0 }
        guard lengths.count == wanted.count, !(wanted.isEmpty && input.port.shape == nil) else {
            let text = wanted.map { $0.map(String.init) ?? "?" }.joined(separator: "x")
            throw MLModelError(
                .generic,
                "The input “\(input.port.name)” has the shape \(text), which is open; programs are written for one "
                    + "shape. Choose it with --size or --shape \(input.port.name)=…")
        }
        return lengths
    }

    private func export(_ interface: ModelInterface, _ metadata: ModelMetadata) throws -> CoreMLExport {
        var export = CoreMLExport()
        export.usesHalf = usesHalf
        for image in interface.imageInputs {
            export.images[image.name] = CoreMLExport.Image(
                colours: image.channels == 1 ? .grey : image.isBlueFirst ? .bgr : .rgb, scale: image.scale,
                bias: image.bias, channelsLast: image.channelsLast)
        }
        if let classifier = interface.classifier {
            let functions: [ModelMetadata.ScoreFunction: CoreMLExport.Classifier.Function] = [
                .softmax: .softmax, .sigmoid: .sigmoid,
            ]
            export.classifier = CoreMLExport.Classifier(
                scores: classifier.scores, function: functions[classifier.function] ?? .none,
                labels: classifier.labels, labelName: classifier.labelName,
                probabilitiesName: classifier.probabilitiesName)
        }
        export.metadata.shortDescription = metadata.description ?? ""
        export.metadata.author = metadata.author ?? ""
        export.metadata.license = metadata.license ?? ""
        export.metadata.version = metadata.version ?? ""
        export.metadata.userDefined = metadata.userDefined
        // Labels of a detector: the property that converters write.
        if interface.classifier == nil, let labels = interface.labels, !labels.contains(where: { $0.contains(",") }) {
            export.metadata.userDefined["classes"] = labels.joined(separator: ",")
        }
        return export
    }
}
