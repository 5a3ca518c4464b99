/// Exponentials along an axis, divided by their sum, or the logarithms of that.
package struct Softmax: FloatLineOperator {
    package var axis: Int
    /// What the elements are multiplied by before: 1 in ONNX.
    package var beta: Float
    package var isLogarithm: Bool

    package init(axis: Int = -1, beta: Float = 1, isLogarithm: Bool = false) {
        self.axis = axis
        self.beta = beta
        self.isLogarithm = isLogarithm
    }

    package var name: String { isLogarithm ? "LogSoftmax" : "Softmax" }
}

/// 1 for the first of the largest elements along an axis, 0 for the others.
package struct Hardmax: FloatLineOperator {
    package var axis: Int

    package init(axis: Int = -1) { self.axis = axis }

    package var name: String { "Hardmax" }
}
