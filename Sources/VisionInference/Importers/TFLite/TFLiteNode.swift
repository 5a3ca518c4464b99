/// An operator while it is being imported.
struct TFLiteNode {
    let operation: TFLiteOperator
    let code: TFLiteOperatorCode

    var options: TFLiteOptions { operation.options }

    /// The tensor of an input that must be there.
    func input(_ index: Int) throws -> Int {
        guard let tensor = optionalInput(index) else { throw ModelError.invalid("input \(index) is missing") }
        return tensor
    }

    func optionalInput(_ index: Int) -> Int? {
        index < operation.inputs.count ? operation.inputs[index] : nil
    }

    func output(_ index: Int = 0) throws -> Int {
        guard index < operation.outputs.count else { throw ModelError.invalid("output \(index) is missing") }
        return operation.outputs[index]
    }

    /// All inputs, none of which may be left out.
    var allInputs: [Int] {
        get throws { try operation.inputs.indices.map { try input($0) } }
    }

    func unsupported(_ reason: String) -> ModelError { .unsupported(reason) }
}
