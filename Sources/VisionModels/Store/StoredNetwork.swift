import VisionInference

/// A network of the model store with fixed shapes, ready to run.
struct StoredNetwork: Sendable {
    private let model: String
    private let session: Session
    private let shapes: [Shape]

    /// - Parameters:
    ///   - calibration: The built-in table by which the network runs in 8 bits where products of bytes are fast; nil to
    ///     run it in floats.
    ///   - isRead: Whether the caller reads an output of this shape; others are not computed.
    ///   - isExpected: Whether the shapes of the inputs and of the outputs that are read are those that the caller
    ///     needs.
    /// - Throws: `ModelStoreError`.
    init(
        _ model: String, store: InstalledModels, calibration: String? = nil,
        reading isRead: ([Int?]) -> Bool = { _ in true }, isExpected: (Session) -> Bool
    ) throws {
        let url = try store.url(for: model)
        self.model = model
        session = try ModelStoreError.reporting(model, "cannot be loaded") {
            var graph = try NetworkFile.graph(contentsOf: url)
            graph.outputs.removeAll { !isRead($0.shape ?? []) }
            if let calibration, ByteProducts.areFast {
                graph = try ChannelQuantiser.quantised(graph, ChannelCalibration(BinaryTable(builtIn: calibration)))
            }
            return try Session(graph: graph)
        }
        shapes = session.inputs.map { ($0.shape ?? []).compactMap { $0 } }
        guard isExpected(session) else {
            throw ModelStoreError.damaged(model, reason: "its inputs or outputs are not those of the network")
        }
    }

    /// Runs the network, which has one input.
    func run<Result>(
        threads: Int?, fill: (TensorView) throws -> Void, read: ([TensorView]) throws -> Result
    ) throws -> Result {
        try ModelStoreError.reporting(model, "cannot be run") {
            try session.run(shapes: shapes, threads: threads, fill: { _, view in try fill(view) }, read: read)
        }
    }
}
