import Foundation
import VisionImage

/// Recycles the memory of released spectra for the next frame: a sequence needs two at a time, three while it keeps
/// another one.
final class PlanePool: @unchecked Sendable {
    // Unchecked: `free` is accessed with the lock held only.
    private static let limit = 3
    private let bytes: Int
    private let lock = NSLock()
    private var free: [PixelMemory] = []

    init(bytes: Int) { self.bytes = bytes }

    func take() throws -> PixelMemory {
        lock.lock()
        let kept = free.popLast()
        lock.unlock()
        if let kept { return kept }
        guard let memory = PixelMemory(count: bytes) else { throw ImageError.outOfMemory(bytes: bytes) }
        return memory
    }

    func give(_ memory: PixelMemory) {
        lock.lock()
        defer { lock.unlock() }
        if free.count < Self.limit { free.append(memory) }
    }
}
