import Foundation
import Vision

/// Follows several targets through the frames of a film, one request each, all in one call a frame.
final class TargetTracker {
    /// Where a target is in a frame.
    struct State {
        var box: PixelBox
        var boundingBox: CGRect
        var confidence: Float
    }

    private let handler = VNSequenceRequestHandler()
    private let level: VNRequestTrackingLevel
    private let revision: Int?
    private let format: FilmFormat
    private let path: String
    /// The observation that each target's next request continues; nil once its tracker has given up.
    private var inputs: [VNDetectedObjectObservation?]
    private(set) var states: [State]
    /// Why a target's tracker gave up, by target.
    private(set) var failures: [Int: String] = [:]
    /// The time of `perform` alone, frame by frame. The first includes the making of the trackers.
    private(set) var timings = Timings()
    private var isFirstFrame = true

    /// - Parameter boxes: one a target; each must lie at least partly in the picture.
    init(boxes: [PixelBox], source: any FrameSource, level: VNRequestTrackingLevel, revision: Int?) {
        let format = source.format
        path = source.path
        self.level = level
        self.revision = revision
        self.format = format
        let observations = boxes.map { box in
            VNDetectedObjectObservation(boundingBox: (box.clipped(to: format) ?? box).normalised(in: format))
        }
        inputs = observations
        states = zip(boxes, observations).map { box, observation in
            State(box: box, boundingBox: observation.boundingBox, confidence: 1)
        }
    }

    /// Tracks into the next frame and returns the milliseconds that took. In the first frame the targets stay where
    /// they were given.
    ///
    /// - Throws: in the first frame, when a tracker cannot be made. Later a target whose request fails keeps its last
    ///   box at confidence 0, and the others go on.
    func track(_ frame: CVPixelBuffer, isLast: Bool = false) throws -> Double {
        let requests = inputs.map { input in
            input.map { observation in
                let request = VNTrackObjectRequest(detectedObjectObservation: observation)
                request.trackingLevel = level
                if let revision { request.revision = revision }
                request.isLastFrame = isLast
                return request
            }
        }
        var failure: (any Error)?
        let elapsed = ContinuousClock().measure {
            do {
                try handler.perform(requests.compactMap { $0 }, on: frame)
            } catch {
                failure = error
            }
        }
        timings.add(elapsed.milliseconds)
        if isFirstFrame, let failure { throw RequestFailure(path: path, failure) }
        for (target, request) in requests.enumerated() {
            guard let request else { continue }
            guard let observation = request.results?.first else {
                inputs[target] = nil
                states[target].confidence = 0
                failures[target] = failure?.localizedDescription ?? "the tracker gave no result"
                continue
            }
            inputs[target] = observation
            if !isFirstFrame {
                states[target] = State(
                    box: PixelBox(normalised: observation.boundingBox, in: format),
                    boundingBox: observation.boundingBox, confidence: observation.confidence)
            }
        }
        isFirstFrame = false
        return elapsed.milliseconds
    }
}
