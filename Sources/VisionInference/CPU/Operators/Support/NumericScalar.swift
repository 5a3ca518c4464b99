/// Elements that operators can compute with. Half-precision floats are computed with as `Float`, all others as
/// themselves.
protocol NumericScalar: TensorScalar {
    associatedtype Wide: Comparable, Numeric, BitwiseCopyable, Sendable

    var wide: Wide { get }
    /// Rounds to the nearest.
    init(wide: Wide)

    var double: Double { get }
    /// Floats round to the nearest; integers cut the fraction off and stay within their range, NaN becomes 0.
    init(double: Double)

    // Integers wrap around; what is divided by zero is zero.
    static func add(_ a: Wide, _ b: Wide) -> Wide
    static func subtract(_ a: Wide, _ b: Wide) -> Wide
    static func multiply(_ a: Wide, _ b: Wide) -> Wide
    /// Integers are cut towards zero.
    static func divide(_ a: Wide, _ b: Wide) -> Wide
    static func isNaN(_ a: Wide) -> Bool
    /// The smallest and the largest value; infinite where there is infinity.
    static var lowest: Wide { get }
    static var highest: Wide { get }
}

protocol FloatScalar: NumericScalar where Wide: BinaryFloatingPoint & SIMDScalar {}

protocol IntegerScalar: NumericScalar, FixedWidthInteger where Wide == Self {}

extension NumericScalar {
    /// The smaller one; NaN if either is.
    @inline(__always) static func minimum(_ a: Wide, _ b: Wide) -> Wide { a < b || isNaN(a) ? a : b }
    @inline(__always) static func maximum(_ a: Wide, _ b: Wide) -> Wide { a > b || isNaN(a) ? a : b }
}

extension FloatScalar {
    @inline(__always) static func add(_ a: Wide, _ b: Wide) -> Wide { a + b }
    @inline(__always) static func subtract(_ a: Wide, _ b: Wide) -> Wide { a - b }
    @inline(__always) static func multiply(_ a: Wide, _ b: Wide) -> Wide { a * b }
    @inline(__always) static func divide(_ a: Wide, _ b: Wide) -> Wide { a / b }
    @inline(__always) static func isNaN(_ a: Wide) -> Bool { a != a }
    @inline(__always) static var lowest: Wide { -Wide.infinity }
    @inline(__always) static var highest: Wide { Wide.infinity }
}

extension Float: FloatScalar {
    @inline(__always) var wide: Float { self }
    @inline(__always) init(wide: Float) { self = wide }
    @inline(__always) var double: Double { Double(self) }
    @inline(__always) init(double: Double) { self = Float(double) }
}

extension Double: FloatScalar {
    @inline(__always) var wide: Double { self }
    @inline(__always) init(wide: Double) { self = wide }
    @inline(__always) var double: Double { self }
    @inline(__always) init(double: Double) { self = double }
}

extension Float16: FloatScalar {
    @inline(__always) var wide: Float { Float(self) }
    @inline(__always) init(wide: Float) { self = Float16(wide) }
    @inline(__always) var double: Double { Double(self) }
    @inline(__always) init(double: Double) { self = Float16(double) }
}

extension BFloat16: FloatScalar {
    @inline(__always) var wide: Float { float }
    @inline(__always) init(wide: Float) { self.init(wide) }
    @inline(__always) var double: Double { Double(float) }
    @inline(__always) init(double: Double) { self.init(Float(double)) }
}

extension IntegerScalar {
    @inline(__always) var wide: Self { self }
    @inline(__always) init(wide: Self) { self = wide }
    @inline(__always) var double: Double { Double(self) }
    @inline(__always) init(double: Double) {
        // The largest integers are no doubles: they round up to a power of two, which is out of range already.
        if double >= Double(Self.max) {
            self = .max
        } else if double <= Double(Self.min) {
            self = .min
        } else {
            self = double.isNaN ? 0 : Self(double)
        }
    }
    @inline(__always) static func add(_ a: Self, _ b: Self) -> Self { a &+ b }
    @inline(__always) static func subtract(_ a: Self, _ b: Self) -> Self { a &- b }
    @inline(__always) static func multiply(_ a: Self, _ b: Self) -> Self { a &* b }
    @inline(__always) static func divide(_ a: Self, _ b: Self) -> Self {
        b == 0 ? 0 : a.dividedReportingOverflow(by: b).partialValue
    }
    @inline(__always) static func isNaN(_ a: Self) -> Bool { false }
    @inline(__always) static var lowest: Self { .min }
    @inline(__always) static var highest: Self { .max }
}

extension Int8: IntegerScalar {}

extension UInt8: IntegerScalar {}

extension Int16: IntegerScalar {}

extension UInt16: IntegerScalar {}

extension Int32: IntegerScalar {}

extension UInt32: IntegerScalar {}

extension Int64: IntegerScalar {}

extension UInt64: IntegerScalar {}
