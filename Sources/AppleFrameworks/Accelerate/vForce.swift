import Foundation

// The functions of vForce: one function on each element of an array. Source and target may be the same.

/// Sets each of `count` elements to a function of the element of the source.
private func map<Number>(
    _ target: UnsafeMutablePointer<Number>, _ source: UnsafePointer<Number>, _ count: UnsafePointer<Int32>,
    _ body: (Number) -> Number
) {
    for index in 0..<max(0, Int(count.pointee)) { target[index] = body(source[index]) }
}

/// Sets each of `count` elements to a function of the elements of two sources.
private func map<Number>(
    _ target: UnsafeMutablePointer<Number>, _ first: UnsafePointer<Number>, _ second: UnsafePointer<Number>,
    _ count: UnsafePointer<Int32>, _ body: (Number, Number) -> Number
) {
    for index in 0..<max(0, Int(count.pointee)) { target[index] = body(first[index], second[index]) }
}

/// Computes e to the power of each element.
public func vvexpf(
    _ __y: UnsafeMutablePointer<Float>, _ __x: UnsafePointer<Float>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n, exp) }

/// Computes e to the power of each element.
public func vvexp(
    _ __y: UnsafeMutablePointer<Double>, _ __x: UnsafePointer<Double>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n, exp) }

/// Computes the natural logarithm of each element.
public func vvlogf(
    _ __y: UnsafeMutablePointer<Float>, _ __x: UnsafePointer<Float>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n, log) }

/// Computes the natural logarithm of each element.
public func vvlog(
    _ __y: UnsafeMutablePointer<Double>, _ __x: UnsafePointer<Double>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n, log) }

/// Computes the square root of each element.
public func vvsqrtf(
    _ __y: UnsafeMutablePointer<Float>, _ __x: UnsafePointer<Float>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n) { $0.squareRoot() } }

/// Computes the square root of each element.
public func vvsqrt(
    _ __y: UnsafeMutablePointer<Double>, _ __x: UnsafePointer<Double>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n) { $0.squareRoot() } }

/// Computes the reciprocal of each element.
public func vvrecf(
    _ __y: UnsafeMutablePointer<Float>, _ __x: UnsafePointer<Float>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n) { 1 / $0 } }

/// Computes the reciprocal of each element.
public func vvrec(
    _ __y: UnsafeMutablePointer<Double>, _ __x: UnsafePointer<Double>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n) { 1 / $0 } }

/// Computes the sine of each element.
public func vvsinf(
    _ __y: UnsafeMutablePointer<Float>, _ __x: UnsafePointer<Float>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n, sin) }

/// Computes the sine of each element.
public func vvsin(
    _ __y: UnsafeMutablePointer<Double>, _ __x: UnsafePointer<Double>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n, sin) }

/// Computes the cosine of each element.
public func vvcosf(
    _ __y: UnsafeMutablePointer<Float>, _ __x: UnsafePointer<Float>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n, cos) }

/// Computes the cosine of each element.
public func vvcos(
    _ __y: UnsafeMutablePointer<Double>, _ __x: UnsafePointer<Double>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n, cos) }

/// Computes the hyperbolic tangent of each element.
public func vvtanhf(
    _ __y: UnsafeMutablePointer<Float>, _ __x: UnsafePointer<Float>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n, tanh) }

/// Computes the hyperbolic tangent of each element.
public func vvtanh(
    _ __y: UnsafeMutablePointer<Double>, _ __x: UnsafePointer<Double>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n, tanh) }

/// Computes the magnitude of each element.
public func vvfabsf(
    _ __y: UnsafeMutablePointer<Float>, _ __x: UnsafePointer<Float>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n) { $0.magnitude } }

/// Computes the magnitude of each element.
public func vvfabs(
    _ __y: UnsafeMutablePointer<Double>, _ __x: UnsafePointer<Double>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n) { $0.magnitude } }

/// Computes the largest whole number that is not above each element.
public func vvfloorf(
    _ __y: UnsafeMutablePointer<Float>, _ __x: UnsafePointer<Float>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n) { $0.rounded(.down) } }

/// Computes the largest whole number that is not above each element.
public func vvfloor(
    _ __y: UnsafeMutablePointer<Double>, _ __x: UnsafePointer<Double>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n) { $0.rounded(.down) } }

/// Computes the smallest whole number that is not below each element.
public func vvceilf(
    _ __y: UnsafeMutablePointer<Float>, _ __x: UnsafePointer<Float>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n) { $0.rounded(.up) } }

/// Computes the smallest whole number that is not below each element.
public func vvceil(
    _ __y: UnsafeMutablePointer<Double>, _ __x: UnsafePointer<Double>, _ __n: UnsafePointer<Int32>
) { map(__y, __x, __n) { $0.rounded(.up) } }

