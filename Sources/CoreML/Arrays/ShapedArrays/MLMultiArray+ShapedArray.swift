extension MLMultiArray {
    /// Creates an array of a copy of a shaped array's numbers.
    public convenience init<ShapedArray>(_ shapedArray: ShapedArray) where ShapedArray: MLShapedArrayProtocol {
        self.init(copying: shapedArray.buffer)
    }
}

extension MLFeatureValue {
    /// Creates an array feature of a copy of a shaped array's numbers.
    public convenience init<ShapedArray>(shapedArray: ShapedArray) where ShapedArray: MLShapedArrayProtocol {
        self.init(multiArray: MLMultiArray(shapedArray))
    }

    /// Returns a copy of the array's numbers; nil for features of other types, and for arrays of another type of
    /// numbers.
    public func shapedArrayValue<Scalar>(of type: Scalar.Type) -> MLShapedArray<Scalar>?
    where Scalar: MLShapedArrayScalar {
        guard let array = multiArrayValue, array.dataType == Scalar.multiArrayDataType else { return nil }
        return MLShapedArray(buffer: ShapedBuffer(array).contiguousCopy())
    }
}
