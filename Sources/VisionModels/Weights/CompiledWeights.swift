import Foundation

/// Reads weights that are compiled in as text, one tensor after another, in the order in which an `export.py` of `Training` wrote
/// them: half-precision floats, little-endian, in base64.
struct CompiledWeights {
    private let values: [Float]
    private var next = 0
    private let damage: any Error

    /// - Parameter damage: What is thrown when the text is not what the script wrote.
    init(base64 text: String, damage: any Error) throws {
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), data.count % 2 == 0 else {
            throw damage
        }
        let bytes = [UInt8](data)
        values = stride(from: 0, to: bytes.count, by: 2).map { index in
            Float(Float16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
        }
        guard values.allSatisfy(\.isFinite) else { throw damage }
        self.damage = damage
    }

    /// The next tensor of this shape.
    mutating func take(_ shape: [Int]) throws -> [Float] {
        let count = shape.reduce(1, *)
        guard next + count <= values.count else { throw damage }
        defer { next += count }
        return Array(values[next..<next + count])
    }

    /// Checks that nothing is left.
    func finish() throws {
        guard next == values.count else { throw damage }
    }
}
