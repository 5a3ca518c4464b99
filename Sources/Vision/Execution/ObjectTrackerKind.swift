import VisionAlgorithms
import VisionImage
import VisionModels

/// The object trackers that there are.
enum ObjectTrackerKind: Hashable, Sendable {
    case fast
    case accurate
    case learned

    /// Which one a request asks for.
    init(revision: Int, level: VNRequestTrackingLevel) {
        guard revision == VNTrackObjectRequestRevision1 else {
            self = .learned
            return
        }
        switch level {
        case .fast: self = .fast
        case .accurate: self = .accurate
        }
    }

    /// Starts a tracker with the target in `box`, in pixels of the frame.
    func makeTracker(frame: any TrackingFrame, box: PixelRegion) throws -> StartedObjectTracker {
        switch self {
        case .fast: .correlation(try CorrelationTracker(frame: frame, box: box))
        case .accurate: .correlation(try AccurateTracker(frame: frame, box: box))
        case .learned: .learned(try LearnedTracker(frame: frame, box: box, networks: .shared()))
        }
    }
}

/// A tracker that follows a target.
enum StartedObjectTracker {
    case correlation(any ObjectTracker)
    /// Can take a forward pass that it shares with others.
    case learned(LearnedTracker)
}
