import Foundation
import VisionAlgorithms
import VisionImage

/// One tracker of a handler, and where the box that it follows lies.
final class ObjectTrackerSlot: @unchecked Sendable {
    // Unchecked: the works of one tracker form a lane, and the handler's lock orders performs.
    private struct Track {
        let tracker: CorrelationTracker
        /// What the tracker counts its pixels in: the size of the frames, and the part of them that it sees.
        let size: ImageSize
        let view: PixelRegion
    }

    private var track: Track?

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

    /// Starts the tracker in this frame, or finds the target of a running one in it.
    ///
    /// - Returns: The box, normalised to `region`.
    func find(
        _ input: VNDetectedObjectObservation, starts: Bool, in image: ImageSource, region: NormalizedRegion
    ) throws -> (box: CGRect, confidence: VNConfidence) {
        let size = try image.uprightImageSize()
        let view = region.wholePixels(in: size)
        guard !starts, let track else {
            let box = region.pixelBox(of: input.boundingBox, in: size)
            let tracker = try CorrelationTracker(
                frame: image.grey(in: view),
                box: PixelRegion(x: box.x - view.x, y: box.y - view.y, width: box.width, height: box.height))
            track = Track(tracker: tracker, size: size, view: view)
            return (input.boundingBox, 1)
        }
        guard size == track.size else {
            throw visionError(
                .invalidArgument,
                "The frame has \(size.width) × \(size.height) pixels, but the track started on one of "
                    + "\(track.size.width) × \(track.size.height). Start a new track from the last box.")
        }
        guard view == track.view else {
            throw visionError(
                .invalidArgument,
                "The region of interest is not that of the frame where the track started. Start a new track there.")
        }
        let found = try track.tracker.update(frame: image.grey(in: view))
        let box = PixelRegion(
            x: found.box.x + view.x, y: found.box.y + view.y, width: found.box.width, height: found.box.height)
        return (region.normalizedBox(of: box, in: size), VNConfidence(found.confidence))
    }
}
