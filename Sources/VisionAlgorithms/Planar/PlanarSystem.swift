/// The normal equations of a small projective move of the square from -1 to 1: the unknowns are the first eight
/// elements of its matrix less the identity, in rows.
package struct PlanarSystem: Sendable {
    static let size = 8
    /// The upper triangle, in rows of eight.
    private(set) var matrix = [Double](repeating: 0, count: size * size)
    private(set) var vector = [Double](repeating: 0, count: size)

    package init() {}

    /// Returns the derivatives of the point (x, y) along x and along y with respect to the parameters.
    private static func derivatives(_ x: Double, _ y: Double) -> (along: SIMD8<Double>, down: SIMD8<Double>) {
        ([x, y, 1, 0, 0, 0, -x * x, -x * y], [0, 0, 0, x, y, 1, -x * y, -y * y])
    }

    /// Adds the equation that the point (x, y) moves by `distance` along (normalX, normalY), with a weight.
    mutating func add(
        x: Double, y: Double, normalX: Double, normalY: Double, distance: Double, weight: Double
    ) {
        let (along, down) = Self.derivatives(x, y)
        add(row: along * normalX + down * normalY, value: distance, weight: weight)
    }

    /// Adds the equation that the weighted sum of the parameters, with factors `row`, is `value`.
    mutating func add(row: SIMD8<Double>, value: Double, weight: Double) {
        for i in 0..<Self.size where row[i] != 0 {
            let scaled = row[i] * weight
            for j in i..<Self.size { matrix[i * Self.size + j] += scaled * row[j] }
            vector[i] += scaled * value
        }
    }

    /// The mean diagonal element: how firmly the equations hold a parameter.
    var strength: Double { (0..<Self.size).reduce(0) { $0 + matrix[$1 * Self.size + $1] } / Double(Self.size) }

    /// Adds the moments of an alignment (see `cvk_planar.h`).
    mutating func add(moments: [Double], scale: Double) {
        for (i, first) in Self.terms.enumerated() {
            for j in i..<Self.size {
                let second = Self.terms[j]
                var sum = 0.0
                for a in first {
                    for b in second {
                        let group = a.isDown && b.isDown ? 30 : a.isDown || b.isDown ? 15 : 0
                        sum += a.sign * b.sign * moments[group + Self.momentIndex(a.x + b.x, a.y + b.y, degree: 4)]
                    }
                }
                matrix[i * Self.size + j] += scale * sum
            }
            for a in first {
                let index = (a.isDown ? 51 : 45) + Self.momentIndex(a.x, a.y, degree: 2)
                vector[i] -= scale * a.sign * moments[index]
            }
        }
    }

    /// A term of a derivative: sign · x^x · y^y, of the gradient along x or y.
    private struct Term {
        var isDown: Bool
        var sign: Double
        var x: Int
        var y: Int
    }

    private static let terms: [[Term]] = [
        [Term(isDown: false, sign: 1, x: 1, y: 0)], [Term(isDown: false, sign: 1, x: 0, y: 1)],
        [Term(isDown: false, sign: 1, x: 0, y: 0)], [Term(isDown: true, sign: 1, x: 1, y: 0)],
        [Term(isDown: true, sign: 1, x: 0, y: 1)], [Term(isDown: true, sign: 1, x: 0, y: 0)],
        [Term(isDown: false, sign: -1, x: 2, y: 0), Term(isDown: true, sign: -1, x: 1, y: 1)],
        [Term(isDown: false, sign: -1, x: 1, y: 1), Term(isDown: true, sign: -1, x: 0, y: 2)],
    ]

    /// Returns the index of the moment x^i y^j in its group.
    private static func momentIndex(_ i: Int, _ j: Int, degree: Int) -> Int {
        j * (degree + 1) - j * (j - 1) / 2 + i
    }

    /// Returns the least-squares solution; nil if the equations do not determine it.
    package func solution() -> [Double]? { choleskySolution(of: matrix, vector) }
}
