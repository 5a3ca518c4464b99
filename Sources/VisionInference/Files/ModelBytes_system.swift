package import Foundation

/// The bytes of a model, mapped from a file or held in memory. They stay where they are for as long as this object
/// lives, so that weights can be used in place.
///
/// A mapped file must not be shortened while it is in use: no process survives reading a mapping past the end of its
/// file.
package final class ModelBytes: @unchecked Sendable {
    // Unchecked: the bytes are never written once the object exists.
    private let start: UnsafeMutableRawPointer
    private let isMapped: Bool
    package let count: Int

    /// Maps a file read-only; its pages are read when they are touched.
    package init(mapping url: URL) throws(ModelError) {
        let path = url.path
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable("\(path) cannot be opened: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable("\(path) is not a regular file")
        }
        count = Int(status.st_size)
        guard count > 0 else { throw .unreadable("\(path) is empty") }
        guard let mapped = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), mapped != MAP_FAILED else {
            throw .unreadable("\(path) cannot be mapped: \(String(cString: strerror(errno)))")
        }
        start = mapped
        isMapped = true
    }

    /// Memory that begins at a multiple of 64, zeroed and then filled by the closure.
    package init(count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        start = .allocate(byteCount: max(count, 1), alignment: 64)
        memset(start, 0, max(count, 1))
        self.count = count
        isMapped = false
        try fill(UnsafeMutableRawBufferPointer(start: start, count: count))
    }

    package convenience init(_ data: Data) {
        self.init(count: data.count) { _ = data.copyBytes(to: $0) }
    }

    package convenience init<Element: BitwiseCopyable>(_ elements: [Element]) {
        self.init(count: elements.count * MemoryLayout<Element>.stride) { target in
            elements.withUnsafeBytes { source in
                if let from = source.baseAddress, let to = target.baseAddress {
                    copyBytes(source.count, from: from, to: to)
                }
            }
        }
    }

    deinit {
        if isMapped { munmap(start, count) } else { start.deallocate() }
    }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(start: start, count: count)) }
    }
}

/// A run of a model's bytes, which it keeps alive.
package struct ModelSlice: Sendable {
    package let bytes: ModelBytes
    package let range: Range<Int>

    package var count: Int { range.count }

    /// The whole of `bytes`.
    package init(_ bytes: ModelBytes) {
        self.bytes = bytes
        range = 0..<bytes.count
    }

    /// Nil where the range is not within the bytes.
    package init?(_ bytes: ModelBytes, _ range: Range<Int>) {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
        self.bytes = bytes
        self.range = range
    }

    /// The bytes need not begin where an element of theirs may lie: use `loadUnaligned`.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try bytes.withBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The elements as an array; a rest of bytes that fills no element is left out.
    package func elements<Element: BitwiseCopyable>(as type: Element.Type) -> [Element] {
        let stride = MemoryLayout<Element>.stride
        return withBytes { bytes in
            (0..<bytes.count / stride).map { bytes.loadUnaligned(fromByteOffset: $0 * stride, as: type) }
        }
    }
}
