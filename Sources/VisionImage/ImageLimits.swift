import VisionThreads

/// Limits on input, so that hostile images cannot exhaust the memory.
package enum ImageLimits {
    private static let maximum = Locked(256 << 20)

    /// The largest number of pixels of an image; checked before memory is allocated. The default is 256 · 2²⁰.
    package static var maximumPixelCount: Int {
        get { maximum.withLock { $0 } }
        set { maximum.withLock { $0 = max(1, newValue) } }
    }

    /// Throws an error if an image of this size exceeds the limit.
    package static func check(width: Int, height: Int) throws {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        let limit = maximumPixelCount
        guard !overflow, count <= limit else {
            throw ImageError.tooManyPixels(width: width, height: height, limit: limit)
        }
    }
}
