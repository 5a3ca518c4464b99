import Foundation
package import VisionImage

/// Follows one target fast: gradient directions of the grey frame, a filter for the place and one for the size.
package final class CorrelationTracker: ObjectTracker {
    /// Below this nothing is learnt from a frame, so that a target that is hidden is not forgotten.
    static let learningConfidence: Float = 0.7

    private let width: Double
    private let height: Double
    private let translation: TranslationFilter
    private let sizes: ScaleFilter
    private var x: Double
    private var y: Double
    private var scale = 1.0

    private var box: PixelRegion {
        PixelRegion(
            x: x - width * scale / 2, y: y - height * scale / 2, width: width * scale, height: height * scale)
    }

    /// Starts with the target in `box`, which may lie partly outside of the frame.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame,
    ///   `ImageError` where the frame's pixels cannot be had or memory is short.
    package init(frame: any TrackingFrame, box: PixelRegion) throws {
        try checkTrackingStart(box, in: frame)
        let frame = try frame.grey()
        // Sizes beyond these have no meaning and would lose all precision.
        width = min(max(box.width, 1e-3), 1e6)
        height = min(max(box.height, 1e-3), 1e6)
        x = box.x + box.width / 2
        y = box.y + box.height / 2
        translation = try TranslationFilter(width: width, height: height, settings: .fast)
        sizes = try ScaleFilter(width: width, height: height, settings: .fast)
        keepWithin(frame)
        try translation.look(at: FramePixels(grey: frame), x: x, y: y, scale: scale)
        translation.learn()
        sizes.learn(frame, x: x, y: y, scale: scale)
    }

    package func update(frame: any TrackingFrame) throws -> (box: PixelRegion, confidence: Float) {
        let frame = try frame.grey()
        let response = try translation.respond(to: FramePixels(grey: frame), x: x, y: y, scale: scale)
        x += response.x * translation.side * scale
        y += response.y * translation.side * scale
        keepWithin(frame)
        let change = sizes.change(in: frame, x: x, y: y, scale: scale)
        scale = limited(scale * change.factor, in: frame)
        let confidence = Self.confidence(of: response, scalePeak: change.peak)
        if confidence >= Self.learningConfidence {
            try translation.look(at: FramePixels(grey: frame), x: x, y: y, scale: scale)
            translation.learn()
            sizes.learn(frame, x: x, y: y, scale: scale)
        }
        return (box, confidence)
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
