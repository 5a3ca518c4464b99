extension MLMultiArray {
    /// Creates a one-dimensional array of these numbers.
    public convenience init<C: Collection>(_ data: C) throws where C.Element == Double {
        try self.init(scalars: data)
    }

    /// Creates a one-dimensional array of these numbers.
    public convenience init<C: Collection>(_ data: C) throws where C.Element == Float {
        try self.init(scalars: data)
    }

    /// Creates a one-dimensional array of these numbers.
    public convenience init<C: Collection>(_ data: C) throws where C.Element == Float16 {
        try self.init(scalars: data)
    }

    /// Creates a one-dimensional array of these numbers as 32-bit integers.
    ///
    /// - Throws: `MLModelError.generic` for a number that does not fit into 32 bits.
    public convenience init<C: Collection>(_ data: C) throws where C.Element: FixedWidthInteger {
        let values = try data.map { value in
            guard let value = Int32(exactly: value) else {
                throw MLModelError(.generic, "\(value) does not fit into an array of 32-bit integers.")
            }
            return value
        }
        try self.init(scalars: values)
    }

    private convenience init<C: Collection>(scalars: C) throws where C.Element: MLShapedArrayScalar {
        try self.init(lengths: [scalars.count], dataType: C.Element.multiArrayDataType)
        withUnsafeMutableBufferPointer(ofType: C.Element.self) { target, _ in
            for (index, value) in scalars.enumerated() { target[index] = value }
        }
    }

    /// Returns the concatenation of arrays along an axis.
    ///
    /// All must have the same lengths along the other axes, and there must be enough memory for the result: anything
    /// else is a programming error and ends the process.
    ///
    /// - Parameters:
    ///   - multiArrays: At least one array.
    ///   - axis: The axis of the concatenation; negative ones count from the last.
    ///   - dataType: The type of the result's numbers; others are converted.
    public convenience init(concatenating multiArrays: [MLMultiArray], axis: Int, dataType: MLMultiArrayDataType) {
        guard let first = multiArrays.first else { preconditionFailure("There are no arrays to be concatenated.") }
        var lengths = first.layout.shape
        let axis = axis < 0 ? axis + lengths.count : axis
        precondition(lengths.indices.contains(axis), "An array of shape \(lengths) has no axis \(axis).")
        for array in multiArrays.dropFirst() {
            var shape = array.layout.shape
            precondition(shape.count == lengths.count, "The arrays differ in the number of their axes.")
            let length = shape[axis]
            shape[axis] = lengths[axis]
            precondition(shape == lengths, "The arrays differ in shape beyond the axis \(axis).")
            lengths[axis] += length
        }
        do {
            try self.init(lengths: lengths, dataType: dataType)
        } catch {
            preconditionFailure("\(error)")
        }
        var start = 0
        for array in multiArrays {
            copyElements(of: array, along: axis, from: start)
            start += array.layout.shape[axis]
        }
    }

    private func copyElements(of array: MLMultiArray, along axis: Int, from start: Int) {
        var indices = [Int](repeating: 0, count: array.layout.shape.count)
        for index in 0..<array.count {
            var rest = index
            for other in indices.indices.reversed() {
                indices[other] = rest % array.layout.shape[other]
                rest /= array.layout.shape[other]
            }
            indices[axis] += start
            self[indices.map { NSNumber(value: $0) }] = array[index]
        }
    }
}
