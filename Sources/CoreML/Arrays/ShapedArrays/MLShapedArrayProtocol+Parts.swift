// Parts of shaped arrays. Ranges of several axes keep the number of axes; indices take as many away.

extension MLShapedArrayProtocol {
    /// The first index: 0.
    public var startIndex: Int { 0 }

    /// The length of the first axis.
    public var endIndex: Int { count }

    /// The indices of the first axis.
    public var indices: Range<Int> { 0..<count }

    /// The part at an index of the first axis.
    public subscript(index: Int) -> MLShapedArraySlice<Scalar> {
        get { self[[index]] }
        set { self[[index]] = newValue }
    }

    /// The part at these indices of the leading axes.
    public subscript(indices: Int...) -> MLShapedArraySlice<Scalar> {
        get { self[indices] }
        set { self[indices] = newValue }
    }

    /// The number at these indices, one for each axis.
    public subscript(scalarAt indices: Int...) -> Scalar {
        get { self[scalarAt: indices] }
        set { self[scalarAt: indices] = newValue }
    }

    /// The part within a range of the first axis. Its own indices begin at 0.
    public subscript(sliceRange: Range<Int>) -> MLShapedArraySlice<Scalar> {
        get { self[[sliceRange]] }
        set { self[[sliceRange]] = newValue }
    }

    /// The part within a range of the first axis.
    public subscript(sliceRange: ClosedRange<Int>) -> MLShapedArraySlice<Scalar> {
        get { self[ranges([sliceRange])] }
        set { self[ranges([sliceRange])] = newValue }
    }

    /// The part from an index of the first axis on.
    public subscript(sliceRange: PartialRangeFrom<Int>) -> MLShapedArraySlice<Scalar> {
        get { self[ranges([sliceRange])] }
        set { self[ranges([sliceRange])] = newValue }
    }

    /// The part below an index of the first axis.
    public subscript(sliceRange: PartialRangeUpTo<Int>) -> MLShapedArraySlice<Scalar> {
        get { self[ranges([sliceRange])] }
        set { self[ranges([sliceRange])] = newValue }
    }

    /// The part up to an index of the first axis.
    public subscript(sliceRange: PartialRangeThrough<Int>) -> MLShapedArraySlice<Scalar> {
        get { self[ranges([sliceRange])] }
        set { self[ranges([sliceRange])] = newValue }
    }

    /// The part within these ranges of the leading axes; the other axes are kept whole.
    public subscript(sliceRanges: any MLShapedArrayRangeExpression...) -> MLShapedArraySlice<Scalar> {
        get { self[ranges(sliceRanges)] }
        set { self[ranges(sliceRanges)] = newValue }
    }

    /// The part within these ranges of the leading axes; the other axes are kept whole.
    public subscript<C>(partialSliceRanges: C) -> MLShapedArraySlice<Scalar>
    where C: Collection, C.Element == any MLShapedArrayRangeExpression {
        get { self[ranges(Array(partialSliceRanges))] }
        set { self[ranges(Array(partialSliceRanges))] = newValue }
    }

    /// The whole array.
    public subscript(_: (UnboundedRange_) -> Void) -> MLShapedArraySlice<Scalar> {
        get { self[[Range<Int>]()] }
        set { self[[Range<Int>]()] = newValue }
    }

    private func ranges(_ expressions: [any MLShapedArrayRangeExpression]) -> [Range<Int>] {
        precondition(
            expressions.count <= shape.count, "\(expressions.count) ranges for a shaped array of shape \(shape)")
        return zip(expressions, shape).map { $0.relative(toShapedArrayAxis: 0..<$1) }
    }
}
