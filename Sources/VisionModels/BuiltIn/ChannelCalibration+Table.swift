import VisionInference

extension ChannelCalibration {
    /// Reads what `Training/Poses/calibrate.py` writes.
    ///
    /// - Throws: `WeightFileError`.
    init(_ table: BinaryTable) throws(WeightFileError) {
        let scales = try table.parts(of: "tensors", counts: "channels", values: "scales")
        var tensors: [String: ByteTensor] = [:]
        for (name, range) in try table.ranges() {
            tensors[name] = ByteTensor(scales: scales[name] ?? [], range: range)
        }
        self.init(
            tensors: tensors, corrections: try table.parts(of: "layers", counts: "counts", values: "corrections"))
    }
}
