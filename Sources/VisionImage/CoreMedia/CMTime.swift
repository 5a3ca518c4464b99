/// The numerator of a time.
public typealias CMTimeValue = Int64
/// The denominator of a time: units a second.
public typealias CMTimeScale = Int32

/// What kind of time a `CMTime` is.
public struct CMTimeFlags: OptionSet, Sendable, Hashable {
    /// The bits, as in Core Media.
    public let rawValue: UInt32
    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The time means something.
    public static let valid = CMTimeFlags(rawValue: 1)
    /// The value was rounded.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
    /// Later than all times.
    public static let positiveInfinity = CMTimeFlags(rawValue: 4)
    /// Earlier than all times.
    public static let negativeInfinity = CMTimeFlags(rawValue: 8)
    /// Unknown, and to be found out later.
    public static let indefinite = CMTimeFlags(rawValue: 16)
}

/// A time as a fraction of a second: `value` / `timescale`.
public struct CMTime: Sendable, Hashable {
    /// The numerator.
    public var value: CMTimeValue
    /// Units a second.
    public var timescale: CMTimeScale
    /// What kind of time it is.
    public var flags: CMTimeFlags
    /// Tells apart times that run from different beginnings.
    public var epoch: Int64

    /// A time that means nothing.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    /// A time from all its parts.
    public init(value: CMTimeValue, timescale: CMTimeScale, flags: CMTimeFlags, epoch: Int64) {
        self.value = value
        self.timescale = timescale
        self.flags = flags
        self.epoch = epoch
    }

    /// `value` / `timescale` seconds.
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.init(value: value, timescale: timescale, flags: timescale > 0 ? .valid : [], epoch: 0)
    }

    /// The nearest multiple of 1 / `preferredTimescale` to a number of seconds; invalid where there is none.
    public init(seconds: Double, preferredTimescale: CMTimeScale) {
        let units = (seconds * Double(preferredTimescale)).rounded()
        guard preferredTimescale > 0, let value = CMTimeValue(exactly: units) else {
            self.init()
            return
        }
        self.init(value: value, timescale: preferredTimescale)
        if Double(value) / Double(preferredTimescale) != seconds { flags.insert(.hasBeenRounded) }
    }

    /// The start of time.
    public static let zero = CMTime(value: 0, timescale: 1)
    /// No time.
    public static let invalid = CMTime()
    /// A time still to be found out.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)

    /// Whether the time means something.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is a number.
    public var isNumeric: Bool {
        flags.intersection([.valid, .indefinite, .positiveInfinity, .negativeInfinity]) == .valid
    }
    /// The time in seconds; NaN where it is no number.
    public var seconds: Double { isNumeric ? Double(value) / Double(timescale) : .nan }
}

extension CMTime: Comparable {
    /// Which time is earlier; what is no number is later than all numbers.
    public static func < (left: CMTime, right: CMTime) -> Bool {
        guard left.isNumeric, right.isNumeric else { return left.isNumeric && !right.isNumeric }
        guard left.timescale > 0, right.timescale > 0 else { return left.seconds < right.seconds }
        // In 128 bits: seconds as Double cannot tell large values apart.
        let a = left.value.multipliedFullWidth(by: Int64(right.timescale))
        let b = right.value.multipliedFullWidth(by: Int64(left.timescale))
        return (a.high, a.low) < (b.high, b.low)
    }

    /// The sum, on the larger of the two scales where that is exact; invalid where one is no number.
    public static func + (left: CMTime, right: CMTime) -> CMTime { left.adding(right, sign: 1) }

    /// The difference, on the larger of the two scales where that is exact; invalid where one is no number.
    public static func - (left: CMTime, right: CMTime) -> CMTime { left.adding(right, sign: -1) }

    private func adding(_ other: CMTime, sign: Int64) -> CMTime {
        guard isNumeric, other.isNumeric else { return .invalid }
        guard timescale == other.timescale else {
            return CMTime(
                seconds: seconds + Double(sign) * other.seconds, preferredTimescale: max(timescale, other.timescale))
        }
        let (term, tooSmall) = other.value.multipliedReportingOverflow(by: sign)
        let (sum, tooLarge) = value.addingReportingOverflow(term)
        return tooSmall || tooLarge ? .invalid : CMTime(value: sum, timescale: timescale)
    }
}

/// The time in seconds; NaN where it is no number.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// `value` / `timescale` seconds.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

/// The nearest multiple of 1 / `preferredTimescale` to a number of seconds.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// A stretch of time.
public struct CMTimeRange: Sendable, Hashable {
    /// When it begins.
    public var start: CMTime
    /// How long it lasts.
    public var duration: CMTime

    /// A stretch that means nothing.
    public init() { self.init(start: .invalid, duration: .invalid) }

    /// A stretch from its beginning and length.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// When it ends.
    public var end: CMTime { start + duration }

    /// No time at all.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// A stretch that means nothing.
    public static let invalid = CMTimeRange()
}
