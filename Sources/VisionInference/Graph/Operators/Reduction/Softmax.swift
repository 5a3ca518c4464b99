/// Exponentials along an axis, divided by their sum, or the logarithms of that.
package struct Softmax: FloatLineOperator {
    package var axis = -1
    /// What the elements are multiplied by before: 1 in ONNX.
    package var beta: Float = 1
    package var isLogarithm = false

    package var name: String { isLogarithm ? "LogSoftmax" : "Softmax" }
}

/// 1 for the first of the largest elements along an axis, 0 for the others.
package struct Hardmax: FloatLineOperator {
    package var axis = -1
}
