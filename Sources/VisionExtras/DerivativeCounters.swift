public import Vision

/// The hits and misses of the cache of an image's scaled and converted forms.
public struct DerivativeCounters: Hashable, Sendable {
    /// The number of forms that were found in the cache.
    public let hits: Int
    /// The number of forms that were made.
    public let misses: Int
    /// The current size of the forms in bytes.
    public let bytes: Int
}

extension VNImageRequestHandler {
    /// The counters of the cache of the handler's image; nil before the first perform and if there is no image.
    public var derivativeCounters: DerivativeCounters? {
        core.derivativeStatistics.map { DerivativeCounters(hits: $0.hits, misses: $0.misses, bytes: $0.bytes) }
    }

    /// The number of network runs in all performs so far. Requests that process the same part of an image with the same
    /// network share a run, so this may be less than the number of requests.
    public var networkRuns: Int { core.networkRunCount }

    /// The number of object trackers of the handler.
    public var objectTrackersInUse: Int { core.objectTrackerCount }

    /// The number of rectangle trackers of the handler.
    public var rectangleTrackersInUse: Int { core.rectangleTrackerCount }
}

extension VNSequenceRequestHandler {
    /// The counters of the cache of the last frame; nil before the first perform and if there was no image.
    public var derivativeCounters: DerivativeCounters? {
        core.derivativeStatistics.map { DerivativeCounters(hits: $0.hits, misses: $0.misses, bytes: $0.bytes) }
    }

    /// The number of network runs in all performs so far. Requests that process the same part of an image with the same
    /// network share a run, so this may be less than the number of requests.
    public var networkRuns: Int { core.networkRunCount }

    /// The number of object trackers of the handler.
    public var objectTrackersInUse: Int { core.objectTrackerCount }

    /// The number of rectangle trackers of the handler.
    public var rectangleTrackersInUse: Int { core.rectangleTrackerCount }
}
