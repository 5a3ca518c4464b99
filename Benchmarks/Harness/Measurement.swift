/// The times of one benchmark, in nanoseconds a call.
struct Measurement: Codable {
    let name: String
    let unit: Benchmark.Unit
    let samples: Int
    /// Calls timed together as one sample, where one call is too short for the clock.
    let callsPerSample: Int
    let minimum: Double
    let p50: Double
    let p95: Double
    let p99: Double
    /// Calls a second over the whole run, pauses of the system included.
    let perSecond: Double
    /// 10^9 bytes a second at the median.
    let gigabytesPerSecond: Double?
    /// 10^9 floating-point operations a second at the median.
    let gigaflops: Double?
    /// Networks: `gigaflops` in percent of what 32-bit multiply-add reaches at most on this machine.
    let percentOfPeak: Double?
    /// Networks: bytes of all intermediate results of a run.
    let arenaBytes: Int?
    let counters: [String: Double]
}

extension Measurement {
    /// Runs a benchmark for about `seconds` after a warm-up, and for at least five calls however long they take.
    ///
    /// A call is timed on its own unless it is so short (under 2 µs) that reading the clock would count; then as many
    /// calls as fill that time make one sample and the percentiles are those of the samples' means.
    init(of benchmark: Benchmark, inputs: Inputs, seconds: Double) throws {
        let body = try benchmark.prepare(inputs)
        let warmUp = UInt64(min(0.3, seconds * 0.3) * 1e9)
        let warmStart = nanoseconds()
        var calls = 0
        var fastest = UInt64.max
        repeat {
            let start = nanoseconds()
            try body.run()
            fastest = min(fastest, nanoseconds() - start)
            calls += 1
        } while nanoseconds() - warmStart < warmUp && calls < 100_000

        let batch = fastest >= 2000 ? 1 : Int(2000 / max(fastest, 20)) + 1
        var times: [Double] = []
        let budget = UInt64(seconds * 1e9)
        let start = nanoseconds()
        var end = start
        while end - start < budget || times.count < 5 {
            let before = nanoseconds()
            for _ in 0..<batch { try body.run() }
            end = nanoseconds()
            times.append(Double(end - before) / Double(batch))
        }
        let total = Double(end - start)

        name = benchmark.name
        unit = benchmark.unit
        samples = times.count
        callsPerSample = batch
        times.sort()
        minimum = times.first ?? 0
        let median = percentile(0.50, ofSorted: times)
        p50 = median
        p95 = percentile(0.95, ofSorted: times)
        p99 = percentile(0.99, ofSorted: times)
        perSecond = Double(samples * batch) * 1e9 / total
        gigabytesPerSecond = benchmark.bytes.map { $0 / median }
        gigaflops = (body.work?.operations ?? benchmark.operations).map { $0 / median }
        percentOfPeak = body.work.map { 100 * $0.operations / (median * 1e-9 * $0.peakPerSecond) }
        arenaBytes = body.work?.arenaBytes
        counters = body.counters()
    }
}

/// The value below which `share` of the sorted values lie, interpolated between neighbours; 0 for no values.
func percentile(_ share: Double, ofSorted values: [Double]) -> Double {
    guard let last = values.last else { return 0 }
    let position = share * Double(values.count - 1)
    let index = Int(position)
    guard index + 1 < values.count else { return last }
    return values[index] + (values[index + 1] - values[index]) * (position - Double(index))
}
