/// Called when a request is done, with the request, and the error if it failed.
///
/// It is called once for each perform, on the performing thread, before `perform` returns.
public typealias VNRequestCompletionHandler = (VNRequest, (any Error)?) -> Void

/// Called while a request is processed, with the request, the completed fraction (0…1), and the error if it failed.
public typealias VNRequestProgressHandler = (VNRequest, Double, (any Error)?) -> Void

/// The base class of all requests. It cannot be performed itself, nor can subclasses in other modules, unless they
/// extend a request that can be: their perform fails with `invalidOperation`.
///
/// The initialiser takes what has no default, so a request is ready once it is created. It can be performed repeatedly;
/// each time its `results` are replaced. The parameters of a perform are fixed when it begins: a request may be
/// performed by two handlers at once, and properties that are set meanwhile apply from the next perform on.
open class VNRequest: NSObject, NSCopying {
    /// Favours low memory use and short bursts of computation over speed. Accepted; has no effect yet.
    open var preferBackgroundProcessing = false

    /// Keeps the computation off the GPU. Accepted; the CPU is the only device.
    open var usesCPUOnly = false

    /// The revision of the algorithm. A revision that does not exist is accepted here and makes the perform fail:
    /// `unsupportedRevision`, or `notImplemented` if only this package lacks it.
    open var revision: Int

    /// Called when the request is done.
    public final let completionHandler: VNRequestCompletionHandler?

    /// The current state: the results, and the performs in progress.
    let activity = RequestActivity()

    /// Creates a request without a completion handler.
    public convenience override init() { self.init(completionHandler: nil) }

    /// Creates a request.
    ///
    /// - Parameter completionHandler: Called when the request is done, before `perform` returns.
    public init(completionHandler: VNRequestCompletionHandler?) {
        self.completionHandler = completionHandler
        revision = VNRequestRevisionUnspecified
        super.init()
        revision = type(of: self).defaultRevision
    }

    /// The results of the last perform: nil before the first one and after a failure, empty if nothing was found.
    ///
    /// Concrete requests have a property of the same name with the class of their observations.
    @_disfavoredOverload
    open var results: [VNObservation]? { activity.results }

    /// Cancels the performs of this request that are in progress: they end as soon as possible, the results become nil,
    /// and the completion handler and `perform` get the error `requestCancelled`.
    ///
    /// May be called from any thread. It affects the performs that have begun, even if they still wait for the handler
    /// or for the completion handlers of earlier requests; a request that is not being performed is not affected.
    open func cancel() { activity.cancel() }

    // MARK: - Revisions

    /// The implemented revisions.
    open class var supportedRevisions: IndexSet { revisionTable.supported }

    /// The default revision of a new request: the newest of the profile's SDK that is implemented here.
    open class var defaultRevision: Int { revisionTable.defaultRevision(for: .current) }

    /// The newest implemented revision, aside from variants in 8 bits, which have to be asked for.
    open class var currentRevision: Int { revisionTable.current }

    class var revisionTable: RevisionTable { .none }

    // MARK: - Copying

    /// Returns a request of the same class with the same parameters and completion handler, without results.
    ///
    /// Subclasses in other modules override it: without that the copy is of the nearest class of this module.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = makeCopy()
        copyParameters(to: copy)
        return copy
    }

    /// Returns a new request of this class with the same initialiser arguments.
    func makeCopy() -> VNRequest { VNRequest(completionHandler: completionHandler) }

    /// Copies all parameters that can be set to `copy`, which is of this class. Subclasses add their own.
    func copyParameters(to copy: VNRequest) {
        copy.preferBackgroundProcessing = preferBackgroundProcessing
        copy.usesCPUOnly = usesCPUOnly
        copy.revision = revision
    }

    // MARK: - Performing

    /// Returns the job of a perform with its parameters fixed and checked. Called on the performing thread, in the
    /// order of the requests, while the handler is locked; what is reserved in `state` must be released by the job's
    /// `end`.
    func makeJob(in state: HandlerState) throws -> RequestJob {
        throw visionError(
            .invalidOperation, "\(type(of: self)) is abstract and cannot be performed: use one of its subclasses.")
    }

    /// Throws an error if the revision is not implemented.
    final func checkRevision() throws {
        if let error = type(of: self).revisionTable.error(forRevision: revision) { throw error }
    }
}
