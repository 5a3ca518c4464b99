import Foundation

/// Bytes that pixels live in, freed (or given back to their owner) when the last user lets go.
///
/// Memory made here is aligned to 64 bytes and followed by `padding` readable bytes, so that kernels may load a full
/// vector at the end of the last row. Memory that a caller lends has no such padding.
package final class PixelMemory: @unchecked Sendable {
    // Unchecked: the bytes are written only before the memory is shared (the makers of a raster see to that), or by the
    // user of a CVPixelBuffer, whose contract forbids writing while others read.

    package static let alignment = 64
    package static let padding = 64

    package let address: UnsafeMutableRawPointer
    package let count: Int
    /// The bytes that are freed with this object: none where the memory is lent.
    package let ownedBytes: Int
    private let release: () -> Void

    /// Uninitialised memory of `count` bytes; nil when the system has none.
    package init?(count: Int) {
        var pointer: UnsafeMutableRawPointer?
        guard count >= 0, count <= Int.max - Self.padding,
            posix_memalign(&pointer, Self.alignment, count + Self.padding) == 0, let pointer
        else { return nil }
        address = pointer
        self.count = count
        ownedBytes = count
        release = { free(pointer) }
    }

    /// Memory of somebody else's, kept until `release` is called.
    package init(borrowing address: UnsafeMutableRawPointer, count: Int, release: @escaping () -> Void) {
        self.address = address
        self.count = count
        ownedBytes = 0
        self.release = release
    }

    deinit { release() }
}
