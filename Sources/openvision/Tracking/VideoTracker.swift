import Vision
import VisionPhotos
import VisionVideo

/// Tracks several targets through a video, with one request per target and one `perform` call per frame.
final class VideoTracker<State: TrackedState> {
    private let handler = VNSequenceRequestHandler()
    private let level: VNRequestTrackingLevel
    private let revision: Int?
    private let format: VideoFormat
    private let path: String
    /// The observation that each target's next request continues; nil once its tracking has stopped.
    private var inputs: [State.Observation?]
    private(set) var states: [State]
    /// Why the tracking of a target stopped, by target.
    private(set) var failures: [Int: String] = [:]
    /// The duration of `perform` for each frame. The first one includes the creation of the trackers.
    private(set) var timings = Timings()
    private var isFirstFrame = true

    /// - Parameters:
    ///   - targets: The observations to track, and their states in the first frame.
    ///   - revision: The revision of the requests; nil for the default.
    init(
        targets: [(observation: State.Observation, state: State)], source: any FrameSource,
        level: VNRequestTrackingLevel, revision: Int? = nil
    ) {
        path = source.path
        format = source.format
        self.level = level
        self.revision = revision
        inputs = targets.map(\.observation)
        states = targets.map { target in
            var state = target.state
            state.confidence = 1
            return state
        }
    }

    /// Tracks into the next frame and returns the duration in milliseconds. In the first frame the targets keep their
    /// given positions.
    ///
    /// - Throws: In the first frame, when a tracker cannot be created. Later, a target whose request fails keeps its
    ///   last position at confidence 0, and the others continue.
    func track(_ frame: CVPixelBuffer, isLast: Bool = false) throws -> Double {
        let requests = inputs.map { input in
            input.map { observation in
                let request = State.request(observation)
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
            guard let observation = request.results?.first as? State.Observation else {
                inputs[target] = nil
                states[target].confidence = 0
                failures[target] = failure?.localizedDescription ?? "the tracker gave no result"
                continue
            }
            inputs[target] = observation
            if !isFirstFrame { states[target] = State(observation, in: format) }
        }
        isFirstFrame = false
        return elapsed.milliseconds
    }
}
