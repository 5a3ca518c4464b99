import Foundation

/// Nanoseconds of a clock, the monotonic one if no other is named.
@inline(__always)
func nanoseconds(_ clock: clockid_t = CLOCK_MONOTONIC) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Keeps the optimiser from removing computations whose result is unused.
@inline(never)
func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
