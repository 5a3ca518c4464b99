import VisionImage

/// A fixed random rotation, after which the elements of any vector are of similar size, so that one bit of each says
/// about as much as that of another.
///
/// Three rounds of random signs and a Walsh–Hadamard transform (Ailon and Chazelle, "The fast Johnson–Lindenstrauss
/// transform and approximate nearest neighbors", 2009): n log n sums, and no matrix.
struct PrintRotation: Sendable {
    private static let rounds = 3
    /// Codes are whole groups of 32 bits.
    private static let smallestCount = 32

    let elementCount: Int
    /// Elements after the rotation: a power of two. Vectors are filled up with zeros, which changes no distance.
    let rotatedCount: Int
    private let signs: [Float]

    init(elementCount: Int) {
        var count = Self.smallestCount
        while count < elementCount { count *= 2 }
        self.elementCount = elementCount
        rotatedCount = count
        // Files hold what this rotation has made: another seed needs another version of their format.
        var random = SplitMix64(seed: 0x4F56_5052_494E_5453)
        signs = (0..<Self.rounds * count).map { _ in random.next() & 1 == 0 ? 1 : -1 }
    }

    /// Returns the rotated vector, of `rotatedCount` elements. Its length is that of the vector.
    func rotated(_ vector: some Collection<Float>) -> [Float] {
        precondition(vector.count == elementCount)
        var result = [Float](repeating: 0, count: rotatedCount)
        for (index, element) in vector.enumerated() { result[index] = element }
        let scale = 1 / Float(rotatedCount).squareRoot()
        result.withUnsafeMutableBufferPointer { values in
            signs.withUnsafeBufferPointer { signs in
                for round in 0..<Self.rounds {
                    let first = round * values.count
                    for index in values.indices { values[index] *= signs[first + index] * scale }
                    Self.transform(values)
                }
            }
        }
        return result
    }

    /// The Walsh–Hadamard transform, without a scale.
    private static func transform(_ values: UnsafeMutableBufferPointer<Float>) {
        var half = 1
        while half < values.count {
            for start in stride(from: 0, to: values.count, by: 2 * half) {
                for index in start..<start + half {
                    let (a, b) = (values[index], values[index + half])
                    values[index] = a + b
                    values[index + half] = a - b
                }
            }
            half *= 2
        }
    }
}
