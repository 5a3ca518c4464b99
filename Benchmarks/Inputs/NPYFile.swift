import Foundation

/// An array as NumPy writes it (.npy, versions 1 and 2): a header in Python's notation, then the elements, rows first.
struct NPYFile {
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    /// NumPy's name of the element type, little-endian: "<f4", "|u1", "<i8"…
    let type: String
    let shape: [Int]
    let bytes: Data

    init(path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        func malformed(_ what: String) -> Malformed { Malformed(description: "\(path): \(what)") }
        guard data.count >= 12, data.prefix(6).elementsEqual([0x93] + Array("NUMPY".utf8)), data[6] == 1 || data[6] == 2
        else { throw malformed("this is not an .npy file of version 1 or 2") }
        let lengthBytes = data[6] == 1 ? 2 : 4
        let length = (0..<lengthBytes).reduce(0) { $0 | Int(data[8 + $1]) << (8 * $1) }
        let start = 8 + lengthBytes + length
        guard start <= data.count else { throw malformed("its header is truncated") }
        let header = String(decoding: data[(8 + lengthBytes)..<start], as: UTF8.self)

        guard let type = header.firstMatch(of: /'descr': '([<|=][a-z][0-9]+)'/)?.1,
            let order = header.firstMatch(of: /'fortran_order': (True|False)/)?.1, order == "False",
            let sizes = header.firstMatch(of: /'shape': \(([0-9, ]*)\)/)?.1, let width = Int(type.dropFirst(2))
        else { throw malformed("its header is not supported: \(header)") }
        shape = sizes.split(separator: ",").compactMap { Int($0.filter(\.isNumber)) }
        bytes = data[start...]
        self.type = String(type)
        guard bytes.count == shape.reduce(width, *) else { throw malformed("its size is not that of its shape") }
    }

    /// The elements, whatever their type is, for comparing.
    var values: [Double]? {
        func numbers<Element: BitwiseCopyable>(_: Element.Type, _ value: (Element) -> Double) -> [Double] {
            bytes.withUnsafeBytes { raw in
                (0..<raw.count / MemoryLayout<Element>.size).map {
                    value(raw.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Element>.size, as: Element.self))
                }
            }
        }
        return switch type {
        case "<f4": numbers(Float.self) { Double($0) }
        case "<f8": numbers(Double.self) { $0 }
        case "|u1", "|b1": numbers(UInt8.self) { Double($0) }
        case "|i1": numbers(Int8.self) { Double($0) }
        case "<i2": numbers(Int16.self) { Double($0) }
        case "<u2": numbers(UInt16.self) { Double($0) }
        case "<i4": numbers(Int32.self) { Double($0) }
        case "<u4": numbers(UInt32.self) { Double($0) }
        case "<i8": numbers(Int64.self) { Double($0) }
        default: nil
        }
    }
}
