/// One hot path: what it is called, what one call moves and computes, and how to set it up.
struct Benchmark {
    /// The unit of a call: a video pipeline asks for time per frame, a library function for time per call.
    enum Unit: String, Codable {
        case frame, call
    }

    /// What is known of a network's call once the network is prepared.
    struct Work {
        let operations: Double
        /// Operations a second that the processor reaches at most with as many threads, measured.
        let peakPerSecond: Double
        let arenaBytes: Int
    }

    /// What a set-up benchmark hands to the harness.
    struct Body {
        /// One call; it may advance through a sequence of inputs.
        let run: () throws -> Void
        /// Figures other than time (cache hits, conversions), read once after the last call.
        let counters: () -> [String: Double]
        let work: Work?

        init(
            counters: @escaping () -> [String: Double] = { [:] }, work: Work? = nil, _ run: @escaping () throws -> Void
        ) {
            self.run = run
            self.work = work
            self.counters = counters
        }
    }

    /// "subject/what/size", lower case: `--filter` is matched against it.
    let name: String
    var unit = Unit.call
    /// Bytes read and written by a call, when memory traffic is what limits it.
    var bytes: Double?
    /// Floating-point operations of a call as papers count them.
    var operations: Double?
    /// Makes the inputs and the state. Not timed.
    let prepare: (Inputs) throws -> Body
}
