/// A file that weights come in – an archive, a checkpoint – that cannot be used, and why.
package struct WeightFileError: Error, Equatable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// The bytes are not what they should be: cut off, changed or lying about their sizes.
        case damaged
        /// A form that this package does not read.
        case unsupported
        /// The file asks for something that only running its code would give.
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
