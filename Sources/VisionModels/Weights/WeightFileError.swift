/// The reason why a file of weights, an archive or a checkpoint, cannot be used.
package struct WeightFileError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// The bytes are truncated, changed or have wrong sizes.
        case damaged
        /// A format that this package does not read.
        case unsupported
        /// The file needs the execution of code.
        case refused
        /// The weights do not fit the network that they are for.
        case mismatch
    }

    package let kind: Kind
    package let reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    package var description: String { reason }
}
