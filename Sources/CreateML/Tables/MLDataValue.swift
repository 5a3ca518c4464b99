/// One cell of a table.
public enum MLDataValue: Sendable, Hashable {
    /// A whole number.
    case int(Int)
    /// A number.
    case double(Double)
    /// A text.
    case string(String)
    /// Nothing.
    case invalid

    /// The whole number; nil for another kind of value.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
    /// The number, also of a whole number; nil for another kind of value.
    public var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        case .string, .invalid: nil
        }
    }
    /// The text; nil for another kind of value.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// Whether there is a value.
    public var isValid: Bool { self != .invalid }
}

extension MLDataValue: CustomStringConvertible {
    /// The value as a text; numbers with four digits behind the point.
    public var description: String {
        switch self {
        case .int(let value): String(value)
        case .double(let value): String(format: "%.4f", value)
        case .string(let value): value
        case .invalid: "–"
        }
    }
}
