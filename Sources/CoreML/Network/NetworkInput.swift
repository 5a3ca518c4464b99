import VisionInference

/// A value for one input of a network: its shape, and a function that writes it to the network's memory.
package struct NetworkInput: Sendable {
    let shape: [Int]
    let fill: @Sendable (TensorView) -> Void

    init(shape: [Int], fill: @escaping @Sendable (TensorView) -> Void) {
        self.shape = shape
        self.fill = fill
    }

    /// The elements of an array, converted to the network's type. For integers, fractions are truncated and values out
    /// of range clamped.
    init(_ array: MLMultiArray, shape: [Int]) {
        self.init(shape: shape) { view in view.write(array) }
    }

    /// The same number for all elements.
    init(number: Double, shape: [Int]) {
        self.init(shape: shape) { view in
            for index in 0..<view.elementCount { view.store(number, at: index) }
        }
    }
}
