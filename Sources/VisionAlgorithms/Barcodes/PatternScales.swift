/// The scales at which an image is searched for finder patterns and borders.
enum PatternScales {
    /// The original scale.
    case asIs
    /// One scale only: most large images have parts with the texture of barcodes but no barcode.
    case one
    /// The original scale and two smaller ones, down to one half.
    case reduced
    /// Small images are also enlarged: modules of two to twenty pixels are found.
    case all

    /// The maximum number of pixels of the search.
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
