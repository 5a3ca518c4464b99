import Foundation
import Vision

/// Follows several rectangles through the frames of a film, one request each, all in one call a frame.
final class RectangleTracker {
    /// Where a rectangle is in a frame.
    struct State {
        var quad: PixelQuad
        var confidence: Float
    }

    private let handler = VNSequenceRequestHandler()
    private let level: VNRequestTrackingLevel
    private let format: FilmFormat
    private let path: String
    private var inputs: [VNRectangleObservation?]
    private(set) var states: [State]
    /// Why a rectangle's tracker gave up, by target.
    private(set) var failures: [Int: String] = [:]
    /// The time of `perform` alone, frame by frame. The first includes the making of the trackers.
    private(set) var timings = Timings()
    private var isFirstFrame = true

    init(observations: [VNRectangleObservation], source: any FrameSource, level: VNRequestTrackingLevel) {
        let format = source.format
        path = source.path
        self.level = level
        self.format = format
        inputs = observations
        states = observations.map { State(quad: PixelQuad($0, in: format), confidence: 1) }
    }

    /// Tracks into the next frame and returns the milliseconds that took. In the first frame the rectangles stay where
    /// they were given.
    ///
    /// - Throws: in the first frame, when a tracker cannot be made. Later a rectangle whose request fails keeps its last
    ///   corners at confidence 0, and the others go on.
    func track(_ frame: CVPixelBuffer, isLast: Bool = false) throws -> Double {
        let requests = inputs.map { input in
            input.map { observation in
                let request = VNTrackRectangleRequest(rectangleObservation: observation)
                request.trackingLevel = level
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
                    quad: PixelQuad(observation, in: format), confidence: observation.confidence)
            }
        }
        isFirstFrame = false
        return elapsed.milliseconds
    }
}
