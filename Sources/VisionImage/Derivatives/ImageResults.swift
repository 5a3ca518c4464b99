/// Identifies a result that is computed from an image and cached with it: the operation and its parameters.
///
/// Equal keys stand for the same result, so the key contains everything that the result depends on, apart from the
/// image.
package protocol ImageResultKey: Hashable, Sendable {
    associatedtype Result: Sendable

    /// The approximate memory use of a result, in bytes.
    static func byteCount(of result: Result) -> Int
}

/// The cache of results that are computed from one image, for example the outputs of networks. Each result is made once
/// and shared by all requests.
///
/// This module knows neither the computation nor the type of a result; both come with the key.
package final class ImageResults: Sendable {
    /// The capacity for the results of one image, in bytes.
    package static let defaultByteLimit = 64 << 20

    private struct AnyKey: Hashable, @unchecked Sendable {
        // Unchecked: made of Sendable keys, which AnyHashable cannot express.
        let key: AnyHashable
        /// Keys of different types are different, even if AnyHashable considers their values equal.
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

    /// Returns the cached result of `key`, or that of `make`. Threads that want the same result at the same time wait
    /// for the one that makes it. An error is thrown and not cached: the next caller tries again.
    package func result<Key: ImageResultKey>(for key: Key, make: () throws -> Key.Result) throws -> Key.Result {
        let held = try cache.value(for: AnyKey(key)) {
            let result = try make()
            return Held(result: result, bytes: Key.byteCount(of: result))
        }
        // The result of a key has the key's type.
        guard let result = held.result as? Key.Result else { return try make() }
        return result
    }

    /// Whether the result of `key` was made, or is being made.
    package func contains<Key: ImageResultKey>(_ key: Key) -> Bool { cache.contains(AnyKey(key)) }

    /// How often results were made and found.
    package var statistics: CacheStatistics { cache.statistics }
}
