/// A name with a scope: the base of the keys of a configuration.
public class MLKey: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because of NSObject: everything in it is immutable, and it cannot be subclassed elsewhere.

    /// The name of the key.
    public let name: String
    /// The part of the model that the key concerns; nil for the whole.
    public let scope: String?

    init(name: String, scope: String? = nil) {
        self.name = name
        self.scope = scope
        super.init()
    }

    /// The key itself: it cannot change, so a copy would be the same.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether the other object is a key of the same class, name and scope.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? MLKey, type(of: other) == type(of: self) else { return false }
        return other.name == name && other.scope == scope
    }

    /// Equal keys have equal hashes.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(name)
        hasher.combine(scope)
        return hasher.finalize()
    }
}
