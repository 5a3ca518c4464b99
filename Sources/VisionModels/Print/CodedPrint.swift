/// A vector quantised to integers times a scale, with its quantisation error.
///
/// A search compares the quantised vectors first. The distance of two quantised vectors differs from the exact one by
/// at most the sum of both errors, so the search excludes most vectors with certainty and computes the exact distances
/// of the few others only.
struct CodedPrint<Code: FixedWidthInteger & SignedInteger & Sendable>: Sendable {
    var codes: [Code]
    var scale: Double
    /// The squared length of the coarse vector.
    var squaredNorm: Double
    /// The distance between the vector and the coarse one, rounded up.
    var error: Double

    /// - Parameter largest: The largest code that occurs.
    init(_ elements: [Float], largest: Code) {
        var most: Float = 0
        for element in elements { most = max(most, abs(element)) }
        // Below that the quotients would be lost; such a vector is 0 but for an error.
        let scale = most > 1e-30 ? Double(most) / Double(largest) : 0
        let inverse = scale > 0 ? 1 / scale : 0
        let limit = Int32(largest)
        var (squares, errors) = (0.0, 0.0)
        codes = [Code](unsafeUninitializedCapacity: elements.count) { codes, count in
            for (index, element) in elements.enumerated() {
                let quotient = Double(element) * inverse
                // The error is measured below, so that it does not matter how halves are rounded.
                let code = min(limit, max(-limit, Int32(quotient + (quotient < 0 ? -0.5 : 0.5))))
                let coarse = Double(code)
                let rest = Double(element) - coarse * scale
                codes.initializeElement(at: index, to: Code(truncatingIfNeeded: code))
                squares += coarse * coarse
                errors += rest * rest
            }
            count = elements.count
        }
        self.scale = scale
        squaredNorm = squares * scale * scale
        error = errors.squareRoot() * (1 + 1e-9)
    }
}
