import Foundation

/// Tracking of objects by correlation filters.
public let VNTrackObjectRequestRevision1: Int = 1
/// Tracking of objects by a network.
public let VNTrackObjectRequestRevision2: Int = 2

/// Tracks an object from frame to frame: a box, with a confidence that falls when the target is lost.
///
/// A handler has up to 16 trackers of each revision at once; one more fails with `internalError`. See
/// `VNTrackingRequest` for how tracks begin, continue and end.
///
/// Revision 2, the default, uses a network that was trained for tracking; it needs the model `efficientnet-lite0` and
/// fails with `dataUnavailable` if that is not installed. The level has no effect on it. Several of these requests in
/// one perform share forward passes of the network where that is faster: a box may then differ by a few pixels from the
/// one of the request alone. It is the same whenever the same requests are performed on the same video.
///
/// In revision 1 the level `.fast` uses gradients and colours; `.accurate` uses more features, searches for a lost
/// target, and takes about twice as long. The request that starts a track determines its level.
open class VNTrackObjectRequest: VNTrackingRequest, VNTypedRequest {
    /// The class of the result: one observation.
    public typealias ResultObservation = VNDetectedObjectObservation

    /// Creates a request that starts or continues a track.
    ///
    /// - Parameters:
    ///   - detectedObjectObservation: The object as it was last seen.
    ///   - completionHandler: Called when the request is done, before `perform` returns.
    public init(
        detectedObjectObservation: VNDetectedObjectObservation, completionHandler: VNRequestCompletionHandler? = nil
    ) {
        super.init(inputObservation: detectedObjectObservation, completionHandler: completionHandler)
    }

    override class var revisionTable: RevisionTable { .trackObject }

    override func makeCopy() -> VNRequest {
        VNTrackObjectRequest(detectedObjectObservation: inputObservation, completionHandler: completionHandler)
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let kind = ObjectTrackerKind(revision: revision, level: trackingLevel)
        let region = try checkedRegionOfInterest()
        let (input, revision) = (inputObservation, revision)
        let track = try state.track(input, kind: kind, isLastFrame: isLastFrame)
        let batch = state.trackerBatch
        let member = batch.join { track.starts ? nil : track.slot.batchCandidate(in: region) }
        return RequestJob(
            queue: SerialQueue(of: track.slot), cost: track.slot.cost,
            membership: BatchMembership(batch: batch, member: member),
            run: { context in
                let found = try track.slot.find(
                    input, starts: track.starts, in: context.image, region: region,
                    window: batch.takeWindow(of: member))
                return [
                    VNDetectedObjectObservation(
                        uuid: input.uuid, confidence: found.confidence, requestRevision: revision,
                        boundingBox: found.box, isTrackerResult: true, timeRange: context.timeRange)
                ]
            },
            end: { succeeded in
                if track.starts, !succeeded { state.release(input.uuid) }
            })
    }
}

extension HandlerState {
    /// Returns the tracker that the observation continues, of whatever kind the request that started it asked for, or a
    /// new one in its own slot.
    ///
    /// In the last frame the tracker leaves the pool at once, so that its slot is free for the requests that follow.
    fileprivate func track(
        _ input: VNDetectedObjectObservation, kind: ObjectTrackerKind, isLastFrame: Bool
    ) throws -> (slot: ObjectTrackerSlot, starts: Bool) {
        let existing = input.isTrackerResult ? objectTrackers[input.uuid] ?? learnedTrackers[input.uuid] : nil
        let slot = existing ?? ObjectTrackerSlot(kind: kind)
        if existing == nil {
            try ObjectTrackerSlot.checkStart(input.boundingBox)
            switch kind {
            case .fast, .accurate: try objectTrackers.add(slot, for: input.uuid)
            case .learned: try learnedTrackers.add(slot, for: input.uuid)
            }
        }
        if isLastFrame { release(input.uuid) }
        return (slot, existing == nil)
    }

    fileprivate func release(_ uuid: UUID) {
        objectTrackers.remove(uuid)
        learnedTrackers.remove(uuid)
    }
}
