/// What `ChannelQuantiser` needs to know of a network: found on samples once, so that its 8-bit form is the same on
/// every computer.
package struct ChannelCalibration: Sendable {
    /// A tensor that becomes bytes, with a scale for each of its channels, which are the last axis.
    package struct ByteTensor: Hashable, Sendable {
        /// What the numbers of each channel are divided by.
        package var scales: [Float]
        /// What the bytes stand for after that.
        package var range: ClosedRange<Float>

        package init(scales: [Float], range: ClosedRange<Float>) {
            self.scales = scales
            self.range = range
        }
    }

    /// By the tensors' names.
    package var tensors: [String: ByteTensor]
    /// The convolutions that run on bytes, by the names of their results: what is added to the bias of each channel.
    package var corrections: [String: [Float]]

    package init(tensors: [String: ByteTensor], corrections: [String: [Float]]) {
        self.tensors = tensors
        self.corrections = corrections
    }
}
