import Foundation

/// Writes the file with the weights of an ML program (`weights/weight.bin`): a header of 64 bytes, and for each tensor
/// 64 bytes that say what it is, and its elements, both at multiples of 64 bytes. Elements go to the file as they come.
final class CoreMLBlobWriter {
    /// What elements are, as the file numbers it.
    enum DataType: UInt32 {
        case float16 = 1, float32 = 2
    }

    private static let alignment = 64
    private static let version: UInt32 = 2
    private static let sentinel: UInt32 = 0xdead_beef

    private let file: FileHandle
    private var size = 0
    private var count: UInt32 = 0

    /// - Throws: `ModelError` when the file cannot be made.
    init(creating url: URL) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw ModelError.unreadable("\(url.path) cannot be written")
        }
        file = try FileHandle(forWritingTo: url)
        try write(header())
    }

    /// Appends a tensor.
    ///
    /// - Returns: The offset of its description, by which the program finds it.
    func append(_ type: DataType, _ elements: Data) throws -> Int {
        try pad()
        let offset = size
        var description = Data()
        Self.put(Self.sentinel, &description)
        Self.put(type.rawValue, &description)
        Self.put(UInt64(elements.count), &description)
        Self.put(UInt64(offset + Self.alignment), &description)
        description.append(Data(count: Self.alignment - description.count))
        try write(description)
        try write(elements)
        count += 1
        return offset
    }

    /// Completes the file: its header has the number of tensors.
    func close() throws {
        try file.seek(toOffset: 0)
        try file.write(contentsOf: header())
        try file.close()
    }

    private func header() -> Data {
        var header = Data()
        Self.put(count, &header)
        Self.put(Self.version, &header)
        header.append(Data(count: Self.alignment - header.count))
        return header
    }

    private func pad() throws {
        let rest = size % Self.alignment
        if rest > 0 { try write(Data(count: Self.alignment - rest)) }
    }

    private func write(_ data: Data) throws {
        try file.write(contentsOf: data)
        size += data.count
    }

    private static func put<Number: FixedWidthInteger>(_ number: Number, _ data: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }
}
