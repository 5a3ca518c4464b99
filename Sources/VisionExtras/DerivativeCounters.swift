public import Vision

/// How often the scaled and converted forms of an image were made and found.
public struct DerivativeCounters: Hashable, Sendable {
    /// Times a form was there already.
    public let hits: Int
    /// Times a form had to be made.
    public let misses: Int
    /// Bytes that the forms take at this moment.
    public let bytes: Int
}

extension VNImageRequestHandler {
    /// What the cache of the handler's image did so far; nil before the first perform and when there is no image.
    public var derivativeCounters: DerivativeCounters? {
        derivativeStatistics.map { DerivativeCounters(hits: $0.hits, misses: $0.misses, bytes: $0.bytes) }
    }

    /// How often networks were run, in all performs so far. Requests that look at the same part of an image with the same
    /// network share one run, so this may be less than the number of requests.
    public var networkRuns: Int { networkRunCount }

    /// How many object trackers the handler holds.
    public var objectTrackersInUse: Int { objectTrackerCount }

    /// How many rectangle trackers the handler holds.
    public var rectangleTrackersInUse: Int { rectangleTrackerCount }
}

extension VNSequenceRequestHandler {
    /// What the cache of the last frame did; nil before the first perform and when there was no image.
    public var derivativeCounters: DerivativeCounters? {
        derivativeStatistics.map { DerivativeCounters(hits: $0.hits, misses: $0.misses, bytes: $0.bytes) }
    }

    /// How often networks were run, in all performs so far. Requests that look at the same part of an image with the same
    /// network share one run, so this may be less than the number of requests.
    public var networkRuns: Int { networkRunCount }

    /// How many object trackers the handler holds.
    public var objectTrackersInUse: Int { objectTrackerCount }

    /// How many rectangle trackers the handler holds.
    public var rectangleTrackersInUse: Int { rectangleTrackerCount }
}
