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
        /// A running average of the presence less the response elsewhere, which falls fast and rises slowly.
        var steadyMargin: Float

        static let names = ["presence", "elsewhere", "recent_presence", "steady_margin"]
        var values: [Float] { [presence, elsewhere, recentPresence, steadyMargin] }
    }

    struct Settings {
        /// The number of frames in which the target is found for each that the classifier learns from.
        var interval: Int
        /// The number of frames that learning from one is spread over, from 2 to the interval.
        var parts: Int
        /// The weight of such a frame against all earlier ones.
        var rate: Float

        static let fast = Settings(interval: 8, parts: 3, rate: 0.08)
        static let accurate = Settings(interval: 2, parts: 2, rate: 0.04)
    }

    /// The rate of the running average of the presence.
    private static let rate: Float = 0.2
    /// The rates at which the steady margin rises and falls: a box that looks right for a frame may do so by chance,
    /// and a frame that looks less right is often a blurred one.
    private static let marginRates: (rise: Float, fall: Float) = (0.05, 0.3)
    /// The presence below which nothing of the target is there, so that the margin falls at once.
    private static let gonePresence: Float = 0.2

    let boxes: ShiftedBoxes
    private let settings: Settings
    private var classifier: TargetClassifier
    private var recentPresence: Float = 1
    /// nil before the first frame after the one that the track begins with.
    private var steadyMargin: Float?
    private var foundFrames = 0
    /// The features of the frame that the classifier learns from, part by part in this frame and the next ones, and the
    /// next part.
    private var learnt: (features: [Float], part: Int)?

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
        let highest = boxes.elsewhere.reduce(-Float.infinity) { max($0, responses[$1]) }
        let elsewhere = boxes.elsewhere.isEmpty ? 0 : highest
        let margin = min(max(presence - elsewhere, -1), 1), before = steadyMargin ?? margin
        let fall = presence < Self.gonePresence ? 1 : Self.marginRates.fall
        let rate = margin < before ? fall : Self.marginRates.rise
        return Evidence(
            presence: presence, elsewhere: elsewhere,
            recentPresence: recentPresence + Self.rate * (presence - recentPresence),
            steadyMargin: before + rate * (margin - before))
    }

    /// Ends a frame.
    ///
    /// - Parameter features: The features of a frame in which the target was found, to learn from; otherwise nil.
    mutating func record(_ evidence: Evidence, learning features: [Float]?) {
        recentPresence = evidence.recentPresence
        steadyMargin = evidence.steadyMargin
        if let features {
            foundFrames = (foundFrames + 1) % settings.interval
            if foundFrames == 0, learnt == nil { learnt = (features, 0) }
        }
        guard let (features, part) = learnt else { return }
        classifier.learn(part: part, of: settings.parts, features, coverage: boxes.overlaps)
        learnt = part + 1 < settings.parts ? (features, part + 1) : nil
    }
}
