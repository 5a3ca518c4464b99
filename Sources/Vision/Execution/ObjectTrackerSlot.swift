import Foundation
import VisionAlgorithms
import VisionImage
import VisionModels

/// One tracker of a handler, and where the box that it follows lies.
final class ObjectTrackerSlot: @unchecked Sendable {
    // Unchecked: the works of one tracker form a lane, and the handler's lock orders performs.
    private struct Track {
        let tracker: any ObjectTracker
        let region: NormalizedRegion
        /// What the tracker counts its pixels in: the size of the region in the first frame.
        let size: ImageSize
    }

    private let kind: ObjectTrackerKind
    private var track: Track?
    let pace = Pace()

    init(kind: ObjectTrackerKind) { self.kind = kind }

    /// Throws when no track can start from such a box, whatever the image.
    static func checkStart(_ box: CGRect) throws {
        let (x, y, width, height) = (box.origin.x, box.origin.y, box.size.width, box.size.height)
        guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width > 0, height > 0 else {
            throw visionError(
                .invalidArgument, "The box \(box.text) to track is empty or has a coordinate that is no number.")
        }
        guard x < 1, y < 1, x + width > 0, y + height > 0 else {
            throw visionError(
                .outOfBoundsError,
                "The box \(box.text) to track lies outside the image. Boxes are normalised: the whole image is (0, 0, 1, 1)."
            )
        }
    }

    /// A tracker that can look at a frame together with others.
    struct Companion {
        let tracker: LearnedTracker
        let region: NormalizedRegion
        let size: ImageSize
    }

    /// nil where nothing can be shared: the track has not begun, sees another region or does without a network.
    func companion(in region: NormalizedRegion) -> Companion? {
        guard let track, track.region == region, let tracker = track.tracker as? LearnedTracker else { return nil }
        return Companion(tracker: tracker, region: region, size: track.size)
    }

    /// Starts the tracker in this frame, or finds the target of a running one in it.
    ///
    /// A frame of another size than the first is resized to that: the video is taken to show the same at another resolution.
    ///
    /// - Parameter seen: What the companion saw together with others.
    /// - Returns: The box, normalised to `region`.
    func find(
        _ input: VNDetectedObjectObservation, starts: Bool, in image: ImageSource, region: NormalizedRegion,
        seen: SeenWindow?
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
        let learned = track.tracker as? LearnedTracker
        let found = try learned?.update(frame: view, seen: seen) ?? track.tracker.update(frame: view)
        return (view.normalizedBox(of: found.box), VNConfidence(found.confidence))
    }
}
