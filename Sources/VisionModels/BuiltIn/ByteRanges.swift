import VisionInference

/// The ranges of tensors by which a network runs in 8 bits: found on photographs once and built into the library, so
/// that the network is the same on every computer.
///
/// Layers that read tensors without a range stay in floats.
struct ByteRanges {
    /// The numbers that bytes stand for, by the tensors that become bytes.
    private let ranges: [String: ClosedRange<Float>]

    /// Of EfficientNet-Lite2: all convolutions, not the classifier behind them (`Training/Scene/calibrate.py`).
    static let scene = "scene-bytes.table"

    /// - Throws: `WeightFileError`.
    init(builtIn name: String) throws(WeightFileError) { ranges = try BinaryTable(builtIn: name).ranges() }

    /// Returns a network in 8 bits.
    ///
    /// - Throws: `ModelError` where the network is another one.
    func quantised(_ model: ONNXModel) throws -> ONNXModel {
        try Quantiser(model, options: .init(tensors: Set(ranges.keys))).quantised(ranges: ranges)
    }
}
