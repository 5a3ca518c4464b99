import Foundation
import VisionThreads

/// A thread-safe cache of values that are each made once, with a capacity in bytes.
///
/// Threads that want the same value at the same time wait for the one that makes it; different values are made in
/// parallel. Above the capacity the least recently used values are dropped first; a value in use lives on with its
/// user.
package final class OnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private final class Entry: @unchecked Sendable {
        // Unchecked: `value` is accessed under `lock` only; the rest under the cache's lock.
        let lock = NSLock()
        var value: Value?
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
    private let byteCount: @Sendable (Value) -> Int

    /// - Parameter byteCount: The memory that is freed when a value is dropped.
    package init(byteLimit: Int, byteCount: @escaping @Sendable (Value) -> Int) {
        self.byteLimit = byteLimit
        self.byteCount = byteCount
        state = Locked(State())
    }

    /// Returns the cached value of `key`, or that of `make`. An error is thrown and not cached.
    ///
    /// `make` may ask the cache for other keys, but not for one whose value depends on this one.
    package func value(for key: Key, make: () throws -> Value) throws -> Value {
        let entry = state.withLock { state in
            state.clock += 1
            let entry = state.entries[key] ?? Entry()
            entry.lastUse = state.clock
            state.entries[key] = entry
            return entry
        }
        // Most values are ready after a short spin.
        if !SpinWait.wait(until: { entry.lock.try() }) { entry.lock.lock() }
        defer { entry.lock.unlock() }
        if let value = entry.value {
            state.withLock { $0.hits += 1 }
            return value
        }
        do {
            let value = try make()
            entry.value = value
            account(for: value, of: entry, under: key)
            return value
        } catch {
            state.withLock { state in
                state.misses += 1
                if state.entries[key] === entry { state.entries[key] = nil }
            }
            throw error
        }
    }

    private func account(for value: Value, of entry: Entry, under key: Key) {
        let bytes = byteCount(value)
        state.withLock { state in
            state.misses += 1
            // A thread that waited for a failed attempt makes the value in an entry that is no longer in the table.
            let kept = state.entries[key] ?? entry
            guard kept === entry else { return }
            state.entries[key] = entry
            entry.bytes = bytes
            state.bytes += bytes
            while state.bytes > byteLimit {
                // Entries without bytes are views of something else, or still being made: dropping them frees nothing.
                let droppable = state.entries.filter { $0.value !== entry && $0.value.bytes > 0 }
                guard let oldest = droppable.min(by: { $0.value.lastUse < $1.value.lastUse }) else { break }
                state.bytes -= oldest.value.bytes
                state.entries[oldest.key] = nil
            }
        }
    }

    /// Whether the value of `key` was made, or is being made.
    package func contains(_ key: Key) -> Bool { state.withLock { $0.entries[key] != nil } }

    /// The counters of the cache.
    package var statistics: CacheStatistics {
        state.withLock {
            CacheStatistics(hits: $0.hits, misses: $0.misses, bytes: $0.bytes, count: $0.entries.count)
        }
    }
}

/// Counters of a cache.
package struct CacheStatistics: Hashable, Sendable {
    /// The number of values that were found.
    package var hits = 0
    /// The number of values that were made. For derivatives each is one decode, conversion, resize or change of layout.
    package var misses = 0
    /// The bytes of the cached values.
    package var bytes = 0
    /// The number of cached values.
    package var count = 0
}
