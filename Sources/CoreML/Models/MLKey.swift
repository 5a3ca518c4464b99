/// A name with a scope: the base class of the keys of a configuration.
public class MLKey: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because of NSObject: all properties are immutable, and it cannot be subclassed elsewhere.

    /// The name of the key.
    public let name: String
    /// The part of the model that the key refers to; nil for the whole.
    public let scope: String?

    init(name: String, scope: String? = nil) {
        self.name = name
        self.scope = scope
        super.init()
    }

    /// Returns the key itself, which is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns whether the other object is a key of the same class, name and scope.
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
