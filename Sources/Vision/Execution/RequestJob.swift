import VisionImage

/// The validated parameters of a request, captured when a perform begins.
struct RequestJob: Sendable {
    /// The serial queue of the job. Jobs of one queue run one after another, in the order of the requests; jobs of
    /// different queues run in parallel.
    var queue: SerialQueue?
    /// The cost of the jobs of this queue, for scheduling.
    var cost: JobCost?
    /// The membership in a batch, if the job shares a task with others.
    var membership: BatchMembership?

    /// Whether the job reads the maps of a backbone: then its run with maps serves all requests of the perform.
    var readsBackboneMaps = false

    /// Runs the job, on any thread.
    var run: @Sendable (PerformContext) throws -> [VNObservation]
    /// Releases reserved resources. Called once on the performing thread, while the handler is still locked.
    var end: @Sendable (_ succeeded: Bool) -> Void = { _ in }
}

/// A serial queue of a perform, identified by the state that its jobs share.
struct SerialQueue: Hashable, Sendable {
    private let state: ObjectIdentifier

    /// - Parameter state: Must live as long as the jobs.
    init(of state: AnyObject) { self.state = ObjectIdentifier(state) }
}

/// The environment of a job: the image of the perform with its cached results, and whether the job was cancelled.
struct PerformContext: Sendable {
    let image: ImageSource
    let time: FrameTime
    let cancellation: Cancellation
    /// Counts the network runs.
    let networkRuns: RunCounter
    /// Whether a job of the perform reads the maps of a backbone.
    var wantsBackboneMaps = false

    /// The time range of the results.
    var timeRange: CMTimeRange { time.range }
}
