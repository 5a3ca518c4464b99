public import Vision
import VisionModels

/// The serialised form of an index: "OVPRINTS", then little-endian numbers.
///
///     version 1 · revision · elements a print: 4 bytes each; prints: 8 bytes
///     each print, in the order of insertion: length of its key in bytes (4), the key in UTF-8, its elements
private enum IndexForm {
    static let signature = Data("OVPRINTS".utf8)
    static let version: UInt32 = 1
    static let headerSize = 28

    static func error(_ reason: String) -> any Error {
        visionError(from: PrintError.damaged("The data is not a valid index of feature prints: \(reason)."))
    }
}

extension FeaturePrintIndex where Key: LosslessStringConvertible {
    /// Returns the index in the form that `init(data:)` reads.
    public var data: Data {
        var data = IndexForm.signature
        data.append(bytesOf: IndexForm.version)
        data.append(bytesOf: UInt32(truncatingIfNeeded: revision ?? 0))
        data.append(bytesOf: UInt32(truncatingIfNeeded: elementCount ?? 0))
        data.append(bytesOf: UInt64(count))
        for key in keys {
            guard let print = self[key] else { continue }
            let text = Data(key.description.utf8)
            data.append(bytesOf: UInt32(truncatingIfNeeded: text.count))
            data.append(text)
            data.append(print.data)
        }
        return data
    }

    /// Reads an index. The bytes may be untrusted.
    ///
    /// - Throws: `invalidArgument` if they are not a valid index, or one with invalid or duplicate keys.
    public init(data: Data) throws {
        self.init()
        var rest = data[...]
        guard data.count >= IndexForm.headerSize, rest.take(IndexForm.signature.count) == IndexForm.signature,
            let version: UInt32 = rest.number(), let revision: UInt32 = rest.number(),
            let elements: UInt32 = rest.number(), let count: UInt64 = rest.number()
        else { throw IndexForm.error("its header is invalid") }
        guard version == IndexForm.version else {
            throw IndexForm.error("its version is \(version), not \(IndexForm.version)")
        }
        // Checked before memory is allocated: every print needs its elements and at least four bytes.
        guard elements <= PrintVector.largestCount, count <= UInt64(rest.count) / (4 * UInt64(elements) + 4) else {
            throw IndexForm.error("it is too short for \(count) prints of \(elements) elements")
        }
        for _ in 0..<count {
            guard let length: UInt32 = rest.number(), let text = rest.take(Int(length)),
                let key = String(data: text, encoding: .utf8).flatMap(Key.init),
                let bytes = rest.take(4 * Int(elements))
            else { throw IndexForm.error("a print is truncated or its key is invalid") }
            let print = try FeaturePrint(revision: Int(Int32(bitPattern: revision)), data: bytes)
            let before = self.count
            try insert(print, for: key)
            guard self.count == before + 1 else { throw IndexForm.error("the key \(key) occurs twice") }
        }
        guard rest.isEmpty else { throw IndexForm.error("\(rest.count) bytes follow its end") }
    }
}

extension Data {
    fileprivate mutating func append<Number: FixedWidthInteger>(bytesOf number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    /// Removes and returns the first bytes; nil if there are not enough.
    fileprivate mutating func take(_ length: Int) -> Data? {
        guard length <= count else { return nil }
        defer { self = dropFirst(length) }
        return prefix(length)
    }

    fileprivate mutating func number<Number: FixedWidthInteger>() -> Number? {
        take(Number.bitWidth / 8)?.reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
