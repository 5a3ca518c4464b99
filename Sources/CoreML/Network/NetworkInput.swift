import VisionInference

/// What goes into one input of a network: its shape, and how it is written where the network reads it.
package struct NetworkInput: Sendable {
    let shape: [Int]
    let fill: @Sendable (TensorView) -> Void

    init(shape: [Int], fill: @escaping @Sendable (TensorView) -> Void) {
        self.shape = shape
        self.fill = fill
    }

    /// The numbers of an array, converted to the network's type. Fractions are cut off for whole numbers, and what does
    /// not fit becomes the nearest number that does.
    init(_ array: MLMultiArray, shape: [Int]) {
        self.init(shape: shape) { view in view.write(array) }
    }

    /// The same number everywhere.
    init(number: Double, shape: [Int]) {
        self.init(shape: shape) { view in
            for index in 0..<view.elementCount { view.store(number, at: index) }
        }
    }
}
