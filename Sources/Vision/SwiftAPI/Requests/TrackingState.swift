import VisionThreads

/// The handler that a request of the Swift API is performed with on every frame, and the spacing of the frames.
final class TrackingState: Sendable {
    /// The handler whose state the request uses.
    let core = HandlerCore(isSequence: true)
    /// The least time between two frames that are analysed.
    let spacing: CMTime
    /// Only the time of the last analysed frame.
    private let memory = RequestMemory(())

    init(spacing: CMTime?) { self.spacing = spacing ?? .zero }

    /// Analyses a frame, one at a time, unless it follows the last analysed one too soon: then returns nil.
    func analyse<Result>(at timeRange: CMTimeRange, _ body: () -> Result) -> Result? {
        memory.analyse(at: timeRange, spacing: spacing) { _ in body() }
    }
}

/// The target of a tracker of the Swift API, and its parameters, which may be set on any thread.
struct TrackedTarget: Sendable {
    /// The last location of the target.
    var input: VNDetectedObjectObservation
    /// The region of interest.
    var region = NormalizedRect.fullImage
    /// Whether to favour accuracy or speed.
    var level = VNRequestTrackingLevel.accurate
}
