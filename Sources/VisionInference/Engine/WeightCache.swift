import VisionImage

/// Packed weights by what they were packed from, so that a network prepared for several input shapes packs once.
package final class WeightCache: Sendable {
    private struct Key: Hashable {
        let storage: ObjectIdentifier
        let purpose: String
    }

    private struct Entry {
        /// Keeps the identifier of the key from being given to another object.
        let source: TensorStorage
        let packed: TensorStorage
    }

    private let entries = Locked<[Key: Entry]>([:])

    package init() {}

    /// - Parameter purpose: tells apart what is made of the same weights; holds every parameter of the packing.
    package func packed(
        from source: Tensor, purpose: String, make: () throws -> TensorStorage
    ) rethrows -> TensorStorage {
        let key = Key(storage: ObjectIdentifier(source.storage), purpose: purpose)
        if let entry = entries.withLock({ $0[key] }) { return entry.packed }
        let packed = try make()
        return entries.withLock { entries in
            if let entry = entries[key] { return entry.packed }
            entries[key] = Entry(source: source.storage, packed: packed)
            return packed
        }
    }
}
