/// Why a model could not be read, prepared or run: what is wrong, and where.
package struct ModelError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The bytes are not what the format allows.
        case damaged
        /// The file cannot be read.
        case unreadable
        /// The graph asks for something that the engine does not do.
        case unsupported
        /// The file is well formed, but its graph makes no sense: wrong types, shapes that do not fit, missing values.
        case invalid
        /// An input of a run is missing, unknown, or of the wrong type or shape.
        case wrongInput
        /// More memory, values or work than the limits allow.
        case tooLarge
    }

    /// Where something is wrong, as far as it is known.
    package struct Context: Hashable, Sendable {
        package var file: String?
        package var operation: String?
        package var node: String?

        package init(file: String? = nil, operation: String? = nil, node: String? = nil) {
            (self.file, self.operation, self.node) = (file, operation, node)
        }
    }

    package let kind: Kind
    package let reason: String
    package private(set) var context: Context

    package init(_ kind: Kind, _ reason: String, _ context: Context = Context()) {
        self.kind = kind
        self.reason = reason
        self.context = context
    }

    package static func damaged(_ reason: String) -> ModelError { ModelError(.damaged, reason) }
    package static func unreadable(_ reason: String) -> ModelError { ModelError(.unreadable, reason) }
    package static func invalid(_ reason: String) -> ModelError { ModelError(.invalid, reason) }
    package static func wrongInput(_ reason: String) -> ModelError { ModelError(.wrongInput, reason) }
    package static func tooLarge(_ reason: String) -> ModelError { ModelError(.tooLarge, reason) }

    package static func unsupported(_ reason: String, operation: String? = nil, node: String? = nil) -> ModelError {
        ModelError(.unsupported, reason, Context(operation: operation, node: node))
    }

    /// The error with what it does not know yet of where it happened.
    package func within(_ context: Context) -> ModelError {
        var result = self
        result.context.file = self.context.file ?? context.file
        // An operator and its node belong together.
        if self.context.operation == nil, self.context.node == nil {
            result.context.operation = context.operation
            result.context.node = context.node
        }
        return result
    }

    /// Runs `body`; errors that it throws learn where they happened, as far as they do not know it yet.
    package static func adding<Result>(
        _ context: @autoclosure () -> Context, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as ModelError {
            throw error.within(context())
        }
    }
}

extension ModelError: CustomStringConvertible {
    package var description: String {
        let node = context.node.flatMap { $0.isEmpty ? nil : "node “\($0)”" }
        let location = [context.operation.map { "operator \($0)" }, node].compactMap { $0 }.joined(separator: ", ")
        let suffix = location.isEmpty ? "" : " (\(location))"
        let text =
            switch kind {
            case .damaged: "The model file is damaged: \(reason)\(suffix)"
            case .unreadable: "The model file cannot be read: \(reason)\(suffix)"
            case .unsupported:
                (context.operation.map { "The operator \($0)" + (node.map { " of \($0)" } ?? "") } ?? "The model")
                    + " is not supported" + (reason.isEmpty ? "." : ": \(reason).")
            case .invalid: "The model is not valid: \(reason)\(suffix)"
            case .wrongInput: "Wrong input: \(reason)\(suffix)"
            case .tooLarge: "Too large: \(reason)\(suffix)"
            }
        return (context.file.map { "\($0): " } ?? "") + text
    }
}
