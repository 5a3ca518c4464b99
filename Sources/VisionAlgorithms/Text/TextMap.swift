/// How likely each pixel of a picture is well inside a line of text: what networks for differentiable binarisation give (Liao et
/// al., "Real-time scene text detection with differentiable binarization", AAAI 2020).
///
/// Networks are taught lines that are narrower than the text, so that lines that lie close together stay apart.
package struct TextMap: Sendable {
    package let width: Int
    package let height: Int
    /// Row by row, 0…1. What is no number is no text.
    package let values: [Float]

    /// - Precondition: there is a value for each pixel.
    package init(width: Int, height: Int, values: [Float]) {
        precondition(width > 0 && height > 0 && values.count == width * height)
        self.width = width
        self.height = height
        self.values = values
    }
}
