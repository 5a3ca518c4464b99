package import Foundation
import VisionFiles

/// The bytes of a model in memory. They stay at their address for as long as this object lives, so that weights can be
/// used in place.
package final class ModelBytes: @unchecked Sendable {
    // Unchecked: the bytes are never written once the object exists.
    private let block: MemoryBlock
    package let count: Int

    /// Reads a whole file.
    ///
    /// Files are not mapped, whatever their size: if another program shortens a mapped file, the next access past its
    /// new end kills the process (SIGBUS), and a file that is overwritten changes the weights of a running network.
    ///
    /// - Throws: `ModelError.unreadable` when it is not a regular file, is empty, cannot be read, or is shortened while
    ///   it is being read.
    package init(contentsOf url: URL) throws(ModelError) {
        let file: RegularFile
        do {
            file = try RegularFile(url)
        } catch {
            throw .unreadable(error.description)
        }
        guard file.size > 0 else { throw .unreadable("\(url.path) is empty") }
        guard file.size <= ModelLimits.fileBytes else {
            throw .tooLarge(
                "\(url.path) has \(file.size) bytes, more than the limit of \(ModelLimits.fileBytes) for a model's file"
            )
        }
        guard let block = MemoryBlock(byteCount: file.size) else {
            throw .tooLarge("there is no memory for the \(file.size) bytes of \(url.path)")
        }
        self.block = block
        count = file.size
        do throws(RegularFileError) {
            let read = try file.read(into: UnsafeMutableRawBufferPointer(start: block.base, count: file.size))
            guard read == file.size else {
                throw RegularFileError(
                    .system, path: url.path,
                    reason: "was shortened from \(file.size) to \(read) bytes while it was read")
            }
        } catch {
            throw .unreadable(error.description)
        }
    }

    /// Memory that begins at a multiple of 64, zeroed and then filled by the closure.
    ///
    /// - Precondition: there is memory for `count` bytes.
    package init(count: Int, filling body: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        guard let block = MemoryBlock(byteCount: count) else {
            preconditionFailure("there is no memory for \(count) bytes")
        }
        self.block = block
        self.count = count
        try body(UnsafeMutableRawBufferPointer(start: block.base, count: count))
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

    deinit { block.deallocate() }

    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(start: block.base, count: count)) }
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
