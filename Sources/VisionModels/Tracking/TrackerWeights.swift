import Foundation

/// Reads the weights of the tracker's own network, one tensor after another, in the order in which
/// `Training/Tracking/export.py` writes them: half-precision floats, little-endian.
struct TrackerWeights {
    private let values: [Float]
    private var next = 0

    /// - Throws: `TrackingModelError.damagedWeights` when the text is not what the script wrote.
    init(base64 text: String) throws {
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), data.count % 2 == 0 else {
            throw TrackingModelError.damagedWeights
        }
        let bytes = [UInt8](data)
        values = stride(from: 0, to: bytes.count, by: 2).map { index in
            Float(Float16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
        }
        guard values.allSatisfy(\.isFinite) else { throw TrackingModelError.damagedWeights }
    }

    /// The next tensor of this shape.
    mutating func take(_ shape: [Int]) throws -> [Float] {
        let count = shape.reduce(1, *)
        guard next + count <= values.count else { throw TrackingModelError.damagedWeights }
        defer { next += count }
        return Array(values[next..<next + count])
    }

    /// Checks that nothing is left.
    func finish() throws {
        guard next == values.count else { throw TrackingModelError.damagedWeights }
    }
}
