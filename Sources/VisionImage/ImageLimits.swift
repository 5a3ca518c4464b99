import VisionThreads

/// Bounds on what is read, so that hostile input cannot take all memory.
package enum ImageLimits {
    private static let maximum = Locked(256 << 20)

    /// Images with more pixels than this are refused before memory is taken for them. 256 · 2²⁰ unless set otherwise.
    package static var maximumPixelCount: Int {
        get { maximum.withLock { $0 } }
        set { maximum.withLock { $0 = max(1, newValue) } }
    }

    /// Throws where an image of this size is over the limit.
    package static func check(width: Int, height: Int) throws {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        let limit = maximumPixelCount
        guard !overflow, count <= limit else {
            throw ImageError.tooManyPixels(width: width, height: height, limit: limit)
        }
    }
}
