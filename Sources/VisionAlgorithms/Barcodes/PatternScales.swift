/// The sizes at which an image is searched for finder patterns and borders, in parts of its own.
enum PatternScales {
    /// As it is.
    case asIs
    /// One only: most large images have parts that look like barcodes, and no barcode.
    case one
    /// And two smaller ones, down to half of it.
    case reduced
    /// Small images are searched enlarged as well: modules of two to twenty pixels are seen.
    case all

    /// The most pixels in which patterns are searched.
    private static let pixelLimit = 500_000.0

    func factors(width: Int, height: Int) -> [Double] {
        let scale = min(2, (Self.pixelLimit / (Double(width) * Double(height))).squareRoot())
        switch self {
        case .asIs: return [1]
        case .one: return [min(1, scale)]
        case .reduced: return [1, 0.5.squareRoot(), 0.5].map { min(1, scale) * $0 }
        case .all: return scale >= 1.2 ? [1, scale] : [min(1, scale), min(1, scale) / 2]
        }
    }
}
