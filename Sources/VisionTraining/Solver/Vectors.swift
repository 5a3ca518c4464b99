import Foundation

/// Sums over long vectors, in an order that depends on nothing but their length.
enum Vectors {
    /// The sum of the products, in double precision.
    static func dot(_ a: [Float], _ b: [Float], count: Int? = nil) -> Double {
        let count = count ?? a.count
        precondition(a.count >= count && b.count >= count)
        var sums = SIMD8<Double>.zero
        var rest = 0.0
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                var index = 0
                while index + 8 <= count {
                    var (x, y) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
                    for lane in 0..<8 { (x[lane], y[lane]) = (a[index + lane], b[index + lane]) }
                    sums += SIMD8<Double>(x) * SIMD8<Double>(y)
                    index += 8
                }
                while index < count {
                    rest += Double(a[index]) * Double(b[index])
                    index += 1
                }
            }
        }
        return sums.sum() + rest
    }

    /// target += factor × vector
    static func add(_ factor: Double, _ vector: [Float], to target: inout [Float]) {
        precondition(vector.count == target.count)
        let factor = Float(factor)
        target.withUnsafeMutableBufferPointer { target in
            vector.withUnsafeBufferPointer { vector in
                for index in 0..<target.count { target[index] += factor * vector[index] }
            }
        }
    }

    static func scale(_ vector: inout [Float], by factor: Double) {
        let factor = Float(factor)
        vector.withUnsafeMutableBufferPointer { vector in
            for index in 0..<vector.count { vector[index] *= factor }
        }
    }

    static func difference(_ a: [Float], _ b: [Float]) -> [Float] {
        precondition(a.count == b.count)
        return [Float](unsafeUninitializedCapacity: a.count) { target, count in
            for index in 0..<a.count { target.initializeElement(at: index, to: a[index] - b[index]) }
            count = a.count
        }
    }

    static func largestMagnitude(_ vector: [Float]) -> Float {
        vector.reduce(0) { max($0, abs($1)) }
    }
}

extension Double {
    /// The natural logarithm.
    var logarithm: Double { log(self) }
}
