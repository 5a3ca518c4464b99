internal import CVisionKernels
import Dispatch
import VisionThreads

/// The most floating-point arithmetic that the processor does, measured.
package enum PeakRate {
    private static let operationsOfRound = 2 * 3072.0

    /// Multiplications and additions a second of `threads` threads at once, with the instructions that kernels use.
    ///
    /// Takes about a tenth of a second. The fastest of several short runs: what slows the machine for a while does not
    /// count.
    package static func operationsPerSecond(threads: Int = 1) -> Double {
        var best = 0.0
        Workers.with(threads: threads) { workers in
            for _ in 0..<12 {
                let rounds: Int32 = 60_000
                let start = DispatchTime.now().uptimeNanoseconds
                workers.parallel(workers.count) { _, _ in
                    var result: Float = 0
                    cvk_f32_peak(&result, rounds)
                }
                let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) * 1e-9
                best = max(best, Double(rounds) * operationsOfRound * Double(workers.count) / seconds)
            }
        }
        return best
    }
}
