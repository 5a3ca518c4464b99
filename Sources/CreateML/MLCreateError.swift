/// An error of training, evaluating or writing. The reasons say what is wrong and, where possible, what to do.
public enum MLCreateError: Error, Equatable {
    /// Data or parameters that cannot be used.
    case type(reason: String)
    /// A file or folder cannot be read or written.
    case io(reason: String)
    /// An error without a case of its own.
    case generic(reason: String)

    /// The reason alone.
    public var reason: String {
        switch self {
        case .type(let reason), .io(let reason), .generic(let reason): reason
        }
    }
}

extension MLCreateError: LocalizedError, CustomStringConvertible {
    /// The reason.
    public var errorDescription: String? { reason }
    /// The reason.
    public var description: String { reason }
}
