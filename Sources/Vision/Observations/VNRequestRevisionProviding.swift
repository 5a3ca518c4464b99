/// A type whose values have the revision of the request that made them.
public protocol VNRequestRevisionProviding {
    /// The revision of the request; `VNRequestRevisionUnspecified` if no request made it.
    var requestRevision: Int { get }
}
