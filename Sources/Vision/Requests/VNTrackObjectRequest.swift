import Foundation
import VisionAlgorithms
import VisionImage

/// Tracking of objects by correlation.
public let VNTrackObjectRequestRevision1: Int = 1
/// Tracking of objects by a network.
public let VNTrackObjectRequestRevision2: Int = 2

/// Follows an object from frame to frame: a box, with a confidence that falls when the target is lost.
///
/// A handler holds up to 16 trackers of each revision at once; one more fails with `internalError`. See `VNTrackingRequest` for how tracks
/// begin, go on and end.
///
/// Revision 2, the default, looks through a network that was trained to find a thing again; it needs the model
/// `efficientnet-lite0` and fails with `dataUnavailable` where that is not installed. The level has no effect on it. Several of
/// these requests in one perform share forward passes over the frame where that saves work: a box may then be a few pixels from the one
/// that its request would give alone. It is the same whenever the same requests are performed on the same video.
///
/// In revision 1 the level `.fast` looks at gradients and at colours; `.accurate` looks closer, searches for a target that it has
/// lost, and takes about twice as long. Which one a track uses is decided by the request that starts it.
public final class VNTrackObjectRequest: VNTrackingRequest, VNTypedRequest {
    /// What is found: one observation.
    public typealias ResultObservation = VNDetectedObjectObservation

    /// A request that starts or continues a track.
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
    /// The tracker that the observation continues, of whatever kind the request that started it asked for, or a new one in
    /// a place of its own.
    ///
    /// In the last frame the tracker leaves the pool at once, so that its place counts for the requests that follow.
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
