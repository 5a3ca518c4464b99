internal import CVisionThreads
import Foundation

/// Short waits by spinning, because putting a thread to sleep and waking it up takes some 50 µs each.
package enum SpinWait {
    /// The duration up to which spinning costs less than sleeping.
    package static let spinLimit = Duration.microseconds(100)

    /// With one processor, spinning only delays the thread that is waited for.
    private static let isUseful = Processors.count > 1

    /// Spins until a condition holds, or the limit is reached.
    ///
    /// - Parameters:
    ///   - spinLimit: The longest time to spin.
    ///   - condition: Evaluated again and again.
    /// - Returns: Whether the condition holds. If not, the caller should sleep.
    package static func wait(for spinLimit: Duration = spinLimit, until condition: () -> Bool) -> Bool {
        if condition() { return true }
        guard isUseful else { return false }
        let end = ContinuousClock.now + spinLimit
        repeat {
            for _ in 0..<16 {
                if condition() { return true }
                cvt_pause()
            }
        } while ContinuousClock.now < end
        return false
    }

    /// Pauses in a loop that waits for microseconds; after many iterations, yields the processor.
    ///
    /// - Parameter spins: The number of iterations so far.
    @inline(__always)
    static func pause(_ spins: inout Int) {
        spins += 1
        if spins < 4000 { cvt_pause() } else { sched_yield() }
    }
}
