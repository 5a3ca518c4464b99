import Foundation
import Vision

/// What several targets in one perform cost, in times of one target alone.
///
/// Of each frame: the time of all together by the mean of what each takes alone in that very frame, so that both sides have
/// done the same work. Targets differ, and frames do (in some a target is looked at twice): single ones at their median would
/// leave out work that all together cannot. The cost is the median over the frames, of the clock and of the processors' time;
/// the latter, which several threads share, says what is saved whatever the number of cores.
struct CompanyCost {
    private struct Time {
        var clock = 0.0
        var processors = 0.0
    }

    private var frames: [(all: Time, alone: Time)] = []

    /// Times one frame of 640×480, with all together and with each alone, in turns.
    ///
    /// Each perform gets pixels that have just been written, as by a decoder, so that none finds them nearer than another.
    mutating func add(
        _ bgra: [UInt8], all: (CVPixelBuffer) throws -> Void, alone: [(CVPixelBuffer) throws -> Void]
    ) throws {
        func timed(_ body: (CVPixelBuffer) throws -> Void) throws -> Time {
            let frame = try PixelBuffers.bgra(bgra, width: 640, height: 480)
            let (clock, processors) = (nanoseconds(), nanoseconds(CLOCK_PROCESS_CPUTIME_ID))
            try body(frame)
            return Time(
                clock: Double(nanoseconds() - clock),
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
        frames.append((together, mean))
    }

    var counters: [String: Double] {
        func median(_ value: ((all: Time, alone: Time)) -> Double) -> Double {
            percentile(0.5, ofSorted: frames.map(value).sorted())
        }
        guard !frames.isEmpty else { return [:] }
        return [
            "sixteen / one": median { $0.all.clock / $0.alone.clock },
            "of processors' time": median { $0.all.processors / $0.alone.processors },
            "sixteen, ms": median { $0.all.clock * 1e-6 }, "one, ms": median { $0.alone.clock * 1e-6 },
        ]
    }
}
