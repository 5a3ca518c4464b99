/// A model that a class of an app computes (`CustomModel`): the name of the class, and its parameters.
package struct CoreMLCustomModel: Sendable {
    package enum Parameter: Sendable {
        case int(Int)
        case text(String)
        case bytes(ModelSlice)
    }

    package var className: String
    package var parameters: [String: Parameter]
    /// What it does, for people.
    package var summary = ""

    package init(className: String, parameters: [String: Parameter], summary: String) {
        self.className = className
        self.parameters = parameters
        self.summary = summary
    }

    /// Parameters of other types than those above are left out.
    init(_ message: ProtobufMessage) throws {
        className = try message.string(10)
        summary = try message.string(40)
        parameters = [:]
        for (key, value) in try message.map(30) {
            switch value.first(in: 10...60) {
            case 20: parameters[key] = .text(try value.string(20))
            case 30: parameters[key] = .int(try value.int(30))
            case 40: parameters[key] = .int(try value.int(40))
            case 60: parameters[key] = try value.slice(60).map { .bytes($0) }
            default: break
            }
        }
    }

    package func int(_ key: String) -> Int? { if case .int(let number)? = parameters[key] { number } else { nil } }
    package func text(_ key: String) -> String? { if case .text(let text)? = parameters[key] { text } else { nil } }
    package func bytes(_ key: String) -> ModelSlice? {
        if case .bytes(let bytes)? = parameters[key] { bytes } else { nil }
    }
}
