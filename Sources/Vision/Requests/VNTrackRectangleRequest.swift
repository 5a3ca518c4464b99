import VisionImage

/// Follows a rectangle and its four corners through a film.
///
/// Not implemented: performing it fails with `notImplemented`. `VNTrackObjectRequest` follows its box.
public final class VNTrackRectangleRequest: VNTrackingRequest, VNTypedRequest {
    /// What is found: one observation.
    public typealias ResultObservation = VNRectangleObservation

    /// A request that starts or continues a track.
    ///
    /// - Parameters:
    ///   - rectangleObservation: The rectangle as it was last seen.
    ///   - completionHandler: Called when the request is done, before `perform` returns.
    public init(
        rectangleObservation: VNRectangleObservation, completionHandler: VNRequestCompletionHandler? = nil
    ) {
        super.init(inputObservation: rectangleObservation, completionHandler: completionHandler)
    }

    override class var revisionTable: RevisionTable { .trackRectangle }

    override func makeCopy() -> VNRequest {
        // The input may be any detected object by now; `copyParameters` brings it over as it is.
        VNTrackRectangleRequest(
            rectangleObservation: VNRectangleObservation(boundingBox: inputObservation.boundingBox),
            completionHandler: completionHandler)
    }

    override func makeWork(in state: HandlerState) throws -> RequestWork {
        throw visionError(
            .notImplemented,
            "Tracking of rectangles is not implemented. VNTrackObjectRequest with trackingLevel .fast follows the "
                + "bounding box.")
    }
}
