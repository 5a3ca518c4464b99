/// A target in a frame: a result of `track`.
package struct TrackedBoxResult: Codable, Equatable, Sendable {
    /// The number of the target, from 1.
    package var target: Int
    package var box: PixelRectangleRecord
    @Nullable package var confidence: Double?

    package init(target: Int, box: PixelRectangleRecord, confidence: Double?) {
        self.target = target
        self.box = box
        self.confidence = confidence
    }
}

/// A rectangle in a frame: a result of `track-rectangle`.
package struct TrackedRectangleResult: Codable, Equatable, Sendable {
    /// The number of the rectangle, from 1.
    package var target: Int
    /// Top left, top right, bottom right and bottom left, as in the first frame.
    package var corners: [PixelPoint]
    @Nullable package var confidence: Double?

    package init(target: Int, corners: [PixelPoint], confidence: Double?) {
        self.target = target
        self.corners = corners
        self.confidence = confidence
    }
}

/// The shift between a frame and the previous one: a result of `stability`; the first frame has none.
package struct StabilityResult: Codable, Equatable, Sendable {
    /// The shift to the right that maps this frame onto the previous one, in pixels.
    @Nullable package var x: Double?
    /// The shift downwards, in pixels.
    @Nullable package var y: Double?
    @Nullable package var confidence: Double?

    package init(x: Double?, y: Double?, confidence: Double?) {
        self.x = x
        self.y = y
        self.confidence = confidence
    }
}

/// The last line of `track` and `track-rectangle`.
package struct TrackSummaryRecord: Codable, Equatable, Sendable {
    package struct Target: Codable, Equatable, Sendable {
        /// From 1.
        package var target: Int
        @Nullable package var meanConfidence: Double?
        /// The number of frames after the first one with a confidence below 0.5.
        package var doubtfulFrames: Int
        /// Why the tracking of the target stopped.
        @Nullable package var failure: String?

        package init(target: Int, meanConfidence: Double?, doubtfulFrames: Int, failure: String?) {
            self.target = target
            self.meanConfidence = meanConfidence
            self.doubtfulFrames = doubtfulFrames
            self.failure = failure
        }
    }

    package var schema = Records.schema
    package var kind: String
    package var image: MediaReference
    package var frames: Int
    package var targets: [Target]
    /// The median of the frames' `milliseconds`, without the first frame.
    @Nullable package var medianMilliseconds: Double?
    /// The 95th percentile of the frames' `milliseconds`.
    @Nullable package var p95Milliseconds: Double?
    /// Includes decoding, tracking, drawing and encoding.
    @Nullable package var framesPerSecond: Double?
    package var interrupted: Bool
    package var written: [String]
    package var warnings: [String]

    package init(
        kind: String, image: MediaReference, frames: Int, targets: [Target], medianMilliseconds: Double?,
        p95Milliseconds: Double?, framesPerSecond: Double?, interrupted: Bool, written: [String], warnings: [String]
    ) {
        self.kind = kind
        self.image = image
        self.frames = frames
        self.targets = targets
        self.medianMilliseconds = medianMilliseconds.flatMap { $0.rounded(decimals: 3) }
        self.p95Milliseconds = p95Milliseconds.flatMap { $0.rounded(decimals: 3) }
        self.framesPerSecond = framesPerSecond.flatMap { $0.rounded(decimals: 1) }
        self.interrupted = interrupted
        self.written = written
        self.warnings = warnings
    }
}

/// The last line of `pose`, `hands` and `trajectories` on a video.
package struct VideoSummaryRecord: Codable, Equatable, Sendable {
    /// The path of an object, from its first frame to its last one.
    package struct Trajectory: Codable, Equatable, Sendable {
        /// From 1, as in the lines of the frames.
        package var trajectory: Int
        package var first: Int
        package var last: Int
        /// The number of points.
        package var points: Int
        @Nullable package var confidence: Double?

        package init(trajectory: Int, first: Int, last: Int, points: Int, confidence: Double?) {
            self.trajectory = trajectory
            self.first = first
            self.last = last
            self.points = points
            self.confidence = confidence
        }
    }

    package var schema = Records.schema
    package var kind: String
    package var image: MediaReference
    package var frames: Int
    /// Only of `trajectories`.
    @Nullable package var trajectories: [Trajectory]?
    @Nullable package var medianMilliseconds: Double?
    @Nullable package var p95Milliseconds: Double?
    @Nullable package var framesPerSecond: Double?
    package var interrupted: Bool
    package var written: [String]
    package var warnings: [String]

    package init(
        kind: String, image: MediaReference, frames: Int, trajectories: [Trajectory]?, medianMilliseconds: Double?,
        p95Milliseconds: Double?, framesPerSecond: Double?, interrupted: Bool, written: [String], warnings: [String]
    ) {
        self.kind = kind
        self.image = image
        self.frames = frames
        self.trajectories = trajectories
        self.medianMilliseconds = medianMilliseconds.flatMap { $0.rounded(decimals: 3) }
        self.p95Milliseconds = p95Milliseconds.flatMap { $0.rounded(decimals: 3) }
        self.framesPerSecond = framesPerSecond.flatMap { $0.rounded(decimals: 1) }
        self.interrupted = interrupted
        self.written = written
        self.warnings = warnings
    }
}

