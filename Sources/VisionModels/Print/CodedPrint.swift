/// A vector rounded to whole numbers times a scale, and how far that is from the vector itself.
///
/// A search goes through the coarse vectors first. Since the distance of two coarse vectors differs from that of the
/// vectors themselves by no more than the two errors together, it knows for certain which vectors cannot be among the
/// nearest, and looks at the exact elements of the few others only.
struct CodedPrint<Code: FixedWidthInteger & SignedInteger> {
    var codes: [Code]
    var scale: Double
    /// The squared length of the coarse vector.
    var squaredNorm: Double
    /// The distance between the vector and the coarse one, rounded up.
    var error: Double

    /// - Parameter largest: The largest code that occurs.
    init(_ elements: [Float], largest: Code) {
        let most = Double(elements.reduce(0) { max($0, abs($1)) })
        // Below that the quotients would be lost; such a vector is 0 but for an error.
        scale = most > 1e-30 ? most / Double(largest) : 0
        codes = []
        codes.reserveCapacity(elements.count)
        var (squares, errors) = (0.0, 0.0)
        let limit = Double(largest)
        for element in elements {
            let element = Double(element)
            let code = scale > 0 ? min(limit, max(-limit, (element / scale).rounded())) : 0
            codes.append(Code(code))
            squares += code * code
            errors += (element - code * scale) * (element - code * scale)
        }
        squaredNorm = squares * scale * scale
        error = errors.squareRoot() * (1 + 1e-9)
    }
}
