package import Foundation

/// Writes networks as Core ML packages: ML programs that Core ML of iOS 16 and macOS 13 runs, and those after them.
///
/// The program has the operations of the network as it was imported, images with channels first; nothing of it is fused
/// or quantised.
package struct CoreMLExport: Sendable {
    /// An input that takes an image.
    package struct Image: Sendable {
        package enum Colours: Sendable { case grey, rgb, bgr }

        package var colours: Colours
        /// An element of the network's input is byte · scale + bias; for red, green and blue.
        package var scale: SIMD3<Float>
        package var bias: SIMD3<Float>
        /// The layout of the network's input: (N, H, W, C), else (N, C, H, W).
        package var channelsLast: Bool

        package init(colours: Colours, scale: SIMD3<Float>, bias: SIMD3<Float>, channelsLast: Bool) {
            self.colours = colours
            self.scale = scale
            self.bias = bias
            self.channelsLast = channelsLast
        }
    }

    /// What makes a label of an output.
    package struct Classifier: Sendable {
        package enum Function: Sendable { case none, softmax, sigmoid }

        /// The output with a number for each label.
        package var scores: String
        /// What makes probabilities of the numbers.
        package var function: Function
        package var labels: [String]
        package var labelName: String
        package var probabilitiesName: String

        package init(
            scores: String, function: Function, labels: [String], labelName: String, probabilitiesName: String
        ) {
            self.scores = scores
            self.function = function
            self.labels = labels
            self.labelName = labelName
            self.probabilitiesName = probabilitiesName
        }
    }

    package var images: [String: Image] = [:]
    package var classifier: Classifier?
    package var metadata = CoreMLMetadata()
    /// Weights and computations in half precision; inputs and outputs stay 32-bit floats.
    package var usesHalf = false

    package init() {}

    /// Writes a package. One that is there is replaced.
    ///
    /// - Parameters:
    ///   - shapes: of the inputs, in the order of the graph.
    ///   - package: the folder to write, which ends in `.mlpackage`.
    /// - Returns: The names that inputs and outputs have in the package, by those in the network.
    /// - Throws: `ModelError` when the network has what ML programs have not; it names the operator and the node.
    @discardableResult
    package func write(_ graph: Graph, shapes: [Shape], to package: URL) throws -> [String: String] {
        let folder = try CoreMLPackageFolder(replacing: package)
        do {
            let weights = try CoreMLBlobWriter(creating: folder.weights)
            let program = MILProgram(usesHalf: usesHalf, weights: weights)
            let model = try ExportedModel(graph, shapes: shapes, options: self, program: program)
            try model.specification().write(to: folder.specification)
            try weights.close()
            try folder.finish()
            return model.names
        } catch {
            folder.discard()
            throw error
        }
    }
}

/// What a Core ML file says of itself.
package struct CoreMLMetadata: Sendable {
    package var shortDescription = ""
    package var version = ""
    package var author = ""
    package var license = ""
    package var userDefined: [String: String] = [:]

    package init() {}

    /// Writes a `Metadata`.
    func write(_ field: Int, to writer: inout ProtobufWriter) {
        writer.message(field) { writer in
            writer.optionalString(1, shortDescription)
            writer.optionalString(2, version)
            writer.optionalString(3, author)
            writer.optionalString(4, license)
            for (key, value) in userDefined.sorted(by: { $0.key < $1.key }) {
                writer.message(100) { writer in
                    writer.string(1, key)
                    writer.string(2, value)
                }
            }
        }
    }
}
