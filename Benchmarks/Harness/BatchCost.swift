import Foundation
import Synchronization
import Vision
import VisionExtras

/// What several targets in one perform cost, in times of one target alone.
///
/// Of each frame: the time of all together by the mean of what each takes alone in that very frame, so that both sides have
/// done the same work. Targets differ, and frames do (in some a target is looked at twice): single ones at their median would
/// leave out work that all together cannot. The cost is the median over the frames, of the clock and of the processors' time;
/// the latter, which several threads share, says what is saved whatever the number of cores.
///
/// Cores that share a cache, or a machine that is shared, do not do twice the work of one. So all together are also set
/// against all apart: as many threads as a perform uses, each with its part of the targets, a handler for each of them, and
/// nothing to wait for. Below 1 a perform of several does better than cores by themselves.
struct BatchCost {
    private struct Time {
        var clock = 0.0
        var processors = 0.0
    }

    private var frames: [(all: Time, alone: Time, apart: Double)] = []

    typealias Perform = (CVPixelBuffer) throws -> Void

    /// Two threads that wake up on one core are parted by the system after some milliseconds.
    private static let settling: UInt64 = 10_000_000

    /// Times one frame of 640×480, with all together, with each alone and with all apart, in turns.
    ///
    /// Each perform gets pixels that have just been written, as by a decoder, so that none finds them nearer than another;
    /// apart, each thread does.
    mutating func add(_ bgra: [UInt8], all: Perform, alone: [Perform], apart: [Perform]) throws {
        func timed(_ body: (CVPixelBuffer) throws -> Void) throws -> Time {
            let frame = try PixelBuffers.bgra(bgra, width: 640, height: 480)
            let (clock, processors) = (nanoseconds(), nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
            try body(frame)
            let end = nanoseconds()
            // What other threads took is only told when they sleep.
            Thread.sleep(forTimeInterval: 0.001)
            return Time(
                clock: Double(end - clock),
                processors: Double(nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - processors))
        }
        let together = try timed(all)
        let count = Double(max(1, alone.count))
        var mean = Time()
        for body in alone {
            let one = try timed(body)
            mean.clock += one.clock / count
            mean.processors += one.processors / count
        }
        frames.append((together, mean, try Self.time(apart, bgra)))
    }

    /// From when all threads are there, each on a core of its own by then, until all have done, in nanoseconds.
    private static func time(_ performs: [Perform], _ bgra: [UInt8]) throws -> Double {
        let threads = VisionSettings.threadCount
        let frames = try (0..<threads).map { _ in try PixelBuffers.bgra(bgra, width: 640, height: 480) }
        let waiting = Atomic(threads), begin = Atomic<UInt64>(0)
        nonisolated(unsafe) let performs = performs
        nonisolated(unsafe) var outcomes = [Result<UInt64, any Error>?](repeating: nil, count: threads)
        outcomes.withUnsafeMutableBufferPointer { outcomes in
            nonisolated(unsafe) let outcomes = outcomes
            DispatchQueue.concurrentPerform(iterations: threads) { thread in
                if waiting.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
                    begin.store(nanoseconds() + Self.settling, ordering: .releasing)
                }
                while case let time = begin.load(ordering: .acquiring), time == 0 || nanoseconds() < time {}
                outcomes[thread] = Result {
                    for index in performs.count * thread / threads..<performs.count * (thread + 1) / threads {
                        try performs[index](frames[thread])
                    }
                    return nanoseconds()
                }
            }
        }
        let ends = try outcomes.compactMap { try $0?.get() }
        return Double((ends.max() ?? 0) - begin.load(ordering: .relaxed))
    }

    var counters: [String: Double] {
        func median(_ value: ((all: Time, alone: Time, apart: Double)) -> Double) -> Double {
            percentile(0.5, ofSorted: frames.map(value).sorted())
        }
        guard !frames.isEmpty else { return [:] }
        return [
            "sixteen / one": median { $0.all.clock / $0.alone.clock },
            "sixteen / sixteen apart": median { $0.all.clock / $0.apart },
            "of processors' time": median { $0.all.processors / $0.alone.processors },
            "sixteen, ms": median { $0.all.clock * 1e-6 }, "one, ms": median { $0.alone.clock * 1e-6 },
        ]
    }
}
