import Vision

/// What can be set for the whole process.
public enum VisionSettings {
    /// The most threads that one perform uses, the caller's among them; all cores by default. Results do not depend on it.
    ///
    /// Values below 1 count as 1.
    public static var threadCount: Int {
        get { Settings.threadCount }
        set { Settings.setThreadCount(newValue) }
    }

    /// Goes back to one thread a core.
    public static func resetThreadCount() { Settings.setThreadCount(nil) }

    /// How many trackers of one type a handler may hold at once: 16 by default, as Apple's iOS 12 and 13 have it.
    ///
    /// A lower value lets trackers that are there already live on. Values below 0 count as 0.
    public static var trackerLimit: Int {
        get { Settings.trackerLimit }
        set { Settings.trackerLimit = newValue }
    }

    /// The most pixels that an image may have; larger ones fail before memory is taken for them. 256 · 2²⁰ by default.
    ///
    /// Decoders take up to 12 bytes a pixel beside the result: most take none, progressive JPEG takes 6.
    /// Counts for images opened from then on. Values below 1 count as 1.
    public static var maximumPixelCount: Int {
        get { Settings.maximumPixelCount }
        set { Settings.maximumPixelCount = newValue }
    }

    /// The most pixels that all performs of the process work on at the same time: 64 · 2²⁰ for each processor by default.
    ///
    /// It bounds the memory of a server that starts many performs at once. A perform that finds no room waits, first in,
    /// first out. An image counts for 32 · 2²⁰ pixels at least, because networks take memory that does not depend on its
    /// size: by default two performs run for each processor. An image larger than the limit is processed alone. Values below 1
    /// count as 1: one perform at a time.
    public static var maximumPixelsInFlight: Int {
        get { Settings.maximumPixelsInFlight }
        set { Settings.maximumPixelsInFlight = newValue }
    }

    /// The limit of pixels in flight that holds unless it is set.
    public static var defaultMaximumPixelsInFlight: Int { Settings.defaultMaximumPixelsInFlight }

    /// Apple's limit of trackers.
    public static var defaultTrackerLimit: Int { Settings.defaultTrackerLimit }
}
