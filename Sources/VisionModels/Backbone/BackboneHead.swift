import VisionInference
import VisionThreads

/// A built-in network that continues where a backbone ends: its inputs are maps of one run of the backbone, by name
/// (`map.quarter`, `map.fine`, `map.middle`, `map.end`, `map.last`).
struct BackboneHead: Sendable {
    private let network: BuiltInNetwork
    private let session: Session

    /// - Parameter outputs: The expected shapes of the outputs, in their order; nil for any length.
    /// - Throws: `ModelError` for a file that is not such a network.
    init(_ network: BuiltInNetwork, outputs: [[Int?]]) throws {
        self.network = network
        session = try network.session()
        let actual = session.outputs.map(\.shape)
        // A size that is not fixed is known when the network runs.
        let fit = zip(actual, outputs).allSatisfy { actual, wanted in
            guard let actual, actual.count == wanted.count else { return false }
            return zip(actual, wanted).allSatisfy { $0 == nil || $1 == nil || $0 == $1 }
        }
        guard actual.count == outputs.count, fit else {
            throw ModelError.invalid("its outputs are not those of the network")
        }
    }

    private static func fits(_ shape: Shape, _ wanted: [Int?]?) -> Bool {
        guard let wanted else { return true }
        return shape.count == wanted.count && zip(shape, wanted).allSatisfy { $1 == nil || $0 == $1 }
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
            let inputs = try session.inputs.map { input in
                guard let found = features.value(named: input.name), Self.fits(found.shape, input.shape) else {
                    throw ModelError.invalid("the backbone has no \(input.name) of the shape \(input.shape ?? [])")
                }
                return found
            }
            return try session.run(shapes: inputs.map(\.shape), threads: threads) { index, view in
                let destination: UnsafeMutableBufferPointer<Float> = view.elements()
                inputs[index].values.withUnsafeBytes { source in
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
    /// What a head reads under a name; nil for an unknown name, or a map that was not asked for.
    fileprivate func value(named name: String) -> (shape: Shape, values: [Float])? {
        maps.first { "map.\($0.level)" == name }.map { ([1, $0.rows, $0.columns, $0.channels], $0.values) }
    }
}
