import Foundation
import VisionImage
import VisionModels

/// A tracker of a handler, and the coordinate space of its box.
final class ObjectTrackerSlot: @unchecked Sendable {
    // Unchecked: the jobs of one tracker form a serial queue, and the handler's lock orders performs.
    private struct Track {
        let tracker: StartedObjectTracker
        let region: NormalizedRegion
        /// The coordinate space of the tracker: the size of the region in the first frame, in pixels.
        let size: ImageSize
    }

    private let kind: ObjectTrackerKind
    private var track: Track?
    let cost = JobCost()

    init(kind: ObjectTrackerKind) { self.kind = kind }

    /// Throws if no track can start from the box, in any image.
    static func checkStart(_ box: CGRect) throws {
        let (x, y, width, height) = (box.origin.x, box.origin.y, box.size.width, box.size.height)
        guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width > 0, height > 0 else {
            throw visionError(
                .invalidArgument, "The box \(box.text) to track is empty or has a coordinate that is not a number.")
        }
        guard x < 1, y < 1, x + width > 0, y + height > 0 else {
            throw visionError(
                .outOfBoundsError,
                "The box \(box.text) to track lies outside the image. Boxes are normalised: the whole image is "
                    + "(0, 0, 1, 1)."
            )
        }
    }

    /// Returns the tracker if it can share a forward pass with others; nil if the track has not begun, uses another
    /// region, or has no network.
    func batchCandidate(in region: NormalizedRegion) -> TrackerBatch.Candidate? {
        guard let track, track.region == region, case .learned(let tracker) = track.tracker else { return nil }
        return TrackerBatch.Candidate(tracker: tracker, region: region, size: track.size)
    }

    /// Starts the tracker in this frame, or finds the target of a running one in it.
    ///
    /// A frame of another size is resized to that of the first one: it is taken to show the same view at another
    /// resolution.
    ///
    /// - Parameter window: The result of a shared forward pass; nil if the tracker must run its own.
    /// - Returns: The box, normalised to `region`.
    func find(
        _ input: VNDetectedObjectObservation, starts: Bool, in image: ImageSource, region: NormalizedRegion,
        window: SearchWindow?
    ) throws -> (box: CGRect, confidence: VNConfidence) {
        guard !starts, let track else {
            let view = try TrackedView(of: image, region: region, size: nil)
            let tracker = try kind.makeTracker(frame: view, box: view.pixelBox(of: input.boundingBox))
            track = Track(tracker: tracker, region: region, size: view.size)
            return (input.boundingBox, 1)
        }
        guard region == track.region else {
            throw visionError(
                .invalidArgument,
                "The region of interest is not that of the frame where the track started. Start a new track there.")
        }
        let view = try TrackedView(of: image, region: region, size: track.size)
        let found =
            switch track.tracker {
            case .correlation(let tracker): try tracker.update(frame: view)
            case .learned(let tracker): try tracker.update(frame: view, features: window)
            }
        return (view.normalizedBox(of: found.box), VNConfidence(found.confidence))
    }
}
