import VisionThreads

/// What a tracking request of the Swift API keeps from frame to frame.
final class TrackingState: Sendable {
    /// The handler whose state the tracker belongs to.
    let core = HandlerCore(isSequence: true)
    private let values: Locked<Values>

    private struct Values: Sendable {
        var input: VNDetectedObjectObservation
        var region: NormalizedRect = .fullImage
        var level: VNRequestTrackingLevel = .accurate
    }

    init(input: VNDetectedObjectObservation) { values = Locked(Values(input: input)) }

    /// The last location of the target.
    var input: VNDetectedObjectObservation {
        get { values.withLock { $0.input } }
        set { values.withLock { $0.input = newValue } }
    }

    var region: NormalizedRect {
        get { values.withLock { $0.region } }
        set { values.withLock { $0.region = newValue } }
    }

    var level: VNRequestTrackingLevel {
        get { values.withLock { $0.level } }
        set { values.withLock { $0.level = newValue } }
    }
}
