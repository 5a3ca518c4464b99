/// The numerator of a time.
public typealias CMTimeValue = Int64
/// The denominator of a time: the number of units in a second.
public typealias CMTimeScale = Int32

/// The kind of a `CMTime`.
public struct CMTimeFlags: OptionSet, Sendable, Hashable {
    /// The bits, as in Core Media.
    public let rawValue: UInt32
    /// Flags from their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The time is valid.
    public static let valid = CMTimeFlags(rawValue: 1)
    /// The value was rounded.
    public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
    /// Positive infinity: later than all times.
    public static let positiveInfinity = CMTimeFlags(rawValue: 4)
    /// Negative infinity: earlier than all times.
    public static let negativeInfinity = CMTimeFlags(rawValue: 8)
    /// Indefinite: unknown for now.
    public static let indefinite = CMTimeFlags(rawValue: 16)
}

/// A time as a fraction of a second: `value` / `timescale`.
public struct CMTime: Sendable, Hashable {
    /// The numerator.
    public var value: CMTimeValue
    /// The number of units in a second.
    public var timescale: CMTimeScale
    /// The kind of time.
    public var flags: CMTimeFlags
    /// Distinguishes times with different epochs.
    public var epoch: Int64

    /// An invalid time.
    public init() { self.init(value: 0, timescale: 0, flags: [], epoch: 0) }

    /// Creates a time from all its components.
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

    /// Returns the nearest multiple of 1 / `preferredTimescale` to a number of seconds; invalid if there is none.
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
    /// An indefinite time.
    public static let indefinite = CMTime(value: 0, timescale: 0, flags: [.valid, .indefinite], epoch: 0)

    /// Whether the time is valid.
    public var isValid: Bool { flags.contains(.valid) }
    /// Whether the time is a number.
    public var isNumeric: Bool {
        flags.intersection([.valid, .indefinite, .positiveInfinity, .negativeInfinity]) == .valid
    }
    /// The time in seconds; NaN if it is not numeric.
    public var seconds: Double { isNumeric ? Double(value) / Double(timescale) : .nan }
}

extension CMTime: Comparable {
    /// Compares two times; times that are not numeric come after all others.
    public static func < (left: CMTime, right: CMTime) -> Bool {
        guard left.isNumeric, right.isNumeric else { return left.isNumeric && !right.isNumeric }
        guard left.timescale > 0, right.timescale > 0 else { return left.seconds < right.seconds }
        // In 128 bits, because seconds as Double cannot distinguish large values.
        let a = left.value.multipliedFullWidth(by: Int64(right.timescale))
        let b = right.value.multipliedFullWidth(by: Int64(left.timescale))
        return (a.high, a.low) < (b.high, b.low)
    }

    /// The sum, on the larger of the two timescales if that is exact; invalid if one is not numeric.
    public static func + (left: CMTime, right: CMTime) -> CMTime { left.adding(right, sign: 1) }

    /// The difference, on the larger of the two timescales if that is exact; invalid if one is not numeric.
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

/// Returns the time in seconds; NaN if it is not numeric.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// Returns `value` / `timescale` seconds.
public func CMTimeMake(value: Int64, timescale: Int32) -> CMTime { CMTime(value: value, timescale: timescale) }

/// Returns the nearest multiple of 1 / `preferredTimescale` to a number of seconds.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: Int32) -> CMTime {
    CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}

/// Returns the sum, on the larger of the two timescales if that is exact; invalid if one is not numeric.
public func CMTimeAdd(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs + rhs }

/// Returns the difference, on the larger of the two timescales if that is exact; invalid if one is not numeric.
public func CMTimeSubtract(_ lhs: CMTime, _ rhs: CMTime) -> CMTime { lhs - rhs }

/// Returns -1, 0 or 1 if the first time is earlier, the same, or later. Times that are not numeric come last.
public func CMTimeCompare(_ time1: CMTime, _ time2: CMTime) -> Int32 { time1 < time2 ? -1 : time2 < time1 ? 1 : 0 }

/// Returns the later time.
public func CMTimeMaximum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time1 < time2 ? time2 : time1 }

/// Returns the earlier time.
public func CMTimeMinimum(_ time1: CMTime, _ time2: CMTime) -> CMTime { time2 < time1 ? time2 : time1 }

/// Returns the time multiplied by a whole number; invalid if it is not numeric or the result has no room.
public func CMTimeMultiply(_ time: CMTime, multiplier: Int32) -> CMTime {
    guard time.isNumeric else { return .invalid }
    let (value, overflow) = time.value.multipliedReportingOverflow(by: Int64(multiplier))
    return overflow ? .invalid : CMTime(value: value, timescale: time.timescale, flags: time.flags, epoch: time.epoch)
}

/// Returns a range from its start and duration.
public func CMTimeRangeMake(start: CMTime, duration: CMTime) -> CMTimeRange {
    CMTimeRange(start: start, duration: duration)
}

/// Returns the end of a range.
public func CMTimeRangeGetEnd(_ range: CMTimeRange) -> CMTime { range.end }

/// A time range.
public struct CMTimeRange: Sendable, Hashable {
    /// The start time.
    public var start: CMTime
    /// The duration.
    public var duration: CMTime

    /// An invalid range.
    public init() { self.init(start: .invalid, duration: .invalid) }

    /// Creates a range from its start and duration.
    public init(start: CMTime, duration: CMTime) {
        self.start = start
        self.duration = duration
    }

    /// The end time.
    public var end: CMTime { start + duration }

    /// An empty range.
    public static let zero = CMTimeRange(start: .zero, duration: .zero)
    /// An invalid range.
    public static let invalid = CMTimeRange()
}
