import VisionThreads

/// What a request of the Swift API keeps from frame to frame beside its classic requests, a new one for each perform:
/// the handler, the spacing of the frames, and for a tracker its target.
final class TrackingState: Sendable {
    /// The handler whose state the request uses.
    let core = HandlerCore(isSequence: true)
    /// The least time between two frames that are analysed.
    let spacing: CMTime
    /// The last location of the target; nil for a request without one.
    private let memory: RequestMemory<VNDetectedObjectObservation?>

    /// - Parameters:
    ///   - spacing: The least time between two frames that are analysed; nil for every frame.
    ///   - target: The target of a tracker.
    init(spacing: CMTime?, target: VNDetectedObjectObservation? = nil) {
        self.spacing = spacing ?? .zero
        memory = RequestMemory(target)
    }

    /// Performs a request on a frame, one frame at a time, unless it follows the last analysed one too soon.
    ///
    /// - Parameters:
    ///   - request: The request. A tracker begins where the last perform ended.
    ///   - perform: Performs it.
    /// - Returns: The outcome; nil for a frame that is not analysed. One that fails does not count as analysed.
    func outcome(
        of request: VNRequest, at time: FrameTime, perform: () -> RequestOutcome
    ) -> RequestOutcome? {
        do {
            let observations = try memory.analyse(at: time, spacing: spacing) { target in
                if let request = request as? VNTrackingRequest, let target { request.inputObservation = target }
                let observations = try perform().get()
                if target != nil, let found = observations.first as? VNDetectedObjectObservation { target = found }
                return observations
            }
            return observations.map { .success($0) }
        } catch {
            return .failure(visionError(from: error))
        }
    }
}

/// The parameters of a tracker of the Swift API, which may be set on any thread.
struct TrackingParameters: Sendable {
    /// The region of interest.
    var region = NormalizedRect.fullImage
    /// Whether to favour accuracy or speed.
    var level = VNRequestTrackingLevel.accurate
}
