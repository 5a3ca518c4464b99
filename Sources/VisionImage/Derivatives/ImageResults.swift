/// Names something that is worked out from an image and kept with it: what was done, with which parameters.
///
/// Two equal keys stand for the same result, so everything that the result depends on, apart from the image, is in the key.
package protocol ImageResultKey: Hashable, Sendable {
    associatedtype Result: Sendable

    /// The memory that a result takes, about.
    static func byteCount(of result: Result) -> Int
}

/// What was worked out from one image and may be asked for again, by the same request or by others: the outputs of
/// networks, say. Each result is made once.
///
/// This module knows neither who works nor what comes out; a key brings both.
package final class ImageResults: Sendable {
    /// Bytes of results that one image keeps.
    package static let defaultByteLimit = 64 << 20

    private struct AnyKey: Hashable, @unchecked Sendable {
        // Unchecked: made of keys that are Sendable, which AnyHashable cannot say.
        let key: AnyHashable
        /// Keys of different types are different, also where AnyHashable finds their values equal.
        let type: ObjectIdentifier

        init<Key: ImageResultKey>(_ key: Key) {
            self.key = AnyHashable(key)
            type = ObjectIdentifier(Key.self)
        }
    }

    private let cache: OnceCache<AnyKey, Held>

    private struct Held: Sendable {
        let result: any Sendable
        let bytes: Int
    }

    package init(byteLimit: Int = defaultByteLimit) {
        cache = OnceCache(byteLimit: byteLimit) { $0.bytes }
    }

    /// The result of `key`: the one that is there, or the one that `make` returns. Threads that want the same result at the
    /// same time wait for the one that makes it. A failure is thrown and not remembered: the next one tries again.
    package func result<Key: ImageResultKey>(for key: Key, make: () throws -> Key.Result) throws -> Key.Result {
        let held = try cache.value(for: AnyKey(key)) {
            let result = try make()
            return Held(result: result, bytes: Key.byteCount(of: result))
        }
        // What is held under a key is of its type.
        guard let result = held.result as? Key.Result else { return try make() }
        return result
    }

    /// How often results were made and found.
    package var statistics: CacheStatistics { cache.statistics }
}
