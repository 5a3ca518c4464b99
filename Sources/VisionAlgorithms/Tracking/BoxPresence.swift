/// Estimates whether the box of a filter tracker holds its target, by a classifier of the boxes in the search window.
struct BoxPresence {
    /// What the classifier says of a frame.
    struct Evidence {
        /// The response of the target's box: about 1 where the target is, and about 0 elsewhere.
        var presence: Float
        /// The highest response of a box elsewhere in the window.
        var elsewhere: Float
        /// The running average of the presence.
        var recentPresence: Float

        static let names = ["presence", "elsewhere", "recent_presence"]
        var values: [Float] { [presence, elsewhere, recentPresence] }
    }

    struct Settings {
        /// The number of frames in which the target is found for each that the classifier learns from.
        var interval: Int
        /// The weight of such a frame against all earlier ones.
        var rate: Float

        static let fast = Settings(interval: 8, rate: 0.08)
        static let accurate = Settings(interval: 2, rate: 0.04)
    }

    /// The rate of the running average.
    private static let rate: Float = 0.2

    let boxes: ShiftedBoxes
    private let settings: Settings
    private var classifier: TargetClassifier
    private var recentPresence: Float = 1
    private var foundFrames = 0

    /// Learns the target from the sampled window of the first frame.
    init(boxes: ShiftedBoxes, window: TrackingWorkspace.Window, settings: Settings) {
        self.boxes = boxes
        self.settings = settings
        let features = boxes.features(of: window)
        classifier = TargetClassifier(
            [features], coverage: [boxes.overlaps],
            settings: .init(channels: ShiftedBoxes.channels, rate: settings.rate, covered: 0.3, leastDeviation: 1e-2))
        recentPresence = classifier.responses(to: features)[boxes.centre]
    }

    /// Returns the classifier's response for each box of a window.
    func responses(to features: [Float]) -> [Float] {
        classifier.responses(to: features).map { $0.isFinite ? $0 : 0 }
    }

    /// Adds the responses of a window, which lie between -0.5 and 1, times `weight` to its merged response.
    func add(_ weight: Float, to window: TrackingWorkspace.Window) {
        let responses = responses(to: boxes.features(of: window)).map { min(max($0, -0.5), 1) * weight }
        boxes.add(responses, to: window)
    }

    /// Returns the evidence of the box in the middle of a window.
    func evidence(of features: [Float]) -> Evidence {
        let responses = responses(to: features)
        let presence = responses[boxes.centre]
        let elsewhere = boxes.elsewhere.reduce(-Float.infinity) { max($0, responses[$1]) }
        return Evidence(
            presence: presence, elsewhere: boxes.elsewhere.isEmpty ? 0 : elsewhere,
            recentPresence: recentPresence + Self.rate * (presence - recentPresence))
    }

    /// Ends a frame.
    mutating func record(_ evidence: Evidence) { recentPresence = evidence.recentPresence }

    /// Learns from the window of a frame in which the target was found.
    mutating func learn(_ features: [Float]) {
        foundFrames = (foundFrames + 1) % settings.interval
        if foundFrames == 0 { classifier.learn(features, coverage: boxes.overlaps) }
    }
}
