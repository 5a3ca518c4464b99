import VisionImage
import VisionModels

/// What a request asks for in one perform: its parameters as they were when the perform began, checked.
struct RequestWork: Sendable {
    /// Works of one lane share state: they run one after another, in the order of the requests. Others run side by side.
    enum Lane: Hashable, Sendable {
        case registration
        case objectTracker(UUID)
        case rectangleTracker(UUID)
    }

    var lane: Lane?
    /// Of the lane's tracker.
    var pace: Pace?

    /// The tracker that can share its look at the frame, as it is when the works begin. Asked on the performing thread.
    var companion: @Sendable () -> ObjectTrackerSlot.Companion? = { nil }
    /// Does the work. Runs on any thread.
    var run: @Sendable (PerformContext) throws -> [VNObservation]
    /// Gives back what was reserved. Called once on the performing thread while the handler is still locked.
    var end: @Sendable (_ succeeded: Bool) -> Void = { _ in }
}

/// What a work can use: the image of the perform, what was worked out from it before, and whether it is still wanted.
struct PerformContext: Sendable {
    let image: ImageSource
    let timeRange: CMTimeRange
    let cancellation: Cancellation
    /// Counts each run of a network.
    let networkRuns: RunCounter
    /// What a tracker has seen of the frame already, together with others.
    var seen: SeenWindow?
}
