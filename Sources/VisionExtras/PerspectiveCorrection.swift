public import Foundation
public import Vision

/// Rectifies the page, card or screen that a rectangle observation outlines: the image of it seen from straight above.
///
/// ```swift
/// let request = VNDetectDocumentSegmentationRequest(), handler = VNImageRequestHandler(url: url)
/// try handler.perform([request])
/// if let page = request.results?.first {
///     let image = try PerspectiveCorrection(page).image(from: handler)
/// }
/// ```
public struct PerspectiveCorrection: Sendable {
    private let rectangle: VNRectangleObservation
    private let region: CGRect

    /// Creates the correction for a rectangle.
    ///
    /// - Parameters:
    ///   - rectangle: The corners; they may lie a little outside the image, whose border is then repeated.
    ///   - regionOfInterest: That of the request which found it, normalised, origin at the lower left.
    public init(_ rectangle: VNRectangleObservation, regionOfInterest: CGRect = VNNormalizedIdentityRect) {
        (self.rectangle, region) = (rectangle, regionOfInterest)
    }

    /// Returns the rectified image: four bytes a pixel, blue first (`kCVPixelFormatType_32BGRA`).
    ///
    /// Its proportions are those of the object, estimated from the perspective for a lens with a view of about 45
    /// degrees; it has about as many pixels as the object has in the image, and at most 8192 along a side.
    ///
    /// - Parameter handler: A handler of the image; its orientation counts.
    /// - Throws: An error of `VNErrorDomain`: `invalidArgument` for corners that are not those of a rectangle in
    ///   perspective, and those of an image that cannot be read.
    public func image(from handler: VNImageRequestHandler) throws -> CVPixelBuffer {
        try handler.rectified(rectangle, regionOfInterest: region)
    }
}
