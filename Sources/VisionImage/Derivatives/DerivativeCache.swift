import Foundation

/// Rasters by key, each made once, bounded in bytes.
///
/// Threads that want the same raster at the same time wait for the one that makes it; different rasters are made in
/// parallel. When the bytes exceed the limit, what was used longest ago goes first; a raster in use lives on with its
/// user.
package final class DerivativeCache<Key: Hashable & Sendable>: Sendable {
    private final class Entry: @unchecked Sendable {
        // Unchecked: `raster` is touched under `lock` only; the rest under the cache's lock.
        let lock = NSLock()
        var raster: Raster?
        var bytes = 0
        var lastUse = 0
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var clock = 0
        var bytes = 0
        var hits = 0
        var misses = 0
    }

    private let state: Locked<State>
    private let byteLimit: Int

    package init(byteLimit: Int) {
        self.byteLimit = byteLimit
        state = Locked(State())
    }

    /// The raster of `key`: the cached one, or the one that `make` returns. A failure is thrown and not remembered.
    package func raster(for key: Key, make: () throws -> Raster) throws -> Raster {
        let entry = state.withLock { state in
            state.clock += 1
            let entry = state.entries[key] ?? Entry()
            entry.lastUse = state.clock
            state.entries[key] = entry
            return entry
        }
        entry.lock.lock()
        defer { entry.lock.unlock() }
        if let raster = entry.raster {
            state.withLock { $0.hits += 1 }
            return raster
        }
        do {
            let raster = try make()
            entry.raster = raster
            account(for: raster, of: entry, under: key)
            return raster
        } catch {
            state.withLock { state in
                state.misses += 1
                if state.entries[key] === entry { state.entries[key] = nil }
            }
            throw error
        }
    }

    private func account(for raster: Raster, of entry: Entry, under key: Key) {
        state.withLock { state in
            state.misses += 1
            // An entry that was dropped while it was being made is nobody's to count.
            guard state.entries[key] === entry else { return }
            entry.bytes = raster.memory.ownedBytes
            state.bytes += entry.bytes
            while state.bytes > byteLimit {
                // Entries without bytes are views of the image itself, or still being made: dropping them frees nothing.
                let droppable = state.entries.filter { $0.value !== entry && $0.value.bytes > 0 }
                guard let oldest = droppable.min(by: { $0.value.lastUse < $1.value.lastUse }) else { break }
                state.bytes -= oldest.value.bytes
                state.entries[oldest.key] = nil
            }
        }
    }

    /// What the cache did so far.
    package var statistics: DerivativeStatistics {
        state.withLock {
            DerivativeStatistics(hits: $0.hits, misses: $0.misses, bytes: $0.bytes, count: $0.entries.count)
        }
    }
}

/// Counters of a derivative cache.
package struct DerivativeStatistics: Hashable, Sendable {
    /// Rasters that were there already.
    package var hits = 0
    /// Rasters that had to be made: each is one decode, conversion, resize or change of layout.
    package var misses = 0
    /// Bytes that the cached rasters hold.
    package var bytes = 0
    /// Rasters in the cache.
    package var count = 0
}
