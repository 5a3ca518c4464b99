package import Foundation

extension CoreMLFeatureClassifier {
    /// Where the parts of a classifier's pipeline have their names.
    package struct Names: Sendable {
        package var image: String
        package var features = "features"
        package var scores: String
        package var label = "classLabel"
        package var probabilities = "classLabelProbs"

        package init(image: String, scores: String) {
            self.image = image
            self.scores = scores
        }
    }

    /// The version of the specification that has custom models (iOS 12).
    private static let version: Int64 = 3

    /// Returns the file.
    ///
    /// - Parameter side: of the image in the description, in pixels.
    /// - Throws: `ModelError` where the numbers of weights do not fit each other.
    package func serialised(names: Names, side: Int, metadata: CoreMLMetadata) throws -> Data {
        guard weights.count == featureCount * labels.count, offsets.count == labels.count, !labels.isEmpty else {
            throw ModelError.invalid("\(weights.count) weights of \(featureCount) features for \(labels.count) labels")
        }
        var writer = ProtobufWriter()
        writer.int(1, Self.version)
        writer.message(2) { writer in
            Self.image(names, side, &writer)
            Self.labels(names, &writer)
            metadata.write(100, to: &writer)
        }
        writer.message(CoreMLKind.pipelineClassifier.rawValue) { writer in
            writer.message(1) { writer in
                writer.message(1) { writeExtractor(names, side, to: &$0) }
                writer.message(1) { writeNetwork(names, to: &$0) }
                writer.string(2, "features")
                writer.string(2, "classifier")
            }
        }
        return writer.data
    }

    private static func image(_ names: Names, _ side: Int, _ writer: inout ProtobufWriter) {
        CoreMLFeatureWriter.image(names.image, 1, width: side, height: side, .rgb, to: &writer)
    }

    /// Outputs of a classifier, and which of them is the label.
    private static func labels(_ names: Names, _ writer: inout ProtobufWriter) {
        CoreMLFeatureWriter.text(names.label, 10, to: &writer)
        CoreMLFeatureWriter.dictionary(names.probabilities, 10, to: &writer)
        writer.string(11, names.label)
        writer.string(12, names.probabilities)
    }

    private func writeExtractor(_ names: Names, _ side: Int, to writer: inout ProtobufWriter) {
        writer.int(1, Self.version)
        writer.message(2) { writer in
            Self.image(names, side, &writer)
            CoreMLFeatureWriter.array(names.features, 10, [featureCount], isFloat: true, to: &writer)
        }
        writer.message(Field.customModel) { writer in
            writer.string(10, extractor.className)
            for (key, value) in extractor.parameters.sorted(by: { $0.key < $1.key }) {
                writer.message(30) { writer in
                    writer.string(1, key)
                    writer.message(2) { writer in
                        switch value {
                        case .int(let number): writer.int(40, Int64(number))
                        case .text(let text): writer.string(20, text)
                        case .bytes(let bytes): bytes.withBytes { writer.bytes(60, $0) }
                        }
                    }
                }
            }
            writer.optionalString(40, extractor.summary)
        }
    }

    private func writeNetwork(_ names: Names, to writer: inout ProtobufWriter) {
        writer.int(1, Self.version)
        writer.message(2) { writer in
            CoreMLFeatureWriter.array(names.features, 1, [featureCount], isFloat: true, to: &writer)
            Self.labels(names, &writer)
        }
        writer.message(Field.network) { writer in
            let products = "products"
            Self.layer("products", names.features, products, Field.innerProduct, &writer) { writer in
                writer.int(1, Int64(featureCount))
                writer.int(2, Int64(labels.count))
                writer.int(10, 1)
                writer.message(20) { writer in
                    weights.map(\.littleEndian).withUnsafeBytes { writer.bytes(2, $0) }
                }
                writer.message(21) { $0.packedFloats(1, offsets) }
            }
            Self.layer("softmax", products, names.scores, Field.softmax, &writer) { _ in }
            writer.message(Field.stringLabels) { writer in
                for label in labels { writer.string(1, label) }
            }
            writer.string(200, names.scores)
        }
    }

    private static func layer(
        _ name: String, _ input: String, _ output: String, _ type: Int, _ writer: inout ProtobufWriter,
        _ parameters: (inout ProtobufWriter) -> Void
    ) {
        writer.message(1) { writer in
            writer.string(1, name)
            writer.string(2, input)
            writer.string(3, output)
            writer.message(type, parameters)
        }
    }
}
