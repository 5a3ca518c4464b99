import VisionImage

import Foundation
import VisionThreads

/// What can be set for the whole process. `VisionExtras` makes these public.
package enum Settings {
    /// Trackers of one type that a handler may hold at once, as Apple's iOS 12 and 13 have it.
    package static let defaultTrackerLimit = 16

    private static let threads = Locked<Int?>(nil)
    private static let trackers = Locked(defaultTrackerLimit)

    /// The cores of the machine that this process may use.
    package static var processorCount: Int { Processors.count }

    /// The most threads that one perform uses, the caller's among them. nil puts back the default: all cores.
    package static var threadCount: Int {
        threads.current ?? processorCount
    }

    /// - Parameter count: brought to 1 … 1024.
    package static func setThreadCount(_ count: Int?) {
        threads.current = count.map { min(max(1, $0), 1024) }
    }

    package static var trackerLimit: Int {
        get { trackers.current }
        set { trackers.current = max(0, newValue) }
    }

    /// The most pixels that an image may have.
    package static var maximumPixelCount: Int {
        get { ImageLimits.maximumPixelCount }
        set { ImageLimits.maximumPixelCount = newValue }
    }

    /// The most pixels that all performs of the process work on at the same time.
    package static var maximumPixelsInFlight: Int {
        get { PixelBudget.shared.limit }
        set { PixelBudget.shared.limit = newValue }
    }

    /// 64 · 2²⁰ for each processor.
    package static var defaultMaximumPixelsInFlight: Int { PixelBudget.defaultLimit }
}
