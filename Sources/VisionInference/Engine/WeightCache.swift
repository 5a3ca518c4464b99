import VisionImage

/// Packed weights by what they were packed from, so that a network prepared for several input shapes packs once.
package final class WeightCache: Sendable {
    private struct Key: Hashable {
        let storage: ObjectIdentifier
        let purpose: String
    }

    private struct Entry {
        /// Keeps what the key identifies by its address from being replaced by something else there.
        let sources: [TensorStorage]
        let packed: TensorStorage
    }

    private let entries = Locked<[Key: Entry]>([:])

    package init() {}

    /// - Parameters:
    ///   - purpose: tells apart what is made of the same weights; holds every parameter of the packing.
    ///   - other: what `purpose` names by its address.
    package func packed(
        from source: Tensor, purpose: String, keeping other: TensorStorage? = nil, make: () throws -> TensorStorage
    ) rethrows -> TensorStorage {
        let key = Key(storage: ObjectIdentifier(source.storage), purpose: purpose)
        if let entry = entries.withLock({ $0[key] }) { return entry.packed }
        let packed = try make()
        return entries.withLock { entries in
            if let entry = entries[key] { return entry.packed }
            entries[key] = Entry(sources: [source.storage] + (other.map { [$0] } ?? []), packed: packed)
            return packed
        }
    }
}
