/// A straight segment of an edge.
package struct EdgeSegment: Hashable, Sendable {
    /// The end points in pixels from the top left corner. In the direction from start to end, the brighter side is on
    /// the right.
    package var start: SIMD2<Float>
    package var end: SIMD2<Float>

    package var direction: SIMD2<Float> { end - start }
    package var middle: SIMD2<Float> { (start + end) / 2 }
    package var length: Float { (direction * direction).sum().squareRoot() }
}
