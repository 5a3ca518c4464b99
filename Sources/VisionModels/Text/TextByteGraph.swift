import VisionInference

/// Makes a network for text in 8 bits.
///
/// Only products run on bytes: those of the first blocks, of the pointwise convolutions around each GELU, and of a
/// recogniser's last layer or a detector's last convolution, nearly all that there are. The sums from block to block,
/// depthwise convolutions and attention stay in floats, where errors would spread. What rounding does to the mean of a
/// channel of a recogniser is taken off its bias (Nagel et al., "Data-Free Quantization Through Weight Equalization
/// and Bias Correction", ICCV 2019).
struct TextByteGraph {
    /// The numbers that bytes stand for, by the tensors that become bytes.
    private let ranges: [String: ClosedRange<Float>]
    /// What is added to the biases of layers, by the names of their results.
    private let corrections: [String: [Float]]

    /// - Parameter calibration: The name of a built-in table.
    /// - Throws: `WeightFileError`.
    init(_ calibration: String) throws {
        try self.init(BinaryTable(builtIn: calibration))
    }

    init(_ table: BinaryTable) throws(WeightFileError) {
        ranges = try table.ranges()
        corrections = try table.parts(of: "layers", counts: "counts", values: "corrections")
    }

    /// Returns a network in 8 bits.
    ///
    /// - Throws: `ModelError` where the network is another one.
    func quantised(_ model: ONNXModel) throws -> ONNXModel {
        var model = model
        for index in model.graph.nodes.indices where model.graph.nodes[index].operatorType == "Softmax" {
            // All of them are over the last axis, which newer operator sets count from the end.
            model.graph.nodes[index].attributes = [ONNXAttribute("axis", .int(-1))]
        }
        let quantiser = try Quantiser(model, options: .init(tensors: Set(ranges.keys)))
        return try quantiser.quantised(ranges: ranges, corrections: corrections)
    }
}
