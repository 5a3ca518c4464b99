@_exported public import Foundation
@_exported public import VisionImage

/// Functions on arrays of floats and doubles. Two arrays count as long as the shorter one.
public enum vDSP {
    private static func joined<Number: BinaryFloatingPoint>(
        _ a: some AccelerateBuffer<Number>, _ b: some AccelerateBuffer<Number>, _ body: (Number, Number) -> Number
    ) -> [Number] {
        a.withUnsafeBufferPointer { a in b.withUnsafeBufferPointer { b in zip(a, b).map(body) } }
    }

    private static func mapped<Number: BinaryFloatingPoint>(
        _ a: some AccelerateBuffer<Number>, _ body: (Number) -> Number
    ) -> [Number] {
        a.withUnsafeBufferPointer { $0.map(body) }
    }

    /// Returns the sums of two arrays' elements.
    public static func add<Number: BinaryFloatingPoint>(
        _ a: some AccelerateBuffer<Number>, _ b: some AccelerateBuffer<Number>
    ) -> [Number] { joined(a, b, +) }

    /// Returns the elements with a number added.
    public static func add<Number: BinaryFloatingPoint>(
        _ scalar: Number, _ vector: some AccelerateBuffer<Number>
    ) -> [Number] { mapped(vector) { $0 + scalar } }

    /// Returns the differences of two arrays' elements.
    public static func subtract<Number: BinaryFloatingPoint>(
        _ a: some AccelerateBuffer<Number>, _ b: some AccelerateBuffer<Number>
    ) -> [Number] { joined(a, b, -) }

    /// Returns the products of two arrays' elements.
    public static func multiply<Number: BinaryFloatingPoint>(
        _ a: some AccelerateBuffer<Number>, _ b: some AccelerateBuffer<Number>
    ) -> [Number] { joined(a, b, *) }

    /// Returns the elements times a number.
    public static func multiply<Number: BinaryFloatingPoint>(
        _ scalar: Number, _ vector: some AccelerateBuffer<Number>
    ) -> [Number] { mapped(vector) { $0 * scalar } }

    /// Returns the quotients of two arrays' elements.
    public static func divide<Number: BinaryFloatingPoint>(
        _ a: some AccelerateBuffer<Number>, _ b: some AccelerateBuffer<Number>
    ) -> [Number] { joined(a, b, /) }

    /// Returns the elements divided by a number.
    public static func divide<Number: BinaryFloatingPoint>(
        _ vector: some AccelerateBuffer<Number>, _ scalar: Number
    ) -> [Number] { mapped(vector) { $0 / scalar } }

    /// Returns the elements limited to a range.
    public static func clip<Number: BinaryFloatingPoint>(
        _ vector: some AccelerateBuffer<Number>, to bounds: ClosedRange<Number>
    ) -> [Number] { mapped(vector) { min(max($0, bounds.lowerBound), bounds.upperBound) } }

    /// Returns the magnitudes of the elements.
    public static func absolute<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> [Number] {
        mapped(vector, \.magnitude)
    }

    /// Returns the sum.
    public static func sum<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> Number {
        vector.withUnsafeBufferPointer { $0.reduce(0, +) }
    }

    /// Returns the sum of the squares.
    public static func sumOfSquares<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> Number {
        vector.withUnsafeBufferPointer { $0.reduce(0) { $0 + $1 * $1 } }
    }

    /// Returns the mean; NaN of nothing.
    public static func mean<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> Number {
        sum(vector) / Number(vector.count)
    }

    /// Returns the root of the mean of the squares; NaN of nothing.
    public static func rootMeanSquare<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> Number {
        (sumOfSquares(vector) / Number(vector.count)).squareRoot()
    }

    /// Returns the largest element; minus infinity of nothing.
    public static func maximum<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> Number {
        vector.withUnsafeBufferPointer { $0.reduce(-.infinity) { max($0, $1) } }
    }

    /// Returns the smallest element; infinity of nothing.
    public static func minimum<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> Number {
        vector.withUnsafeBufferPointer { $0.reduce(.infinity) { min($0, $1) } }
    }

    /// Returns the position and the value of the largest element; (0, minus infinity) of nothing.
    public static func indexOfMaximum<Number: BinaryFloatingPoint>(
        _ vector: some AccelerateBuffer<Number>
    ) -> (UInt, Number) {
        vector.withUnsafeBufferPointer { elements in
            elements.enumerated().reduce((0, -.infinity)) { $1.element > $0.1 ? (UInt($1.offset), $1.element) : $0 }
        }
    }

    /// Returns the position and the value of the smallest element; (0, infinity) of nothing.
    public static func indexOfMinimum<Number: BinaryFloatingPoint>(
        _ vector: some AccelerateBuffer<Number>
    ) -> (UInt, Number) {
        vector.withUnsafeBufferPointer { elements in
            elements.enumerated().reduce((0, .infinity)) { $1.element < $0.1 ? (UInt($1.offset), $1.element) : $0 }
        }
    }

    /// Returns the sum of the products of two arrays' elements.
    public static func dot<Number: BinaryFloatingPoint>(
        _ a: some AccelerateBuffer<Number>, _ b: some AccelerateBuffer<Number>
    ) -> Number { joined(a, b, *).reduce(0, +) }

    /// Returns the square of the Euclidean distance.
    public static func distanceSquared<Number: BinaryFloatingPoint>(
        _ a: some AccelerateBuffer<Number>, _ b: some AccelerateBuffer<Number>
    ) -> Number { joined(a, b) { ($0 - $1) * ($0 - $1) }.reduce(0, +) }
}

/// Elements beside each other in memory.
public protocol AccelerateBuffer<Element> {
    /// The type of the elements.
    associatedtype Element
    /// The number of elements.
    var count: Int { get }
    /// Calls the closure with the elements.
    func withUnsafeBufferPointer<R>(_ body: (UnsafeBufferPointer<Element>) throws -> R) rethrows -> R
}

extension Array: AccelerateBuffer {}
extension ContiguousArray: AccelerateBuffer {}
extension ArraySlice: AccelerateBuffer {}
