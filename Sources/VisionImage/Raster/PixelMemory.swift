import Foundation

/// The memory of pixels, freed (or returned to its owner) with the last reference.
///
/// Memory allocated here is aligned to 64 bytes and followed by `padding` readable bytes, so that kernels may load a
/// full vector at the end of the last row. External memory has no such padding.
package final class PixelMemory: @unchecked Sendable {
    // Unchecked: the bytes are written only before the memory is shared (the initialisers of `Raster` ensure that), or
    // by the user of a CVPixelBuffer, whose contract forbids writing while others read.

    package static let alignment = 64
    package static let padding = 64

    package let address: UnsafeMutableRawPointer
    package let count: Int
    /// The bytes that are freed with this object: none for external memory.
    package let ownedBytes: Int
    private let release: () -> Void

    /// Allocates `count` uninitialised bytes; nil if memory is short.
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

    /// Wraps external memory, which is kept until `release` is called.
    package init(borrowing address: UnsafeMutableRawPointer, count: Int, release: @escaping () -> Void) {
        self.address = address
        self.count = count
        ownedBytes = 0
        self.release = release
    }

    deinit { release() }
}
