import VisionThreads

/// Packed weights by what they were packed from, so that a network prepared for several input shapes packs once.
///
/// The steps own what they use: constants that were folded for one set of shapes are new objects for the next, and what
/// was packed from them must go with the program that it was packed for.
package final class WeightCache: Sendable {
    private struct Key: Hashable {
        let storage: ObjectIdentifier
        let purpose: String
    }

    private struct Entry {
        weak var packed: PackedWeights?
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The number of entries at which dead ones are removed next.
        var purgeCount = 64

        mutating func purge() {
            guard entries.count >= purgeCount else { return }
            entries = entries.filter { $0.value.packed != nil }
            purgeCount = max(2 * entries.count, 64)
        }
    }

    private let state = Locked(State())

    package init() {}

    /// - Parameters:
    ///   - purpose: tells apart what is made of the same weights; holds every parameter of the packing.
    ///   - other: what `purpose` names by its address.
    package func packed(
        from source: Tensor, purpose: String, keeping other: TensorStorage? = nil, make: () throws -> TensorStorage
    ) rethrows -> PackedWeights {
        let key = Key(storage: ObjectIdentifier(source.storage), purpose: purpose)
        if let packed = state.withLock({ $0.entries[key]?.packed }) { return packed }
        let new = PackedWeights(try make(), sources: [source.storage] + (other.map { [$0] } ?? []))
        return state.withLock { state in
            if let packed = state.entries[key]?.packed { return packed }
            state.purge()
            state.entries[key] = Entry(packed: new)
            return new
        }
    }

    /// Packed weights that something still uses, and entries of the cache, dead ones included.
    var counts: (live: Int, entries: Int) {
        state.withLock { state in (state.entries.values.count { $0.packed != nil }, state.entries.count) }
    }
}

/// Weights in the order in which a kernel reads them.
package final class PackedWeights: Sendable {
    private let storage: TensorStorage
    /// The cache knows them by their addresses, where nothing else may lie as long as its entry lives.
    private let sources: [TensorStorage]

    fileprivate init(_ storage: TensorStorage, sources: [TensorStorage]) {
        self.storage = storage
        self.sources = sources
    }

    var base: UnsafeMutableRawPointer { storage.base }
}
