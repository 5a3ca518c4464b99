/// The shape and type of an array feature.
public final class MLMultiArrayConstraint: NSObject, Sendable {
    private let lengths: [Int?]
    /// The type of the numbers.
    public let dataType: MLMultiArrayDataType
    /// All shapes that the feature may have.
    public let shapeConstraint: MLMultiArrayShapeConstraint

    /// The length of each axis; 1 also stands for an axis of any length. Empty if the number of axes is unknown.
    public var shape: [NSNumber] { (usualShape ?? lengths.map { $0 ?? 1 }).map { NSNumber(value: $0) } }

    private let rule: ShapeRule?
    private let usualShape: [Int]?

    /// - Parameters:
    ///   - lengths: nil for an axis of any length.
    ///   - rule: the shapes that a file lists, or the ranges of its axes.
    ///   - usualShape: that of the file's description, if it allows more than one.
    init(lengths: [Int?], dataType: MLMultiArrayDataType, rule: ShapeRule? = nil, usualShape: [Int]? = nil) {
        self.lengths = lengths
        self.dataType = dataType
        self.rule = rule
        self.usualShape = usualShape
        shapeConstraint = MLMultiArrayShapeConstraint(lengths: lengths, rule: rule)
        super.init()
    }

    /// The type and shape.
    public override var description: String {
        "\(dataType) \(lengths.map { $0.map(String.init) ?? "?" }.joined(separator: " × "))"
    }

    func allows(_ array: MLMultiArray) -> Bool {
        if let rule { return rule.allows(array.layout.shape) }
        return lengths.isEmpty
            || array.layout.shape.count == lengths.count
                && zip(lengths, array.layout.shape).allSatisfy { $0 == nil || $0 == $1 }
    }
}
