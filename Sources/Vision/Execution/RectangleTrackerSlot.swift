import Foundation
import VisionAlgorithms
import VisionImage

/// A rectangle tracker of a handler.
final class RectangleTrackerSlot: @unchecked Sendable {
    // Unchecked: the jobs of one tracker form a serial queue, and the handler's lock orders performs.
    private struct Track {
        let tracker: QuadTracker
        let region: NormalizedRegion
        /// The coordinate space of the tracker: the size of the region in the first frame, in pixels.
        let size: ImageSize
    }

    private var track: Track?
    let cost = JobCost()

    /// Returns the corners of an observation: those of its box if it has no others.
    static func corners(of observation: VNDetectedObjectObservation) -> VNRectangleObservation.Corners {
        if let rectangle = observation as? VNRectangleObservation {
            return (rectangle.topLeft, rectangle.topRight, rectangle.bottomRight, rectangle.bottomLeft)
        }
        let box = observation.boundingBox
        return (
            CGPoint(x: box.minX, y: box.maxY), CGPoint(x: box.maxX, y: box.maxY),
            CGPoint(x: box.maxX, y: box.minY), CGPoint(x: box.minX, y: box.minY)
        )
    }

    /// Throws if no track can start from the corners, in any image.
    static func checkStart(_ corners: VNRectangleObservation.Corners) throws {
        let points = [corners.topLeft, corners.topRight, corners.bottomRight, corners.bottomLeft]
        let text = points.map { "(\($0.x), \($0.y))" }.joined(separator: ", ")
        guard points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else {
            throw visionError(
                .invalidArgument, "The rectangle \(text) to track has a coordinate that is not a number.")
        }
        guard points.contains(where: { $0.x < 1 }), points.contains(where: { $0.x > 0 }),
            points.contains(where: { $0.y < 1 }), points.contains(where: { $0.y > 0 })
        else {
            throw visionError(
                .outOfBoundsError,
                "The rectangle \(text) to track lies outside the image. Corners are normalised: the whole image is "
                    + "from (0, 0) to (1, 1).")
        }
    }

    /// Starts the tracker in this frame, or finds the rectangle of a running one in it.
    ///
    /// A frame of another size is resized to that of the first one: it is taken to show the same view at another
    /// resolution.
    ///
    /// - Returns: The corners, normalised to `region`.
    func find(
        _ input: VNDetectedObjectObservation, level: QuadTracker.Level, starts: Bool, in image: ImageSource,
        region: NormalizedRegion
    ) throws -> (corners: VNRectangleObservation.Corners, confidence: VNConfidence) {
        guard !starts, let track else {
            let view = try TrackedView(of: image, region: region, size: nil)
            let corners = Self.corners(of: input)
            let quad = PlanarQuad(
                topLeft: view.pixelPoint(of: corners.topLeft), topRight: view.pixelPoint(of: corners.topRight),
                bottomRight: view.pixelPoint(of: corners.bottomRight),
                bottomLeft: view.pixelPoint(of: corners.bottomLeft))
            let tracker = try QuadTracker(frame: view, quad: quad, level: level)
            track = Track(tracker: tracker, region: region, size: view.size)
            return (corners, 1)
        }
        guard region == track.region else {
            throw visionError(
                .invalidArgument,
                "The region of interest is not that of the frame where the track started. Start a new track there.")
        }
        let view = try TrackedView(of: image, region: region, size: track.size)
        let found = try track.tracker.update(frame: view)
        let quad = found.quad
        return (
            (
                view.normalizedPoint(of: quad.topLeft), view.normalizedPoint(of: quad.topRight),
                view.normalizedPoint(of: quad.bottomRight), view.normalizedPoint(of: quad.bottomLeft)
            ), VNConfidence(found.confidence)
        )
    }
}

/// The trackers of a frame share its pyramid and its corners.
extension TrackedView: PlanarFrame {
    func pyramid() throws -> PlanarPyramid {
        try image.results.result(for: PlanarPyramidKey(part: part, size: size)) { try PlanarPyramid(grey()) }
    }

    func features() throws -> PlanarFeatures {
        try image.results.result(for: PlanarFeaturesKey(part: part, size: size)) { try PlanarFeatures(of: pyramid()) }
    }

    func colour() throws -> Raster? {
        let whole = PixelRegion(x: 0, y: 0, width: Double(width), height: Double(height))
        return try colour(covering: whole).pixels
    }
}

private struct PlanarPyramidKey: ImageResultKey {
    let part: PixelRegion
    let size: ImageSize

    /// Excludes the first level, which is stored elsewhere.
    static func byteCount(of result: PlanarPyramid) -> Int {
        result.levels.dropFirst().reduce(0) { $0 + $1.rowBytes * $1.height }
    }
}

private struct PlanarFeaturesKey: ImageResultKey {
    let part: PixelRegion
    let size: ImageSize

    static func byteCount(of result: PlanarFeatures) -> Int { result.byteCount }
}
