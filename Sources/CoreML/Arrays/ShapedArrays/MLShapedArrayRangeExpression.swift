/// A range of indices of an axis of a shaped array.
public protocol MLShapedArrayRangeExpression {
    /// Returns the indices that the range selects.
    ///
    /// - Parameter range: All indices of the axis.
    func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int>
}

extension Range: MLShapedArrayRangeExpression where Bound == Int {
    /// Returns the range itself.
    public func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int> { self }
}

extension ClosedRange: MLShapedArrayRangeExpression where Bound == Int {
    /// Returns the same indices as a half-open range.
    public func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int> { relative(to: range) }
}

extension PartialRangeFrom: MLShapedArrayRangeExpression where Bound == Int {
    /// Returns the indices from the bound to the end of the axis.
    public func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int> { relative(to: range) }
}

extension PartialRangeUpTo: MLShapedArrayRangeExpression where Bound == Int {
    /// Returns the indices below the bound.
    public func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int> { relative(to: range) }
}

extension PartialRangeThrough: MLShapedArrayRangeExpression where Bound == Int {
    /// Returns the indices up to the bound.
    public func relative(toShapedArrayAxis range: Range<Int>) -> Range<Int> { relative(to: range) }
}
