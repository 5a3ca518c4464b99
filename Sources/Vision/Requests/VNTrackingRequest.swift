/// A request for where something is that was seen in an earlier frame: an abstract base.
///
/// Trackers live in the handler: use one `VNSequenceRequestHandler` for all frames of a video. An observation that no
/// tracker made (or none that this handler still has) starts a tracker in the frame of the perform, which returns the
/// box as it was given; the result of one frame is the input for the next. Results keep the `uuid` of the observation
/// that started the track.
public class VNTrackingRequest: VNImageBasedRequest {
    /// Where the target is or was last. Its coordinates are normalised to the region of interest, as those of results.
    public var inputObservation: VNDetectedObjectObservation

    /// Whether to favour precision or speed.
    public var trackingLevel: VNRequestTrackingLevel = .fast

    /// Whether this is the last frame of the track: the frame is processed, then the tracker is released.
    public var isLastFrame = false

    init(inputObservation: VNDetectedObjectObservation, completionHandler: VNRequestCompletionHandler?) {
        self.inputObservation = inputObservation
        super.init(completionHandler: completionHandler)
    }

    /// How many trackers of this type a handler can have at once.
    public func supportedNumberOfTrackers() throws -> Int { Settings.trackerLimit }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        guard let copy = copy as? VNTrackingRequest else { return }
        copy.inputObservation = inputObservation
        copy.trackingLevel = trackingLevel
        copy.isLastFrame = isLastFrame
    }
}