/// The path of an object that flies, up to a frame: a result of `trajectories`.
package struct TrajectoryResult: Codable, Equatable, Sendable {
    /// From 1; the same in every frame.
    package var trajectory: Int
    @Nullable package var confidence: Double?
    /// The centres of the object as they were detected.
    package var points: [PixelPoint]
    /// Five points of the parabola.
    package var projected: [PixelPoint]
    /// a, b and c of y = a x² + b x + c.
    package var coefficients: [Double]
    /// The mean radius of the object in the last frames.
    @Nullable package var radius: Double?

    package init(
        trajectory: Int, confidence: Double?, points: [PixelPoint], projected: [PixelPoint], coefficients: [Double],
        radius: Double?
    ) {
        self.trajectory = trajectory
        self.confidence = confidence
        self.points = points
        self.projected = projected
        self.coefficients = coefficients
        self.radius = radius
    }
}

/// The camera motion in a frame; one line per frame of `stability`.
package struct StabilityRecord: Codable, Equatable, Sendable {
    package var schema = Records.schema
    package var kind = "stability"
    package var image: MediaReference
    package var frame: Int
    @Nullable package var time: Double?
    @Nullable package var milliseconds: Double?
    package var results: [StabilityResult] = []
    /// The magnitude of the sum of the last shifts, in pixels; null while there are too few.
    @Nullable package var drift: Double?
    package var stable = false
    @Nullable package var error: String?

    package init(image: MediaReference, frame: Int, time: Double) {
        self.image = image
        self.frame = frame
        self.time = time.rounded(decimals: 4)
        milliseconds = nil
        drift = nil
        error = nil
    }
}

/// The last line of `stability`.
package struct StabilitySummaryRecord: Codable, Equatable, Sendable {
    /// A range of consecutive frames, by its first and last one.
    package struct Stretch: Codable, Equatable, Sendable {
        package var first: Int
        package var last: Int

        package init(first: Int, last: Int) {
            self.first = first
            self.last = last
        }
    }

    package var schema = Records.schema
    package var kind = "stability-summary"
    package var image: MediaReference
    package var frames: Int
    package var stableFrames: Int
    package var stretches: [Stretch]
    @Nullable package var medianMilliseconds: Double?
    @Nullable package var p95Milliseconds: Double?
    @Nullable package var framesPerSecond: Double?
    package var interrupted: Bool
    package var warnings: [String]

    package init(
        image: MediaReference, frames: Int, stableFrames: Int, stretches: [Stretch], medianMilliseconds: Double?,
        p95Milliseconds: Double?, framesPerSecond: Double?, interrupted: Bool, warnings: [String]
    ) {
        self.image = image
        self.frames = frames
        self.stableFrames = stableFrames
        self.stretches = stretches
        self.medianMilliseconds = medianMilliseconds.flatMap { $0.rounded(decimals: 3) }
        self.p95Milliseconds = p95Milliseconds.flatMap { $0.rounded(decimals: 3) }
        self.framesPerSecond = framesPerSecond.flatMap { $0.rounded(decimals: 1) }
        self.interrupted = interrupted
        self.warnings = warnings
    }
}

/// The transform that maps one image onto another: the line of `register` and `align`.
package struct RegistrationRecord: Codable, Equatable, Sendable {
    package struct Result: Codable, Equatable, Sendable {
        /// The rows of a matrix that maps pixels of `floating` to pixels of `image`, both from the top left.
        package var transform: [[Double]]
        @Nullable package var confidence: Double?

        package init(transform: [[Double]], confidence: Double?) {
            self.transform = transform
            self.confidence = confidence
        }
    }

    package var schema = Records.schema
    package var kind: String
    /// The fixed image.
    package var image: MediaReference
    /// The image that is mapped onto it.
    package var floating: MediaReference
    @Nullable package var milliseconds: Double?
    package var results: [Result]

    package init(
        kind: String, image: MediaReference, floating: MediaReference, milliseconds: Double?, results: [Result]
    ) {
        self.kind = kind
        self.image = image
        self.floating = floating
        self.milliseconds = milliseconds.flatMap { $0.rounded(decimals: 3) }
        self.results = results
    }
}
