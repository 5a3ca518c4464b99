import Foundation
package import VisionImage

/// Follows one target through a sequence of grey frames.
///
/// Trackers do not share anything that changes: different ones may be used at the same time, one is for one thread at a
/// time. The same frames give the same boxes on the same instruction set.
package final class CorrelationTracker {
    /// Below this nothing is learnt from a frame, so that a target that is hidden is not forgotten.
    static let learningConfidence: Float = 0.7

    private let width: Double
    private let height: Double
    private let translation: TranslationFilter
    private let sizes: ScaleFilter
    private var x: Double
    private var y: Double
    private var scale = 1.0

    /// Where the target is: as given at first, then as of the last update.
    package var box: PixelRegion {
        PixelRegion(
            x: x - width * scale / 2, y: y - height * scale / 2, width: width * scale, height: height * scale)
    }

    /// Starts with the target in `box`, which may lie partly outside of the frame.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame,
    ///   `TrackingError.unsupportedFrame` for a frame that is not `grey8`, `ImageError.outOfMemory`.
    package init(frame: Raster, box: PixelRegion) throws {
        try Self.check(frame)
        guard box.isFinite, box.width > 0, box.height > 0 else {
            throw TrackingError.invalidBox("The box to track has no area: \(box.width) x \(box.height) pixels")
        }
        guard box.x < Double(frame.width), box.y < Double(frame.height), box.x + box.width > 0, box.y + box.height > 0
        else { throw TrackingError.invalidBox("The box to track lies outside of the frame") }
        // Sizes beyond these have no meaning and would lose all precision.
        width = min(max(box.width, 1e-3), 1e6)
        height = min(max(box.height, 1e-3), 1e6)
        x = box.x + box.width / 2
        y = box.y + box.height / 2
        translation = try TranslationFilter(width: width, height: height)
        sizes = try ScaleFilter(width: width, height: height)
        keepWithin(frame)
        translation.learn(frame, x: x, y: y, scale: scale)
        sizes.learn(frame, x: x, y: y, scale: scale)
    }

    /// Finds the target in the next frame, which may have another size than the one before.
    ///
    /// The confidence, 0 ... 1, falls when the target is hidden or gone; at 0.5 it is as likely found as lost.
    ///
    /// - Throws: `TrackingError.unsupportedFrame` for a frame that is not `grey8`; the tracker is as before then.
    package func update(frame: Raster) throws -> (box: PixelRegion, confidence: Float) {
        try Self.check(frame)
        let response = translation.respond(to: frame, x: x, y: y, scale: scale)
        x += response.x * translation.side * scale
        y += response.y * translation.side * scale
        keepWithin(frame)
        let change = sizes.change(in: frame, x: x, y: y, scale: scale)
        scale = limited(scale * change.factor, in: frame)
        let confidence = Self.confidence(of: response, scalePeak: change.peak)
        if confidence >= Self.learningConfidence {
            translation.learn(frame, x: x, y: y, scale: scale)
            sizes.learn(frame, x: x, y: y, scale: scale)
        }
        return (box, confidence)
    }

    private static func check(_ frame: Raster) throws {
        guard frame.format == .grey8 else {
            throw TrackingError.unsupportedFrame("Tracking needs grey frames of 8 bits, not \(frame.format)")
        }
    }

    /// How likely the target is found rather than lost: a logistic function, fitted on eight labelled films run forwards
    /// and backwards, of how high the peak of place is, how near the next best place comes to it, and how well the size
    /// fits. The coefficients belong to the constants of the two filters.
    private static func confidence(of response: TranslationFilter.Response, scalePeak: Float) -> Float {
        let evidence = -5 + 3200 * response.peak - 26 * response.second + 16 * scalePeak
        return 1 / (1 + exp(-evidence))
    }

    /// The centre of the target stays in the image.
    private func keepWithin(_ frame: Raster) {
        x = min(max(x, 0), Double(frame.width - 1))
        y = min(max(y, 0), Double(frame.height - 1))
    }

    /// A target neither vanishes nor grows far beyond the frame, unless it began so.
    private func limited(_ scale: Double, in frame: Raster) -> Double {
        let least = min(1, 4 / min(width, height))
        let most = max(1, min(Double(frame.width) / width, Double(frame.height) / height))
        return min(max(scale, least), most)
    }
}
