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
    /// Top left, top right, bottom right and bottom left, as the rectangle was first seen.
    package var corners: [PixelPoint]
    @Nullable package var confidence: Double?

    package init(target: Int, corners: [PixelPoint], confidence: Double?) {
        self.target = target
        self.corners = corners
        self.confidence = confidence
    }
}

/// A frame's shift against the one before: a result of `stability`, which has none for the first frame.
package struct StabilityResult: Codable, Equatable, Sendable {
    /// Pixels to the right that move this frame onto the one before.
    @Nullable package var x: Double?
    /// Pixels downwards.
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
        /// Frames after the first in which the confidence was below the half.
        package var doubtfulFrames: Int
        /// Why it was given up.
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
    /// Of the frames' `milliseconds`, without the first frame.
    @Nullable package var medianMilliseconds: Double?
    /// 95 % of the frames took no longer.
    @Nullable package var p95Milliseconds: Double?
    /// With decoding, tracking, drawing and encoding.
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

/// The camera's movement in a frame; a line for each frame of `stability`.
package struct StabilityRecord: Codable, Equatable, Sendable {
    package var schema = Records.schema
    package var kind = "stability"
    package var image: MediaReference
    package var frame: Int
    @Nullable package var time: Double?
    @Nullable package var milliseconds: Double?
    package var results: [StabilityResult] = []
    /// The length of the sum of the last shifts, in pixels; null while there are too few.
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
    /// Frames that follow each other, with the first and the last.
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

/// What moves one image onto another: the line of `register` and `align`.
package struct RegistrationRecord: Codable, Equatable, Sendable {
    package struct Result: Codable, Equatable, Sendable {
        /// A matrix by rows that takes pixels of `floating`, from its top left, to pixels of `image`, from its top
        /// left.
        package var transform: [[Double]]
        @Nullable package var confidence: Double?

        package init(transform: [[Double]], confidence: Double?) {
            self.transform = transform
            self.confidence = confidence
        }
    }

    package var schema = Records.schema
    package var kind: String
    /// The image that stays.
    package var image: MediaReference
    /// The image that is moved onto it.
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
