/// A field of a message of Protocol Buffers, or an element of it, before it is written.
///
/// Fields go by the numbers of the format's `.proto` files: a test of the reader must not take them from the reader.
package indirect enum ProtoValue {
    case int(Int)
    case float(Float)
    case double(Double)
    case string(String)
    case bytes([UInt8])
    case floats([Float])
    case doubles([Double])
    case ints([Int])
    case message(ProtoFields)
    /// The field as often as there are values.
    case repeated([ProtoValue])
}

package typealias ProtoFields = KeyValuePairs<Int, ProtoValue>

/// Writes messages of Protocol Buffers.
package enum ProtoWriter {
    package static func bytes(_ fields: ProtoFields) -> [UInt8] { fields.flatMap { field($0.key, $0.value) } }

    private static func field(_ number: Int, _ value: ProtoValue) -> [UInt8] {
        func tagged(_ type: Int, _ bytes: [UInt8]) -> [UInt8] { varint(number << 3 | type) + bytes }
        func packed(_ bytes: [UInt8]) -> [UInt8] { tagged(2, varint(bytes.count) + bytes) }
        switch value {
        case .int(let value): return tagged(0, varint(value))
        case .float(let value): return tagged(5, little(value.bitPattern))
        case .double(let value): return tagged(1, little(value.bitPattern))
        case .string(let text): return packed(Array(text.utf8))
        case .bytes(let bytes): return packed(bytes)
        case .floats(let values): return packed(values.flatMap { little($0.bitPattern) })
        case .doubles(let values): return packed(values.flatMap { little($0.bitPattern) })
        case .ints(let values): return packed(values.flatMap { varint($0) })
        case .message(let fields): return packed(bytes(fields))
        case .repeated(let values): return values.flatMap { field(number, $0) }
        }
    }

    private static func varint(_ value: Int) -> [UInt8] {
        var rest = UInt64(bitPattern: Int64(value))
        var bytes: [UInt8] = []
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

/// Builds small Core ML files.
package struct CoreMLFileBuilder {
    package typealias Feature = ProtoValue

    package var version = 5
    package var inputs: [Feature] = []
    package var outputs: [Feature] = []
    /// What a program keeps from one prediction to the next.
    package var states: [Feature] = []
    package var predictedFeature = ""
    package var predictedProbabilities = ""
    package var metadata: ProtoFields = [:]

    package init() {}

    /// - Parameter model: the field of the kind of model, and its message.
    package func file(_ kind: Int, _ model: ProtoFields) -> [UInt8] { ProtoWriter.bytes(fields(kind, model)) }

    /// The same as a part of a pipeline.
    package func fields(_ kind: Int, _ model: ProtoFields) -> ProtoFields {
        [
            1: .int(version),
            2: .message([
                1: .repeated(inputs), 10: .repeated(outputs), 11: .string(predictedFeature),
                12: .string(predictedProbabilities), 13: .repeated(states), 100: .message(metadata),
            ]),
            kind: .message(model),
        ]
    }

    // MARK: Features

    private static func feature(_ name: String, _ type: Int, _ content: ProtoFields, isOptional: Bool = false)
        -> Feature
    {
        .message([
            1: .string(name), 3: .message([type: .message(content), 1000: .int(isOptional ? 1 : 0)]),
        ])
    }

    /// - Parameter fields: further fields of the array's type.
    package static func array(
        _ name: String, _ shape: [Int], type: Int = 65568, isOptional: Bool = false, fields: ProtoFields = [:]
    ) -> Feature {
        var all: [(Int, ProtoValue)] = [(1, .ints(shape)), (2, .int(type))]
        all += fields.map { ($0.key, $0.value) }
        let bytes = all.flatMap { ProtoWriter.bytes([$0.0: $0.1]) }
        return .message([1: .string(name), 3: .message([5: .bytes(bytes), 1000: .int(isOptional ? 1 : 0)])])
    }

    /// - Parameter colours: 10 grey, 20 RGB, 30 BGR.
    package static func image(_ name: String, width: Int, height: Int, colours: Int = 20) -> Feature {
        feature(name, 4, [1: .int(width), 2: .int(height), 3: .int(colours)])
    }

    package static func double(_ name: String, isOptional: Bool = false) -> Feature {
        feature(name, 2, [:], isOptional: isOptional)
    }

    package static func int64(_ name: String) -> Feature { feature(name, 1, [:]) }
    package static func string(_ name: String) -> Feature { feature(name, 3, [:]) }
    package static func dictionary(_ name: String) -> Feature { feature(name, 6, [2: .message([:])]) }

    // MARK: Layers of neural networks

    package static func layer(
        _ name: String, _ inputs: [String], _ outputs: [String], _ type: Int, _ parameters: ProtoFields = [:]
    ) -> ProtoValue {
        .message([
            1: .string(name), 2: .repeated(inputs.map { .string($0) }), 3: .repeated(outputs.map { .string($0) }),
            type: .message(parameters),
        ])
    }

    package static func weights(_ values: [Float]) -> ProtoValue { .message([1: .floats(values)]) }
}
