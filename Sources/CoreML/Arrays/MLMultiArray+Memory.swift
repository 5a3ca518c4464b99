extension MLMultiArray {
    private var byteCount: Int { layout.extent * dataType.size }

    /// Calls `body` with the array's memory, from the first element to the last, for reading.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withExtendedLifetime(self) {
            try body(UnsafeRawBufferPointer(start: dataPointer, count: byteCount))
        }
    }

    /// Calls `body` with the array's memory for writing, and the strides in elements.
    public func withUnsafeMutableBytes<R>(_ body: (UnsafeMutableRawBufferPointer, [Int]) throws -> R) rethrows -> R {
        try withExtendedLifetime(self) {
            try body(UnsafeMutableRawBufferPointer(start: dataPointer, count: byteCount), layout.strides)
        }
    }

    /// Calls `body` with the array's elements in memory order, for reading.
    ///
    /// - Parameter type: The type of the elements, which must be the array's.
    public func withUnsafeBufferPointer<S: MLShapedArrayScalar, R>(
        ofType type: S.Type, _ body: (UnsafeBufferPointer<S>) throws -> R
    ) rethrows -> R {
        precondition(S.multiArrayDataType == dataType, "The array holds \(dataType), not \(S.self).")
        return try withExtendedLifetime(self) {
            let elements = dataPointer.assumingMemoryBound(to: S.self)
            return try body(UnsafeBufferPointer(start: elements, count: layout.extent))
        }
    }

    /// Calls `body` with the array's elements in memory order for writing, and the strides in elements.
    ///
    /// - Parameter type: The type of the elements, which must be the array's.
    public func withUnsafeMutableBufferPointer<S: MLShapedArrayScalar, R>(
        ofType type: S.Type, _ body: (UnsafeMutableBufferPointer<S>, [Int]) throws -> R
    ) rethrows -> R {
        precondition(S.multiArrayDataType == dataType, "The array holds \(dataType), not \(S.self).")
        return try withExtendedLifetime(self) {
            let elements = dataPointer.assumingMemoryBound(to: S.self)
            return try body(UnsafeMutableBufferPointer(start: elements, count: layout.extent), layout.strides)
        }
    }
}
