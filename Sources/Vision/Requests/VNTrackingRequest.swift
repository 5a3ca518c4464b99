/// A request for the location of an object that was seen in an earlier frame: an abstract base class.
///
/// Trackers belong to the handler: use one `VNSequenceRequestHandler` for all frames of a video. An observation that no
/// tracker of this handler made starts a tracker in the frame of the perform, which returns the given box; the result
/// of one frame is the input for the next. Results keep the `uuid` of the observation that started the track.
open class VNTrackingRequest: VNImageBasedRequest {
    /// The last known location of the target. Its coordinates are normalised to the region of interest, like those of
    /// results.
    open var inputObservation: VNDetectedObjectObservation

    /// Whether to favour accuracy or speed.
    open var trackingLevel: VNRequestTrackingLevel = .fast

    /// Whether this is the last frame of the track: the frame is processed, then the tracker is released.
    open var isLastFrame = false

    init(inputObservation: VNDetectedObjectObservation, completionHandler: VNRequestCompletionHandler?) {
        self.inputObservation = inputObservation
        super.init(completionHandler: completionHandler)
    }

    /// Returns the largest number of trackers of this type in a handler.
    open func supportedNumberOfTrackers() throws -> Int { Settings.trackerLimit }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        guard let copy = copy as? VNTrackingRequest else { return }
        copy.inputObservation = inputObservation
        copy.trackingLevel = trackingLevel
        copy.isLastFrame = isLastFrame
    }
}
