/// Sizes and numbers of a convolution of bytes, whatever operator it came from.
struct QuantisedLayer: Hashable, Sendable {
    var images: Int
    var inHeight: Int
    var inWidth: Int
    var inChannels: Int
    var outHeight: Int
    var outWidth: Int
    var outChannels: Int
    var groups: Int
    var geometry: WindowGeometry
    var padTop: Int
    var padLeft: Int
    /// Weights from one to the next; taps follow each other evenly.
    var outputStep: Int
    var inputStep: Int
    var tapStep: Int
    var zeroPoint: Int
    var scales: [Float]
    var result: QuantisedResult

    var taps: Int { geometry.kernelWidth * geometry.kernelHeight }
    var isDepthwise: Bool { groups > 1 && groups == inChannels && inChannels == outChannels && result != .floats }
    /// Input channels of a group.
    var depth: Int { inChannels / groups }
    /// Multiplications for one image.
    var macs: Int { outHeight * outWidth * outChannels * depth * taps }

    /// Where the weights of an output channel lie.
    func weightIndices(of channel: Int) -> [Int] {
        (0..<taps).flatMap { tap in
            (0..<depth).map { channel * outputStep + $0 * inputStep + tap * tapStep }
        }
    }

    /// Whether all sums, and their products with the scales, fit the kernels' 32 bits, whatever the image.
    func fits(weights: [Int8], bias: [Int32]?) -> Bool {
        guard taps * depth <= 65_000, scales.allSatisfy(\.isFinite) else { return false }
        for channel in 0..<outChannels {
            var total = 0
            for index in weightIndices(of: channel) {
                guard weights.indices.contains(index) else { return false }
                total += abs(Int(weights[index]))
            }
            // What the zero point takes off is no more than what the largest bytes add.
            let most = 2 * 255 * total + abs(Int(bias?[channel] ?? 0))
            guard most < 1 << 31, Float(most) * abs(scales[channel]) < 0x1p30 else { return false }
        }
        return true
    }
}
