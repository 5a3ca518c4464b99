import VisionImage

/// Called when a request is done: the request, and the error if it failed.
///
/// It is called once for each perform, on the thread that performs, before `perform` returns.
public typealias VNRequestCompletionHandler = (VNRequest, (any Error)?) -> Void

/// Called while a request works: the request, the part done (0…1), and the error if it failed.
public typealias VNRequestProgressHandler = (VNRequest, Double, (any Error)?) -> Void

/// Something to find out about an image: the common base of all requests. It cannot be performed itself.
///
/// A request is ready once it is made: what has no default is asked for by the initialiser. It can be performed again and
/// again; each time its `results` are replaced. What a perform works on is fixed when it begins: a request may be
/// performed by two handlers at once, and properties that are set in the meantime count from the next perform on.
public class VNRequest: NSObject, NSCopying {
    /// Asks for less memory and work at a time rather than for speed. Accepted; there is nothing to trade yet.
    public var preferBackgroundProcessing = false

    /// Keeps the work off the GPU. Accepted; the CPU is the only device there is.
    public var usesCPUOnly = false

    /// The revision of the algorithm. A revision that does not exist is accepted here and makes the perform fail:
    /// `unsupportedRevision`, or `notImplemented` where only this package lacks it.
    public var revision: Int

    /// Called when the request is done.
    public final let completionHandler: VNRequestCompletionHandler?

    /// What is going on with the request: its results, and the performs under way.
    let activity = RequestActivity()

    /// A request without a completion handler.
    public convenience override init() { self.init(completionHandler: nil) }

    /// A request.
    ///
    /// - Parameter completionHandler: Called when the request is done, before `perform` returns.
    public init(completionHandler: VNRequestCompletionHandler?) {
        self.completionHandler = completionHandler
        revision = VNRequestRevisionUnspecified
        super.init()
        revision = type(of: self).defaultRevision
    }

    /// What the last perform found: nil before the first one and when it failed, empty when it found nothing.
    ///
    /// Requests that can be performed have a property of the same name that knows the class of the observations.
    @_disfavoredOverload
    public final var results: [VNObservation]? { activity.results }

    /// Ends the performs of this request that are under way as soon as possible: its results become nil and the
    /// completion handler and `perform` get the error `requestCancelled`.
    ///
    /// May be called from any thread. It concerns the performs that have begun, also where they still wait for the handler
    /// or for the completion handlers of earlier requests; a request that is not being performed is left as it is.
    public func cancel() { activity.cancel() }

    // MARK: - Revisions

    /// The revisions that run.
    public class var supportedRevisions: IndexSet { revisionTable.supported }

    /// The revision that a new request has: the newest of the profile's SDK that runs here.
    public class var defaultRevision: Int { revisionTable.defaultRevision(for: .current) }

    /// The newest revision that runs here.
    public class var currentRevision: Int { revisionTable.current }

    class var revisionTable: RevisionTable { .none }

    // MARK: - Copying

    /// A request of the same class with the same parameters and completion handler; it has no results yet.
    public final func copy(with zone: NSZone? = nil) -> Any {
        let copy = makeCopy()
        copyParameters(to: copy)
        return copy
    }

    /// A request of this class made with what the initialiser takes.
    func makeCopy() -> VNRequest { VNRequest(completionHandler: completionHandler) }

    /// Gives `copy`, which is of this class, all parameters that can be set. Subclasses add theirs.
    func copyParameters(to copy: VNRequest) {
        copy.preferBackgroundProcessing = preferBackgroundProcessing
        copy.usesCPUOnly = usesCPUOnly
        copy.revision = revision
    }

    // MARK: - Performing

    /// The job as it stands now, with all parameters checked. Called on the performing thread, in the order of the
    /// requests, while the handler is locked; what is reserved in `state` must be given back by the job's `end`.
    func makeJob(in state: HandlerState) throws -> RequestJob {
        throw visionError(
            .invalidOperation, "\(type(of: self)) is abstract and cannot be performed: use one of its subclasses.")
    }

    /// Throws when the revision does not run.
    final func checkRevision() throws {
        if let error = type(of: self).revisionTable.error(forRevision: revision) { throw error }
    }
}
