import Foundation

/// Reads records that a byte ends – lines, or paths that end with NUL – from a pipe or a file.
struct RecordReader {
    /// A record is longer than the limit; it is skipped.
    struct TooLong: Error {
        let limit: Int
    }

    private let file: FileHandle
    private let separator: UInt8
    private let limit: Int
    private var buffer: [UInt8] = []
    /// Where the next record begins in the buffer.
    private var start = 0
    private var isAtEnd = false

    private static let chunk = 1 << 16

    /// - Parameter limit: The most bytes of a record.
    init(_ file: FileHandle, separator: UInt8, limit: Int) {
        (self.file, self.separator, self.limit) = (file, separator, limit)
    }

    /// Returns the next record without its separator; nil at the end. The last one need not have a separator.
    ///
    /// - Throws: `TooLong`, after which reading goes on with the next record; the error of reading.
    mutating func next() throws -> Data? {
        // Bytes that were searched before are not searched again.
        var searched = start
        var skipped = false
        while true {
            if let end = buffer[searched...].firstIndex(of: separator) {
                let record = buffer[start..<end]
                start = end + 1
                if skipped || record.count > limit { throw TooLong(limit: limit) }
                return Data(record)
            }
            buffer.removeFirst(start)
            (start, searched) = (0, buffer.count)
            if searched > limit {
                buffer.removeAll(keepingCapacity: false)
                (searched, skipped) = (0, true)
            }
            guard !isAtEnd else {
                let rest = Data(buffer)
                buffer = []
                if skipped { throw TooLong(limit: limit) }
                return rest.isEmpty ? nil : rest
            }
            let part = try file.readSome(upTo: Self.chunk)
            isAtEnd = part.isEmpty
            buffer += part
        }
    }
}

extension FileHandle {
    /// Reads what is there, at least one byte; nothing at the end. `read(upToCount:)` waits until it has all.
    fileprivate func readSome(upTo count: Int) throws -> [UInt8] {
        while true {
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let got = Foundation.read(fileDescriptor, buffer.baseAddress, count)
                if got < 0 { failure = errno }
                filled = max(got, 0)
            }
            if failure == 0 { return bytes }
            guard failure == EINTR else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
        }
    }
}
