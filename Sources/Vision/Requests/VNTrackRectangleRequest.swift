import VisionAlgorithms
import VisionImage

/// Tracking of rectangles by aligning what lies between their corners.
public let VNTrackRectangleRequestRevision1: Int = 1

/// Follows a planar rectangle – a page, a screen, a card, a picture on a wall – and its four corners through a video.
///
/// The corners are found to parts of a pixel, under perspective, changing light and partial occlusion; they may lie outside
/// of the image. `boundingBox` of a result is the smallest upright box around them. The confidence falls when the rectangle
/// is hidden or has left the image; the corners then stay where they were seen last, and the rectangle is looked for in the
/// whole image until it is found again.
///
/// The corners of the first observation must make a convex quad, at least partly in the image; an observation that has only a
/// box starts from the corners of that. `trackingLevel` is taken from the request that starts the track: `.accurate` compares
/// four times as many samples.
///
/// A handler holds up to 16 rectangle trackers at once, besides its object trackers; one more fails with `internalError`. See
/// `VNTrackingRequest` for how tracks begin, go on and end.
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

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let region = try checkedRegionOfInterest()
        let (input, revision) = (inputObservation, revision)
        let level: QuadTracker.Level = trackingLevel == .accurate ? .accurate : .fast
        let track = try state.track(input, isLastFrame: isLastFrame)
        return RequestJob(
            queue: SerialQueue(of: track.slot), cost: track.slot.cost,
            run: { context in
                let found = try track.slot.find(
                    input, level: level, starts: track.starts, in: context.image, region: region)
                return [
                    VNRectangleObservation(
                        uuid: input.uuid, confidence: found.confidence, requestRevision: revision,
                        corners: found.corners, isTrackerResult: true, timeRange: context.timeRange)
                ]
            },
            end: { succeeded in
                if track.starts, !succeeded { state.rectangleTrackers.remove(input.uuid) }
            })
    }
}

extension HandlerState {
    /// The tracker that the observation continues, or a new one in a place of its own.
    ///
    /// In the last frame the tracker leaves the pool at once, so that its place counts for the requests that follow.
    fileprivate func track(
        _ input: VNDetectedObjectObservation, isLastFrame: Bool
    ) throws -> (slot: RectangleTrackerSlot, starts: Bool) {
        let existing = input.isTrackerResult ? rectangleTrackers[input.uuid] : nil
        let slot = existing ?? RectangleTrackerSlot()
        if existing == nil {
            try RectangleTrackerSlot.checkStart(RectangleTrackerSlot.corners(of: input))
            try rectangleTrackers.add(slot, for: input.uuid)
        }
        if isLastFrame { rectangleTrackers.remove(input.uuid) }
        return (slot, existing == nil)
    }
}