/// Computes the quotients of the first array's elements by the second's.
public func vvdivf(
    _ __z: UnsafeMutablePointer<Float>, _ __y: UnsafePointer<Float>, _ __x: UnsafePointer<Float>,
    _ __n: UnsafePointer<Int32>
) { map(__z, __y, __x, __n, /) }

/// Computes the quotients of the first array's elements by the second's.
public func vvdiv(
    _ __z: UnsafeMutablePointer<Double>, _ __y: UnsafePointer<Double>, _ __x: UnsafePointer<Double>,
    _ __n: UnsafePointer<Int32>
) { map(__z, __y, __x, __n, /) }

/// Computes the second array's elements to the powers of the first's.
public func vvpowf(
    _ __z: UnsafeMutablePointer<Float>, _ __y: UnsafePointer<Float>, _ __x: UnsafePointer<Float>,
    _ __n: UnsafePointer<Int32>
) { map(__z, __y, __x, __n) { pow($1, $0) } }

/// Computes the second array's elements to the powers of the first's.
public func vvpow(
    _ __z: UnsafeMutablePointer<Double>, _ __y: UnsafePointer<Double>, _ __x: UnsafePointer<Double>,
    _ __n: UnsafePointer<Int32>
) { map(__z, __y, __x, __n) { pow($1, $0) } }

/// Computes the angles of the points whose y are in the first array and x in the second.
public func vvatan2f(
    _ __z: UnsafeMutablePointer<Float>, _ __y: UnsafePointer<Float>, _ __x: UnsafePointer<Float>,
    _ __n: UnsafePointer<Int32>
) { map(__z, __y, __x, __n, atan2) }

/// Computes the angles of the points whose y are in the first array and x in the second.
public func vvatan2(
    _ __z: UnsafeMutablePointer<Double>, _ __y: UnsafePointer<Double>, _ __x: UnsafePointer<Double>,
    _ __n: UnsafePointer<Int32>
) { map(__z, __y, __x, __n, atan2) }

/// Functions on each element of arrays of floats and doubles.
public enum vForce {
    private static func mapped<Number: BinaryFloatingPoint>(
        _ vector: some AccelerateBuffer<Number>, _ body: (Number) -> Number
    ) -> [Number] {
        vector.withUnsafeBufferPointer { $0.map(body) }
    }

    /// Returns e to the power of each element.
    public static func exp(_ vector: some AccelerateBuffer<Float>) -> [Float] { mapped(vector, Foundation.exp) }

    /// Returns e to the power of each element.
    public static func exp(_ vector: some AccelerateBuffer<Double>) -> [Double] { mapped(vector, Foundation.exp) }

    /// Returns the natural logarithm of each element.
    public static func log(_ vector: some AccelerateBuffer<Float>) -> [Float] { mapped(vector, Foundation.log) }

    /// Returns the natural logarithm of each element.
    public static func log(_ vector: some AccelerateBuffer<Double>) -> [Double] { mapped(vector, Foundation.log) }

    /// Returns the sine of each element.
    public static func sin(_ vector: some AccelerateBuffer<Float>) -> [Float] { mapped(vector, Foundation.sin) }

    /// Returns the sine of each element.
    public static func sin(_ vector: some AccelerateBuffer<Double>) -> [Double] { mapped(vector, Foundation.sin) }

    /// Returns the cosine of each element.
    public static func cos(_ vector: some AccelerateBuffer<Float>) -> [Float] { mapped(vector, Foundation.cos) }

    /// Returns the cosine of each element.
    public static func cos(_ vector: some AccelerateBuffer<Double>) -> [Double] { mapped(vector, Foundation.cos) }

    /// Returns the hyperbolic tangent of each element.
    public static func tanh(_ vector: some AccelerateBuffer<Float>) -> [Float] { mapped(vector, Foundation.tanh) }

    /// Returns the hyperbolic tangent of each element.
    public static func tanh(_ vector: some AccelerateBuffer<Double>) -> [Double] { mapped(vector, Foundation.tanh) }

    /// Returns the square root of each element.
    public static func sqrt<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> [Number] {
        mapped(vector) { $0.squareRoot() }
    }

    /// Returns the reciprocal of each element.
    public static func reciprocal<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> [Number] {
        mapped(vector) { 1 / $0 }
    }

    /// Returns the largest whole number that is not above each element.
    public static func floor<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> [Number] {
        mapped(vector) { $0.rounded(.down) }
    }

    /// Returns the smallest whole number that is not below each element.
    public static func ceil<Number: BinaryFloatingPoint>(_ vector: some AccelerateBuffer<Number>) -> [Number] {
        mapped(vector) { $0.rounded(.up) }
    }
}
