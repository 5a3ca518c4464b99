extension ONNXDefinition {
    static let linear: [String: ONNXDefinition] = [:]
    static let normalisation: [String: ONNXDefinition] = [:]
    static let quantisation: [String: ONNXDefinition] = [:]
    static let control: [String: ONNXDefinition] = [:]
    static let sampling: [String: ONNXDefinition] = [:]
    static let losses: [String: ONNXDefinition] = [:]
    static let recurrent: [String: ONNXDefinition] = [:]
    static let sequences: [String: ONNXDefinition] = [:]
    static let contributed: [String: ONNXDefinition] = [:]
}
