/// Something that knows which revision of a request made it.
public protocol VNRequestRevisionProviding {
    /// The revision of the request; `VNRequestRevisionUnspecified` when no request made it.
    var requestRevision: Int { get }
}
