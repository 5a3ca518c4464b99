extension ONNXDefinition {
    static let contributed: [String: ONNXDefinition] = [:]
}
