/// Why a model could not be read, prepared or run.
package enum ModelError: Error, Hashable, Sendable {
    /// The bytes are not what the format allows; the text says what and where.
    case damaged(String)
    /// The file cannot be read.
    case unreadable(String)
    /// The graph asks for something that the engine does not do. The operator is empty where no single node asks for it; the reason
    /// then says all.
    case unsupported(operator: String, node: String, reason: String)
    /// The file is well formed, but its graph makes no sense: wrong types, shapes that do not fit, missing values.
    case invalid(String)
    /// An input of a run is missing, unknown, or of the wrong type or shape.
    case wrongInput(String)
    /// More memory, values or work than the limits allow.
    case tooLarge(String)
}

extension ModelError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .damaged(let text): "The model file is damaged: \(text)"
        case .unreadable(let text): "The model file cannot be read: \(text)"
        case .unsupported("", _, let reason): "The model is not supported: \(reason)."
        case .unsupported(let op, let node, let reason):
            "The operator \(op) of node “\(node)” is not supported\(reason.isEmpty ? "" : ": \(reason)")."
        case .invalid(let text): "The model is not valid: \(text)"
        case .wrongInput(let text): "Wrong input: \(text)"
        case .tooLarge(let text): "Too large: \(text)"
        }
    }
}
