import VisionImage

/// A request that tells how far it is.
public protocol VNRequestProgressProviding {
    /// Called while the request is processed, on any thread, with the completed fraction.
    var progressHandler: VNRequestProgressHandler { get set }

    /// Whether the request cannot tell how far it is: then the handler is never called.
    var indeterminate: Bool { get }
}
