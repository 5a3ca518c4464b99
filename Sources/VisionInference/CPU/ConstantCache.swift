import Foundation
import VisionThreads

/// The constants of all programs of a session, so that equal ones share their memory.
///
/// Passes compute constants anew for each set of input shapes, and nearly all come out the same. A program that uses
/// the tensors of an earlier one also finds what was packed of them (`WeightCache`). Nothing is kept alive.
package final class ConstantCache: Sendable {
    private struct Key: Hashable {
        let type: ElementType
        let shape: Shape
        let sample: Int
    }

    private struct Entry {
        weak var storage: TensorStorage?
    }

    private struct State {
        var entries: [Key: [Entry]] = [:]
        /// The number of keys at which dead entries are removed next.
        var purgeCount = 256

        mutating func purge() {
            guard entries.count >= purgeCount else { return }
            entries = entries.compactMapValues { entries in
                let live = entries.filter { $0.storage != nil }
                return live.isEmpty ? nil : live
            }
            purgeCount = max(2 * entries.count, 256)
        }
    }

    private let state = Locked(State())

    /// Returns a tensor of the same type, shape and bytes: the first one that is still in use.
    ///
    /// - Parameter tensor: One whose memory something else owns is returned as it is.
    package func shared(_ tensor: Tensor) -> Tensor {
        guard !tensor.storage.isBorrowed else { return tensor }
        let key = Key(type: tensor.type, shape: tensor.shape, sample: Self.sample(tensor))
        let storage = state.withLock { state -> TensorStorage in
            for case let other? in state.entries[key, default: []].map(\.storage)
            where other === tensor.storage || memcmp(other.base, tensor.storage.base, tensor.byteCount) == 0 {
                return other
            }
            state.purge()
            state.entries[key, default: []].removeAll { $0.storage == nil }
            state.entries[key, default: []].append(Entry(storage: tensor.storage))
            return tensor.storage
        }
        // The other has as many bytes, so this is never the tensor as it came.
        return (try? Tensor(tensor.type, shape: tensor.shape, storage: storage)) ?? tensor
    }

    /// A hash of some of the bytes: what differs in others only is told apart by the comparison of all.
    private static func sample(_ tensor: Tensor) -> Int {
        let bytes = UnsafeRawBufferPointer(start: tensor.storage.base, count: tensor.byteCount)
        var hasher = Hasher()
        for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 256)) { hasher.combine(bytes[index]) }
        return hasher.finalize()
    }

    /// Tensors that something still uses, and entries, dead ones included.
    var counts: (live: Int, entries: Int) {
        state.withLock { state in
            let entries = state.entries.values.joined()
            return (entries.count { $0.storage != nil }, entries.count)
        }
    }
}
