/// The shape and type of an array feature.
public final class MLMultiArrayConstraint: NSObject, Sendable {
    private let lengths: [Int?]
    /// The type of the numbers.
    public let dataType: MLMultiArrayDataType
    /// All shapes that the feature may have.
    public let shapeConstraint: MLMultiArrayShapeConstraint

    /// The length of each axis; 1 also stands for an axis of any length. Empty if the number of axes is unknown.
    public var shape: [NSNumber] { lengths.map { NSNumber(value: $0 ?? 1) } }

    /// - Parameter lengths: nil for an axis of any length.
    init(lengths: [Int?], dataType: MLMultiArrayDataType) {
        self.lengths = lengths
        self.dataType = dataType
        shapeConstraint = MLMultiArrayShapeConstraint(lengths: lengths)
        super.init()
    }

    /// The type and shape.
    public override var description: String {
        "\(dataType) \(lengths.map { $0.map(String.init) ?? "?" }.joined(separator: " × "))"
    }

    func allows(_ array: MLMultiArray) -> Bool {
        lengths.isEmpty
            || array.layout.shape.count == lengths.count
                && zip(lengths, array.layout.shape).allSatisfy { $0 == nil || $0 == $1 }
    }
}
