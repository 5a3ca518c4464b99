/// One cell of a table.
public enum MLDataValue: Sendable, Hashable {
    /// An integer.
    case int(Int)
    /// A number.
    case double(Double)
    /// A string.
    case string(String)
    /// A missing value.
    case invalid

    /// The integer; nil for another kind of value.
    public var intValue: Int? { if case .int(let value) = self { value } else { nil } }
    /// The number, including integers; nil for another kind of value.
    public var doubleValue: Double? {
        switch self {
        case .int(let value): Double(value)
        case .double(let value): value
        case .string, .invalid: nil
        }
    }
    /// The string; nil for another kind of value.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// Whether there is a value.
    public var isValid: Bool { self != .invalid }
}

extension MLDataValue: CustomStringConvertible {
    /// The value as text; numbers with four decimal places.
    public var description: String {
        switch self {
        case .int(let value): String(value)
        case .double(let value): String(format: "%.4f", value)
        case .string(let value): value
        case .invalid: "–"
        }
    }
}
