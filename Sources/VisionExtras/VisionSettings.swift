import Vision

/// Settings of the whole process.
public enum VisionSettings {
    /// The largest number of threads of one perform, including the caller's; all processors by default. Results do not
    /// depend on it.
    ///
    /// Values below 1 count as 1.
    public static var threadCount: Int {
        get { Settings.threadCount }
        set { Settings.setThreadCount(newValue) }
    }

    /// Restores the default of one thread for each processor.
    public static func resetThreadCount() { Settings.setThreadCount(nil) }

    /// The largest number of trackers of one type in a handler: 16 by default, as in Apple's iOS 12 and 13.
    ///
    /// A lower value does not affect existing trackers. Values below 0 count as 0.
    public static var trackerLimit: Int {
        get { Settings.trackerLimit }
        set { Settings.trackerLimit = newValue }
    }

    /// The largest number of pixels of an image; larger ones fail before memory is allocated. 256 · 2²⁰ by default.
    ///
    /// Decoders take up to 12 bytes a pixel beside the result: most take none, progressive JPEG takes 6. Applies to
    /// images opened from then on. Values below 1 count as 1.
    public static var maximumPixelCount: Int {
        get { Settings.maximumPixelCount }
        set { Settings.maximumPixelCount = newValue }
    }

    /// The largest number of pixels that all performs of the process handle at the same time: 64 · 2²⁰ for each
    /// processor by default.
    ///
    /// It bounds the memory of a server that starts many performs at once. A perform that exceeds the limit waits in a
    /// FIFO queue, until its turn or until all its requests are cancelled. An image counts for at least 32 · 2²⁰
    /// pixels, because networks need memory that does not depend on its size: by default two performs run for each
    /// processor. An image larger than the limit is processed alone. Values below 1 count as 1: one perform at a time.
    public static var maximumPixelsInFlight: Int {
        get { Settings.maximumPixelsInFlight }
        set { Settings.maximumPixelsInFlight = newValue }
    }

    /// The default limit of concurrent pixels.
    public static var defaultMaximumPixelsInFlight: Int { Settings.defaultMaximumPixelsInFlight }

    /// Apple's limit of trackers.
    public static var defaultTrackerLimit: Int { Settings.defaultTrackerLimit }
}
