import VisionImage

/// What a request asks for in one perform: its parameters as they were when the perform began, checked.
struct RequestJob: Sendable {
    /// The serial queue that the job belongs to. Jobs of one queue run one after another, in the order of the requests;
    /// others run side by side.
    var queue: SerialQueue?
    /// What jobs of this queue cost, for scheduling.
    var cost: JobCost?
    /// Where the job prepares something together with others of its perform.
    var membership: BatchMembership?

    /// Does the job. Runs on any thread.
    var run: @Sendable (PerformContext) throws -> [VNObservation]
    /// Gives back what was reserved. Called once on the performing thread while the handler is still locked.
    var end: @Sendable (_ succeeded: Bool) -> Void = { _ in }
}

/// A serial queue of a perform, identified by the state that its jobs share.
struct SerialQueue: Hashable, Sendable {
    private let state: ObjectIdentifier

    /// - Parameter state: Has to live as long as the jobs.
    init(of state: AnyObject) { self.state = ObjectIdentifier(state) }
}

/// What a job can use: the image of the perform, what was worked out from it before, and whether it is still wanted.
struct PerformContext: Sendable {
    let image: ImageSource
    let timeRange: CMTimeRange
    let cancellation: Cancellation
    /// Counts each run of a network.
    let networkRuns: RunCounter
}
