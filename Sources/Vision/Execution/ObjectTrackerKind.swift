import VisionAlgorithms
import VisionImage

/// The object trackers that there are.
enum ObjectTrackerKind: Hashable, Sendable {
    case fast
    case accurate

    /// Which one a request asks for.
    init(revision: Int, level: VNRequestTrackingLevel) {
        switch level {
        case .fast: self = .fast
        case .accurate: self = .accurate
        }
    }

    /// Starts a tracker with the target in `box`, in pixels of the frame.
    func makeTracker(frame: any TrackingFrame, box: PixelRegion) throws -> any ObjectTracker {
        switch self {
        case .fast: try CorrelationTracker(frame: frame, box: box)
        case .accurate: try AccurateTracker(frame: frame, box: box)
        }
    }
}
