/// The part of an image that the input of a network shows, as fractions of the image: with bars beside the image it
/// reaches beyond it, cropped it is smaller.
struct ModelField: Equatable, Sendable {
    var x = 0.0
    var y = 0.0
    var width = 1.0
    var height = 1.0

    init() {}

    /// - Parameters:
    ///   - image: The size of the image.
    ///   - input: The size of the input; nil for one that takes any size.
    init(image: (width: Int, height: Int), input: (width: Int, height: Int)?, crop: RunModelCommand.Crop) {
        guard let input, crop != .fill, image.width > 0, image.height > 0, input.width > 0, input.height > 0 else {
            return
        }
        // How much wider the image is than the input.
        let ratio =
            Double(image.width) / Double(image.height) * Double(input.height) / Double(input.width)
        // Bars are above and below a wider image; of a wider image the sides are cropped.
        if (ratio > 1) == (crop == .fit) {
            (y, height) = ((1 - ratio) / 2, ratio)
        } else {
            (x, width) = ((1 - 1 / ratio) / 2, 1 / ratio)
        }
    }

    /// Returns the point of the input that shows a point of the image, as fractions; nil where the image is cropped.
    func input(x imageX: Double, y imageY: Double) -> (x: Double, y: Double)? {
        let (u, v) = ((imageX - x) / width, (imageY - y) / height)
        return (0...1).contains(u) && (0...1).contains(v) ? (u, v) : nil
    }

    /// Returns the point of the image that a point of the input shows, both as fractions; outside of the image for a
    /// point in a bar.
    func image(x u: Double, y v: Double) -> (x: Double, y: Double) { (x + u * width, y + v * height) }

    /// Whether a point of the input, as fractions, shows the image and not a bar.
    func isImage(x u: Double, y v: Double) -> Bool {
        (0...1).contains(x + u * width) && (0...1).contains(y + v * height)
    }
}
