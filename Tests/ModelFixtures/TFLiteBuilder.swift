/// Builds small TensorFlow Lite files.
///
/// Operators and their options go by the numbers of the format's schema: a test of the reader must not take them from
/// the reader.
package struct TFLiteBuilder {
    package enum ElementType: Int8 {
        case float32 = 0, float16 = 1, int32 = 2, uint8 = 3, int64 = 4, bool = 6, int8 = 9
    }

    private struct OperatorCode: Hashable {
        var builtin: Int32
        var custom: String?
        var version: Int32
    }

    package var description = ""
    private var codes: [OperatorCode] = []
    private var tensors: [[Int: FlatValue]] = []
    /// The first buffer is the empty one, by convention.
    private var buffers: [[UInt8]] = [[]]
    private var operators: [[Int: FlatValue]] = []
    private var metadata: [[Int: FlatValue]] = []
    private var inputs: [Int32] = []
    private var outputs: [Int32] = []

    package init() {}

    // MARK: Tensors

    /// A tensor that is computed or given.
    ///
    /// - Parameter fields: Further fields of the tensor's table, or others in place of those that this call writes.
    package mutating func tensor(
        _ name: String, _ shape: [Int], type: ElementType = .float32, fields: [Int: FlatValue] = [:]
    ) -> Int {
        tensors.append(
            [0: .int32s(shape.map(Int32.init)), 1: .int8(type.rawValue), 2: .uint32(0), 3: .string(name)]
                .merging(fields) { $1 })
        return tensors.count - 1
    }

    package mutating func constant(
        _ name: String, _ shape: [Int], type: ElementType, bytes: [UInt8], fields: [Int: FlatValue] = [:]
    ) -> Int {
        buffers.append(bytes)
        return tensor(
            name, shape, type: type, fields: [2: .uint32(UInt32(buffers.count - 1))].merging(fields) { $1 })
    }

    package mutating func constant(
        _ name: String, _ shape: [Int], _ values: [Float], fields: [Int: FlatValue] = [:]
    ) -> Int {
        constant(name, shape, type: .float32, bytes: Self.bytes(values), fields: fields)
    }

    package mutating func constant(_ name: String, _ shape: [Int], ints values: [Int32]) -> Int {
        constant(name, shape, type: .int32, bytes: Self.bytes(values))
    }

    package mutating func constant(_ name: String, _ shape: [Int], halves values: [Float]) -> Int {
        constant(name, shape, type: .float16, bytes: Self.bytes(values.map(Self.half)))
    }

    package mutating func input(
        _ name: String, _ shape: [Int], type: ElementType = .float32, fields: [Int: FlatValue] = [:]
    ) -> Int {
        let index = tensor(name, shape, type: type, fields: fields)
        inputs.append(Int32(index))
        return index
    }

    package mutating func output(_ index: Int) { outputs.append(Int32(index)) }

    /// The fields of a table of scales, for a tensor's field 4.
    package static func quantization(scales: [Float], zeroPoints: [Int64], axis: Int32 = 0) -> FlatValue {
        .table([2: .floats(scales), 3: .int64s(zeroPoints), 6: .int32(axis)])
    }

    // MARK: Operators

    /// Adds an operator whose one output is a new tensor.
    ///
    /// - Parameters:
    ///   - inputs: Tensors; -1 for an optional one left out.
    ///   - options: The number of the options' table in the schema's union, and its fields.
    package mutating func add(
        _ builtin: Int32, version: Int32 = 1, _ inputs: [Int], to name: String, _ shape: [Int],
        type: ElementType = .float32, options: (kind: UInt8, fields: [Int: FlatValue])? = nil,
        fields: [Int: FlatValue] = [:]
    ) -> Int {
        let output = tensor(name, shape, type: type, fields: fields)
        addOperator(.init(builtin: builtin, custom: nil, version: version), inputs, [output], options: options)
        return output
    }

    /// Adds an operator with outputs that exist.
    package mutating func add(
        _ builtin: Int32, _ inputs: [Int], outputs: [Int], options: (kind: UInt8, fields: [Int: FlatValue])? = nil
    ) {
        addOperator(.init(builtin: builtin, custom: nil, version: 1), inputs, outputs, options: options)
    }

    package mutating func add(
        custom: String, _ inputs: [Int], to name: String, _ shape: [Int], options: [UInt8]
    ) -> Int {
        let output = tensor(name, shape)
        addOperator(
            .init(builtin: 32, custom: custom, version: 1), inputs, [output], options: nil, customOptions: options)
        return output
    }

    private mutating func addOperator(
        _ code: OperatorCode, _ inputs: [Int], _ outputs: [Int], options: (kind: UInt8, fields: [Int: FlatValue])?,
        customOptions: [UInt8]? = nil
    ) {
        let index = codes.firstIndex(of: code) ?? codes.count
        if index == codes.count { codes.append(code) }
        var fields: [Int: FlatValue] = [
            0: .uint32(UInt32(index)), 1: .int32s(inputs.map(Int32.init)), 2: .int32s(outputs.map(Int32.init)),
        ]
        if let options {
            fields[3] = .uint8(options.kind)
            fields[4] = .table(options.fields)
        }
        if let customOptions { fields[5] = .bytes(customOptions) }
        operators.append(fields)
    }

    // MARK: The file

    package mutating func addMetadata(_ name: String, _ bytes: [UInt8]) {
        buffers.append(bytes)
        metadata.append([0: .string(name), 1: .uint32(UInt32(buffers.count - 1))])
    }

    package func file() -> [UInt8] {
        let codes = codes.map { code in
            var fields: [Int: FlatValue] = [
                0: .int8(Int8(min(code.builtin, 127))), 2: .int32(code.version), 3: .int32(code.builtin),
            ]
            fields[1] = code.custom.map { .string($0) }
            return fields
        }
        let graph: [Int: FlatValue] = [
            0: .tables(tensors), 1: .int32s(inputs), 2: .int32s(outputs), 3: .tables(operators), 4: .string("main"),
        ]
        var root: [Int: FlatValue] = [
            0: .uint32(3), 1: .tables(codes), 2: .tables([graph]), 3: .string(description),
            4: .tables(buffers.map { $0.isEmpty ? [:] : [0: .bytes($0)] }),
        ]
        if !metadata.isEmpty { root[6] = .tables(metadata) }
        return FlatBufferWriter.file(identifier: "TFL3", root: root)
    }

    // MARK: Bytes

    package static func bytes(_ values: [Float]) -> [UInt8] { bytes(values.map(\.bitPattern)) }

    package static func bytes<Value: FixedWidthInteger>(_ values: [Value]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
    }

    /// Half precision of a value that it holds exactly: `Float16` does not exist on every machine.
    package static func half(_ value: Float) -> UInt16 {
        let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
        guard value != 0 else { return sign }
        let fraction = UInt16(value.significandBitPattern >> 13)
        return sign | UInt16(Int(value.exponent) + 15) << 10 | fraction
    }
}
