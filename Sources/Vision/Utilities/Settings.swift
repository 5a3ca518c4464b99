import VisionImage

import VisionThreads

/// Settings of the whole process. `VisionExtras` makes these public.
package enum Settings {
    /// The largest number of trackers of one type in a handler, as in Apple's iOS 12 and 13.
    package static let defaultTrackerLimit = 16

    private static let threads = Locked<Int?>(nil)
    private static let trackers = Locked(defaultTrackerLimit)

    /// The number of processors that this process may use.
    package static var processorCount: Int { Processors.count }

    /// The largest number of threads of one perform, including the caller's. nil restores the default: all processors.
    package static var threadCount: Int {
        threads.current ?? processorCount
    }

    /// - Parameter count: Clamped to 1 … 1024.
    package static func setThreadCount(_ count: Int?) {
        threads.current = count.map { min(max(1, $0), 1024) }
    }

    package static var trackerLimit: Int {
        get { trackers.current }
        set { trackers.current = max(0, newValue) }
    }

    /// The largest number of pixels of an image.
    package static var maximumPixelCount: Int {
        get { ImageLimits.maximumPixelCount }
        set { ImageLimits.maximumPixelCount = newValue }
    }

    /// The largest number of pixels that all performs of the process handle at the same time.
    package static var maximumPixelsInFlight: Int {
        get { PixelBudget.shared.limit }
        set { PixelBudget.shared.limit = newValue }
    }

    /// The default: 64 · 2²⁰ for each processor.
    package static var defaultMaximumPixelsInFlight: Int { PixelBudget.defaultLimit }
}
