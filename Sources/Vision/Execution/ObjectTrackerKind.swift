import VisionAlgorithms
import VisionImage
import VisionModels

/// The kinds of object trackers.
enum ObjectTrackerKind: Hashable, Sendable {
    case fast
    case accurate
    case learned

    /// Returns the kind that a request selects.
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

/// A tracker with its target.
enum StartedObjectTracker {
    case correlation(any ObjectTracker)
    /// Can use a forward pass that it shares with other trackers.
    case learned(LearnedTracker)
}
