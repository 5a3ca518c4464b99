extension ONNXDefinition {
    static let sampling: [String: ONNXDefinition] = [:]
    static let recurrent: [String: ONNXDefinition] = [:]
    static let sequences: [String: ONNXDefinition] = [:]
    static let contributed: [String: ONNXDefinition] = [:]
}
