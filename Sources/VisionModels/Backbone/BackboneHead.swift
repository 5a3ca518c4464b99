import VisionInference
import VisionThreads

/// A built-in network that continues where a backbone ends: its inputs are maps and logits of one run of the backbone,
/// by name (`map.quarter`, `map.fine`, `map.middle`, `map.end`, `map.last`, `logits`).
struct BackboneHead: Sendable {
    private let network: BuiltInNetwork
    private let session: Session
    private let shapes: [Shape]

    /// - Parameter outputs: The expected shapes of the outputs, in their order; nil for any length.
    /// - Throws: `ModelError` for a file that is not such a network.
    init(_ network: BuiltInNetwork, outputs: [[Int?]]) throws {
        self.network = network
        session = try network.session()
        shapes = try session.inputs.map { input in
            guard let shape = input.shape?.compactMap({ $0 }), shape.count == input.shape?.count else {
                throw ModelError.invalid("its input \(input.name) has no fixed shape")
            }
            return shape
        }
        let actual = session.outputs.map(\.shape)
        let fits = zip(actual, outputs).allSatisfy { actual, wanted in
            guard let actual, actual.count == wanted.count else { return false }
            return zip(actual, wanted).allSatisfy { $1 == nil || $0 == $1 }
        }
        guard actual.count == outputs.count, fits else {
            throw ModelError.invalid("its outputs are not those of the network")
        }
    }

    /// Runs the network on the features of an image.
    ///
    /// - Parameters:
    ///   - features: The features of a run with maps.
    ///   - threads: The maximum number of threads; nil for all. The results do not depend on it.
    ///   - read: Reads the outputs; they are valid during the call only.
    /// - Throws: `ModelStoreError`.
    func run<Result>(
        on features: BackboneFeatures, threads: Int?, read: ([TensorView]) throws -> Result
    ) throws -> Result {
        try network.reporting {
            let inputs = try zip(session.inputs, shapes).map { input, shape in
                let values = features.values(named: input.name)
                guard let values, values.count == shape.reduce(1, *) else {
                    throw ModelError.invalid("the backbone has no \(input.name) of \(shape) numbers")
                }
                return values
            }
            return try session.run(shapes: shapes, threads: threads) { index, view in
                let destination: UnsafeMutableBufferPointer<Float> = view.elements()
                inputs[index].withUnsafeBytes { source in
                    guard let from = source.baseAddress, let to = destination.baseAddress else { return }
                    copyBytes(source.count, from: from, to: to)
                }
            } read: { outputs in
                try read(outputs)
            }
        }
    }
}

extension BackboneFeatures {
    /// The values that a head reads under a name; nil for an unknown name, or a map that was not asked for.
    fileprivate func values(named name: String) -> [Float]? {
        name == "logits" ? logits : maps.first { "map.\($0.level)" == name }?.values
    }
}
