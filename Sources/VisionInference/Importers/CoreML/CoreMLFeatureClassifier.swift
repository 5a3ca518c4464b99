/// A classifier of images as a pipeline of two models: a custom model that makes features of an image, and a neural
/// network of one layer with half-precision weights and of softmax.
package struct CoreMLFeatureClassifier: Sendable {
    /// Field numbers of Model.proto and NeuralNetwork.proto.
    enum Field {
        static let customModel = 555
        static let network = 403
        static let innerProduct = 140
        static let softmax = 175
        static let stringLabels = 100
    }

    package var extractor: CoreMLCustomModel
    package var labels: [String]
    package var featureCount: Int
    /// The bits of half floats, `featureCount` for each label.
    package var weights: [UInt16]
    package var offsets: [Float]

    package init(
        extractor: CoreMLCustomModel, labels: [String], featureCount: Int, weights: [UInt16], offsets: [Float]
    ) {
        self.extractor = extractor
        self.labels = labels
        self.featureCount = featureCount
        self.weights = weights
        self.offsets = offsets
    }

    /// - Parameter classNames: of the custom models that are known.
    /// - Returns: nil for a model that does not begin with one of these: an ordinary model, or one that is refused.
    /// - Throws: `ModelError` for a model that does and is not as described.
    package init?(_ model: CoreMLModel, classNames: Set<String>) throws {
        guard model.kind == .pipelineClassifier, let models = try model.content.message(1)?.messages(1),
            let custom = try models.first?.message(Field.customModel)
        else { return nil }
        extractor = try CoreMLCustomModel(custom)
        guard classNames.contains(extractor.className) else { return nil }
        guard models.count == 2, let network = try models[1].message(Field.network) else {
            throw ModelError.invalid("the custom model \(extractor.className) must be followed by one network")
        }
        let layers = try network.messages(1)
        guard layers.count == 2, let product = try layers[0].message(Field.innerProduct), layers[1].has(Field.softmax)
        else { throw ModelError.invalid("the network must have the layers innerProduct and softmax") }
        labels = try network.message(Field.stringLabels)?.strings(1) ?? []
        featureCount = try product.int(1)
        let count = try product.int(2)
        guard !labels.isEmpty, count == labels.count, (1...ModelLimits.nodes).contains(featureCount) else {
            throw ModelError.invalid("a layer of \(featureCount) × \(count) weights for \(labels.count) labels")
        }
        let (size, overflow) = featureCount.multipliedReportingOverflow(by: count)
        guard !overflow, let halves = try product.message(20)?.slice(2), halves.count == 2 * size else {
            throw ModelError.damaged("the layer has other than \(featureCount) × \(count) half-precision weights")
        }
        weights = halves.withBytes { raw in
            (0..<size).map { UInt16(littleEndian: raw.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self)) }
        }
        offsets = try product.message(21)?.floats(1) ?? []
        guard offsets.count == count else {
            throw ModelError.damaged("the layer has \(offsets.count) biases for \(count) labels")
        }
    }
}
