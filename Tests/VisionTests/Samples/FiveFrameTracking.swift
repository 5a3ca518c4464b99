// The loops of the 2018 session on object tracking, as written for Apple's framework.

import Vision

/// Follows one object through five frames: the result of each frame is the input of the next.
func trackThroughFiveFrames(startingAt box: CGRect, in frames: [CVPixelBuffer]) throws -> [VNDetectedObjectObservation]
{
    let requestHandler = VNSequenceRequestHandler()
    var inputObservation = VNDetectedObjectObservation(boundingBox: box)
    var track: [VNDetectedObjectObservation] = []

    for frame in frames.prefix(5) {
        let trackingRequest = VNTrackObjectRequest(detectedObjectObservation: inputObservation)
        try requestHandler.perform([trackingRequest], on: frame)

        guard let results = trackingRequest.results as? [VNDetectedObjectObservation],
            let observation = results.first
        else { break }
        track.append(observation)
        inputObservation = observation
    }
    return track
}

/// Tracks several objects at once, each by its uuid, and returns how each is to be drawn.
final class MultiObjectTracker {
    enum Style {
        case solid
        case dashed
    }

    struct Drawn {
        var box: CGRect
        var style: Style
    }

    private let requestHandler = VNSequenceRequestHandler()
    private var inputObservations: [UUID: VNDetectedObjectObservation] = [:]
    private(set) var drawn: [UUID: Drawn] = [:]
    var trackingLevel = VNRequestTrackingLevel.fast
    private(set) var trackingFailed = false

    init(objects: [VNDetectedObjectObservation]) {
        for object in objects {
            inputObservations[object.uuid] = object
        }
    }

    func process(_ frame: CVPixelBuffer, orientation: CGImagePropertyOrientation, isLast: Bool) {
        var trackingRequests = [VNRequest]()
        for inputObservation in inputObservations.values {
            let request: VNTrackingRequest = VNTrackObjectRequest(detectedObjectObservation: inputObservation)
            request.trackingLevel = trackingLevel
            request.isLastFrame = isLast
            trackingRequests.append(request)
        }

        do {
            try requestHandler.perform(trackingRequests, on: frame, orientation: orientation)
        } catch {
            trackingFailed = true
        }

        for processedRequest in trackingRequests {
            guard let results = processedRequest.results as? [VNDetectedObjectObservation] else { continue }
            guard let observation = results.first else { continue }
            let style: Style = observation.confidence > 0.5 ? .solid : .dashed
            drawn[observation.uuid] = Drawn(box: observation.boundingBox, style: style)
            inputObservations[observation.uuid] = observation
        }
    }
}
