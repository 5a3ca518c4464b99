import VisionInference

/// Makes a backbone's network in 8 bits.
///
/// All convolutions run on bytes; the classifier behind them stays in floats. The ranges of the tensors are those that
/// `Training/Scene/calibrate.py` found on photographs, so that the network is the same on every computer.
struct BackboneByteGraph {
    /// The numbers that bytes stand for, by the tensors that become bytes.
    private let ranges: [String: ClosedRange<Float>]

    /// - Throws: `WeightFileError`, `ModelStoreError` for a revision without ranges.
    init(_ revision: Backbone.Revision) throws {
        guard revision == .efficientNetLite2 else {
            throw ModelStoreError.unknownModel(
                "\(revision.model) in bytes", known: [Backbone.Revision.efficientNetLite2.model])
        }
        try self.init(BinaryTable(builtIn: "scene-bytes.table"))
    }

    init(_ table: BinaryTable) throws(WeightFileError) { ranges = try table.ranges() }

    /// Returns a network in 8 bits.
    ///
    /// - Throws: `ModelError` where the network is another one.
    func quantised(_ model: ONNXModel) throws -> ONNXModel {
        try Quantiser(model, options: .init(tensors: Set(ranges.keys))).quantised(ranges: ranges)
    }
}
