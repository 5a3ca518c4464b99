import Foundation

/// Nanoseconds of the monotonic clock.
@inline(__always)
func nanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Keeps the optimiser from dropping work whose result nobody uses.
@inline(never)
func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}
