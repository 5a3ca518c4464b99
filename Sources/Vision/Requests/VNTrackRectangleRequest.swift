import VisionAlgorithms

/// Tracking of rectangles by alignment of their texture and sides.
public let VNTrackRectangleRequestRevision1: Int = 1

/// Tracks a planar rectangle (a page, a screen, a card, a painting on a wall) and its four corners through a video.
///
/// The corners have subpixel precision, under perspective, changing light and partial occlusion; they may lie outside
/// of the image. `boundingBox` of a result is their axis-aligned bounding box. The confidence falls when the rectangle
/// is hidden or has left the image; the corners then keep their last position, and the rectangle is searched for in the
/// whole image until it is found again.
///
/// The corners of the first observation must make a convex quad, at least partly in the image; an observation that has
/// only a box starts from the corners of that. `trackingLevel` is that of the request that starts the track:
/// `.accurate` compares four times as many samples.
///
/// A handler has up to 16 rectangle trackers at once, besides its object trackers; one more fails with `internalError`.
/// See `VNTrackingRequest` for how tracks begin, continue and end.
open class VNTrackRectangleRequest: VNTrackingRequest, VNTypedRequest {
    /// The class of the result: one observation.
    public typealias ResultObservation = VNRectangleObservation

    /// Creates a request that starts or continues a track.
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
        // The input may be replaced by any detected object; `copyParameters` copies it.
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
    /// Returns the tracker that the observation continues, or a new one in its own slot.
    ///
    /// In the last frame the tracker leaves the pool at once, so that its slot is free for the requests that follow.
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
