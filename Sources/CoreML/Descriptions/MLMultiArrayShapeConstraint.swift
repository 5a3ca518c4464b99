/// How the shapes of an array feature are limited. The raw values are Apple's.
public enum MLMultiArrayShapeConstraintType: Int, Sendable {
    /// Not limited.
    case unspecified = 1
    /// One of a few shapes.
    case enumerated = 2
    /// Any shape within ranges.
    case range = 3
}

/// The shapes that an array feature may have.
public final class MLMultiArrayShapeConstraint: NSObject, Sendable {
    private let lengths: [Int?]
    /// Shapes that a file lists, or the ranges of its axes.
    private let rule: ShapeRule?
    /// The kind of limit.
    public let type: MLMultiArrayShapeConstraintType

    /// - Parameter rule: of a file that says more than which lengths are open.
    init(lengths: [Int?], rule: ShapeRule? = nil) {
        self.lengths = lengths
        self.rule = rule
        if let rule {
            type = rule.isList ? .enumerated : .range
            super.init()
            return
        }
        type = lengths.isEmpty ? .unspecified : lengths.contains(nil) ? .range : .enumerated
        super.init()
    }

    /// The range of lengths of each axis, an `NSValue` of an `NSRange`.
    public var sizeRangeForDimension: [NSValue] {
        if let ranges = rule?.ranges {
            return ranges.map { NSValue(range: NSRange(location: $0.lowerBound, length: $0.count)) }
        }
        return lengths.map { length in
            NSValue(
                range: length.map { NSRange(location: $0, length: 1) } ?? NSRange(location: 1, length: Int(Int32.max)))
        }
    }

    /// The allowed shapes, if they are enumerated.
    public var enumeratedShapes: [[NSNumber]] {
        if case .list(let shapes)? = rule { return shapes.map { $0.map { NSNumber(value: $0) } } }
        let fixed = lengths.compactMap { $0 }
        return type == .enumerated ? [fixed.map { NSNumber(value: $0) }] : []
    }
}
