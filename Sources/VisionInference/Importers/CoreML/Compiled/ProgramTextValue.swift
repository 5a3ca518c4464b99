import Foundation

/// A value that the text states.
enum ProgramTextLiteral {
    case number(Double)
    /// Whole numbers that doubles do not hold exactly.
    case integer(Int64)
    case text(String)
    case list([ProgramTextLiteral])
    case file(path: String, offset: Int)
    /// The name of a value that something has made.
    case name(String)
    indirect case value(ProgramTextType, ProgramTextLiteral)

    /// Numbers and texts in their order, whatever brackets they stand in.
    func flattened(into numbers: inout [Double], _ integers: inout [Int64], _ texts: inout [String]) throws {
        switch self {
        case .number(let number):
            numbers.append(number)
            integers.append(Int64(exactly: number.rounded(.towardZero)) ?? 0)
        case .integer(let integer):
            numbers.append(Double(integer))
            integers.append(integer)
        case .text(let text): texts.append(text)
        case .list(let values): for value in values { try value.flattened(into: &numbers, &integers, &texts) }
        case .value(_, let value): try value.flattened(into: &numbers, &integers, &texts)
        case .file, .name: throw ModelError.damaged("a file or a name within a value of the program")
        }
    }

    /// Writes the message `Value`.
    func write(_ type: ProgramTextType, to writer: inout ProtobufWriter) throws {
        writer.message(2) { type.write(to: &$0) }
        if case .file(let path, let offset) = self {
            writer.message(5) { file in
                file.string(1, path)
                file.int(2, Int64(offset))
            }
            return
        }
        var (numbers, integers, texts): ([Double], [Int64], [String]) = ([], [], [])
        try flattened(into: &numbers, &integers, &texts)
        switch type {
        case .tensor(let element, _):
            let tensor = try Self.tensor(element, numbers, integers, texts)
            writer.message(3) { immediate in immediate.append(1, tensor) }
        case .list(let inner, _):
            guard case .tensor(let element, _) = inner else { throw ModelError.unsupported("a list of lists") }
            var list = ProtobufWriter()
            for index in 0..<max(numbers.count, texts.count) {
                var entry = ProtobufWriter()
                let single: ProgramTextLiteral =
                    texts.isEmpty
                    ? .integer(integers[index]) : texts.indices.contains(index) ? .text(texts[index]) : .list([])
                try single.write(.tensor(element: element, shape: []), to: &entry)
                list.append(1, entry)
            }
            writer.message(3) { immediate in immediate.append(3, list) }
        case .dictionary, .state, .tuple: throw ModelError.unsupported("a dictionary, state or tuple as a value")
        }
    }

    /// The message `TensorValue`.
    private static func tensor(
        _ element: Int, _ numbers: [Double], _ integers: [Int64], _ texts: [String]
    ) throws -> ProtobufWriter {
        var writer = ProtobufWriter()
        func bytes<Number: FixedWidthInteger>(_: Number.Type) throws {
            var data = Data(capacity: integers.count * MemoryLayout<Number>.size)
            for integer in integers {
                guard let number = Number(exactly: integer) else {
                    throw ModelError.damaged("the number \(integer) where \(Number.self) is expected")
                }
                withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
            }
            writer.message(7) { values in data.withUnsafeBytes { values.bytes(1, $0) } }
        }
        switch element {
        case 2: writer.message(4) { values in for text in texts { values.string(1, text) } }
        case 1: writer.message(3) { $0.packedInts(1, integers.map { $0 == 0 ? 0 : 1 }) }
        case 10, 11, 13: writer.message(1) { $0.packedFloats(1, numbers.map { Float($0) }) }
        case 12: writer.message(1) { $0.packedFloats(1, numbers.map { Float($0) }) }
        case 21: try bytes(Int8.self)
        case 31: try bytes(UInt8.self)
        case 22: try bytes(Int16.self)
        case 32: try bytes(UInt16.self)
        case 23: writer.message(2) { $0.packedInts(1, integers) }
        case 24, 33, 34: writer.message(5) { $0.packedInts(1, integers) }
        default: throw ModelError.unsupported("numbers of the type \(element) in the text of a program")
        }
        return writer
    }
}
