/// The weights in a network file of dlib, in the order of its layers.
///
/// A layer begins with its name; of convolutions, affine layers and fully connected ones the numbers behind it are
/// read, of all others nothing. The architecture is not in the file.
struct DlibNetworkFile {
    enum Layer {
        /// Weights (outputs × inputs × rows × columns), then the biases.
        case convolution(values: [Float], outputs: Int, kernel: Int, stride: Int, padding: Int)
        /// A factor for each channel, then a summand for each.
        case affine(values: [Float])
        /// Inputs × outputs.
        case fullyConnected(values: [Float], inputs: Int, outputs: Int)
    }

    let layers: [Layer]

    private static let names: [[UInt8]] = ["con_4", "affine_", "fc_2"].map { [UInt8($0.utf8.count)] + Array($0.utf8) }
        .map { [1] + $0 }

    /// - Throws: `WeightFileError` when the bytes end in the middle of a layer or one has impossible sizes.
    init(_ bytes: [UInt8]) throws {
        var layers: [Layer] = []
        var position = 0
        while let (name, start) = Self.nextName(in: bytes, from: position) {
            var cursor = ByteCursor(bytes[start...], name: "the network")
            switch name {
            case 0:
                let values = try Self.tensor(&cursor).values
                let (outputs, rows, columns) = (
                    try Self.count(&cursor), try Self.count(&cursor), try Self.count(&cursor)
                )
                let strides = [try Self.count(&cursor), try Self.count(&cursor)]
                let paddings = [try Self.count(&cursor), try Self.count(&cursor)]
                guard rows == columns, strides[0] == strides[1], paddings[0] == paddings[1] else {
                    throw WeightFileError(.mismatch, "the network has a convolution that is not square")
                }
                layers.append(
                    .convolution(
                        values: values, outputs: outputs, kernel: rows, stride: strides[0], padding: paddings[0]))
            case 1: layers.append(.affine(values: try Self.tensor(&cursor).values))
            default:
                let (outputs, inputs) = (try Self.count(&cursor), try Self.count(&cursor))
                layers.append(
                    .fullyConnected(values: try Self.tensor(&cursor).values, inputs: inputs, outputs: outputs))
            }
            position = cursor.position
        }
        self.layers = layers
    }

    private static func nextName(in bytes: [UInt8], from start: Int) -> (name: Int, end: Int)? {
        var position = start
        while position < bytes.count {
            // All begin with the length of the length.
            guard let next = bytes[position...].firstIndex(of: 1) else { return nil }
            if let name = names.firstIndex(where: { bytes[next...].starts(with: $0) }) {
                return (name, next + names[name].count)
            }
            position = next + 1
        }
        return nil
    }

    /// A version, four extents, and the numbers.
    private static func tensor(_ cursor: inout ByteCursor) throws -> (shape: [Int], values: [Float]) {
        guard try count(&cursor) == 2 else {
            throw WeightFileError(.unsupported, "the network has tensors of an unknown version")
        }
        var (shape, size) = ([Int](), 1)
        for _ in 0..<4 {
            let extent = try count(&cursor)
            let (product, isTooLarge) = size.multipliedReportingOverflow(by: extent)
            guard !isTooLarge, product <= cursor.remaining / 4 else {
                throw WeightFileError(.damaged, "the network ends in the middle of something")
            }
            (size, shape) = (product, shape + [extent])
        }
        let bytes = try cursor.take(size * 4)
        return (
            shape,
            bytes.withUnsafeBytes { raw in
                (0..<size).map {
                    Float(bitPattern: .init(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)))
                }
            }
        )
    }

    /// An integer: its length in bytes with the sign above it, then the bytes, the lowest first.
    private static func count(_ cursor: inout ByteCursor) throws -> Int {
        let control = try cursor.byte()
        guard control & 0x80 == 0, control & 0x0f <= 4 else {
            throw WeightFileError(.damaged, "the network has an impossible size")
        }
        return try cursor.take(Int(control & 0x0f)).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
