/// The probability of each pixel of an image to be well inside a text line: the output of networks for differentiable
/// binarisation (Liao et al., "Real-time scene text detection with differentiable binarization", AAAI 2020).
///
/// Networks are trained with text lines shrunk to their core, so that neighbouring lines stay separate.
package struct TextMap: Sendable {
    package let width: Int
    package let height: Int
    /// 0…1, in row-major order. NaN counts as no text.
    package let values: [Float]

    /// - Precondition: there is a value for each pixel.
    package init(width: Int, height: Int, values: [Float]) {
        precondition(width > 0 && height > 0 && values.count == width * height)
        self.width = width
        self.height = height
        self.values = values
    }
}
