import Foundation

/// A zeroed block of memory that its owner keeps for long: the arena of a run, the bytes of a file.
///
/// Large blocks are mappings of their own. Within the heap, the next block of another size would seldom fit where one
/// was freed, and glibc takes the size of the largest block that was freed as the one below which nothing is mapped
/// any more: the memory of a process that goes on preparing networks for new input sizes would grow for hours.
struct MemoryBlock {
    let base: UnsafeMutableRawPointer
    let byteCount: Int

    /// The bytes from which on a block is a mapping.
    static let smallestMapping = 1 << 20
    static let alignment = 64

    var isMapped: Bool { byteCount >= Self.smallestMapping }

    /// Begins at a multiple of `alignment`. Nil where there is no memory.
    init?(byteCount: Int) {
        self.byteCount = byteCount
        if byteCount >= Self.smallestMapping {
            let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            guard let address, address != MAP_FAILED else { return nil }
            base = address
        } else {
            var address: UnsafeMutableRawPointer?
            guard posix_memalign(&address, Self.alignment, max(byteCount, 1)) == 0, let address else { return nil }
            clearBytes(max(byteCount, 1), at: address)
            base = address
        }
    }

    /// Gives the memory back; nothing may use it any longer.
    func deallocate() {
        if isMapped {
            munmap(base, byteCount)
        } else {
            free(base)
        }
    }
}
