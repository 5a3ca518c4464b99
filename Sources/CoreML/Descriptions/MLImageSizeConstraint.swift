/// How the sizes of an image feature are limited. The raw values are Apple's.
public enum MLImageSizeConstraintType: Int, Sendable {
    /// Not limited.
    case unspecified = 0
    /// One of a few sizes.
    case enumerated = 2
    /// Any size within a range.
    case range = 3
}

/// The sizes that an image feature may have.
public final class MLImageSizeConstraint: NSObject, Sendable {
    /// The kind of limit.
    public let type: MLImageSizeConstraintType
    /// The widths allowed.
    public let pixelsWideRange: NSRange
    /// The heights allowed.
    public let pixelsHighRange: NSRange
    /// The allowed sizes, if they are enumerated.
    public let enumeratedImageSizes: [MLImageSize]

    /// Allows one size or, for a nil side, any length of it.
    init(width: Int?, height: Int?) {
        func range(_ side: Int?) -> NSRange {
            side.map { NSRange(location: $0, length: 1) } ?? NSRange(location: 1, length: MLImageConstraint.longestSide)
        }
        pixelsWideRange = range(width)
        pixelsHighRange = range(height)
        if let width, let height {
            type = .enumerated
            enumeratedImageSizes = [MLImageSize(pixelsWide: width, pixelsHigh: height)]
        } else {
            type = .range
            enumeratedImageSizes = []
        }
        super.init()
    }

    /// Sizes that a file lists.
    init(enumerated sizes: [(width: Int, height: Int)]) {
        func range(_ sides: [Int]) -> NSRange {
            let (low, high) = (sides.min() ?? 0, sides.max() ?? 0)
            return NSRange(location: low, length: high - low + 1)
        }
        pixelsWideRange = range(sizes.map(\.width))
        pixelsHighRange = range(sizes.map(\.height))
        type = .enumerated
        enumeratedImageSizes = sizes.map { MLImageSize(pixelsWide: $0.width, pixelsHigh: $0.height) }
        super.init()
    }

    /// Sides within ranges.
    init(widths: ClosedRange<Int>, heights: ClosedRange<Int>) {
        pixelsWideRange = NSRange(location: widths.lowerBound, length: widths.count)
        pixelsHighRange = NSRange(location: heights.lowerBound, length: heights.count)
        type = .range
        enumeratedImageSizes = []
        super.init()
    }
}
