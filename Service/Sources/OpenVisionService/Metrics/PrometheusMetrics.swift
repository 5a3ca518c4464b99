public import CoreMetrics
import Synchronization

/// Collects the metrics of swift-metrics, and writes them in Prometheus's text format.
///
/// Counters, gauges and meters are what they are called; timers and recorders are histograms, timers in seconds.
public final class PrometheusMetrics: Sendable {
    /// What identifies a series: the labels, sorted.
    private typealias Labels = [Label]

    private struct Label: Hashable, Comparable {
        let name: String
        let value: String

        static func < (left: Label, right: Label) -> Bool { (left.name, left.value) < (right.name, right.value) }
    }

    /// A metric with its series.
    private struct Family {
        let type: String
        var series: [Labels: Series] = [:]
    }

    fileprivate final class Series: Sendable {
        struct Values {
            var value = 0.0
            var count = 0
            var buckets: [Int]
        }

        let values: Mutex<Values>

        init(buckets: Int) { values = Mutex(Values(buckets: [Int](repeating: 0, count: buckets))) }
    }

    /// The upper bounds of histograms' buckets: seconds for timers.
    static let bounds: [Double] = [
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100,
    ]
    private let families = Mutex<[String: Family]>([:])

    /// Creates an empty collection.
    public init() {}

    fileprivate func series(_ label: String, _ dimensions: [(String, String)], _ type: String) -> Series {
        let name = Self.name(label)
        let labels = dimensions.map { Label(name: Self.name($0.0), value: $0.1) }.sorted()
        return families.withLock { families in
            var family = families[name] ?? Family(type: type)
            defer { families[name] = family }
            if let series = family.series[labels] { return series }
            let series = Series(buckets: family.type == "histogram" ? Self.bounds.count : 0)
            family.series[labels] = series
            return series
        }
    }

    /// The metrics as text.
    public func text() -> String {
        let families = families.withLock { $0 }
        var text = ""
        for (name, family) in families.sorted(by: { $0.key < $1.key }) {
            text += "# TYPE \(name) \(family.type)\n"
            for (labels, series) in family.series.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                let values = series.values.withLock { $0 }
                if family.type != "histogram" {
                    text += "\(name)\(Self.text(labels)) \(values.value)\n"
                    continue
                }
                var count = 0
                for (bound, bucket) in zip(Self.bounds, values.buckets) {
                    count += bucket
                    text += "\(name)_bucket\(Self.text(labels + [Label(name: "le", value: "\(bound)")])) \(count)\n"
                }
                text += "\(name)_bucket\(Self.text(labels + [Label(name: "le", value: "+Inf")])) \(values.count)\n"
                text += "\(name)_sum\(Self.text(labels)) \(values.value)\n"
                text += "\(name)_count\(Self.text(labels)) \(values.count)\n"
            }
        }
        return text
    }

    private static func name(_ label: String) -> String {
        String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private static func text(_ labels: Labels) -> String {
        guard !labels.isEmpty else { return "" }
        let pairs = labels.map { label in
            let value = label.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
                "\n", with: "\\n")
            return "\(label.name)=\"\(value)\""
        }
        return "{\(pairs.joined(separator: ","))}"
    }
}

extension PrometheusMetrics.Series: CounterHandler, FloatingPointCounterHandler, MeterHandler, TimerHandler,
    RecorderHandler
{
    func increment(by amount: Int64) { add(Double(amount)) }
    func increment(by amount: Double) { add(amount) }
    func decrement(by amount: Double) { add(-amount) }
    func reset() { values.withLock { $0.value = 0 } }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { values.withLock { $0.value = value } }
    func record(_ value: Int64) { record(Double(value)) }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Double) {
        values.withLock { values in
            guard !values.buckets.isEmpty else { return values.value = value }
            values.value += value
            values.count += 1
            if let index = PrometheusMetrics.bounds.firstIndex(where: { value <= $0 }) { values.buckets[index] += 1 }
        }
    }

    private func add(_ amount: Double) { values.withLock { $0.value += amount } }
}

extension PrometheusMetrics: MetricsFactory {
    /// Returns a counter; further ones of the same name and dimensions count together.
    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions, "counter")
    }

    /// Returns a counter of fractions.
    public func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler { series(label, dimensions, "counter") }

    /// Returns a gauge.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, dimensions, "gauge")
    }

    /// Returns a histogram, or a gauge where values are not aggregated.
    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        series(label, dimensions, aggregate ? "histogram" : "gauge")
    }

    /// Returns a histogram in seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        series(label, dimensions, "histogram")
    }

    /// Does nothing: series stay until the end of the process.
    public func destroyCounter(_ handler: any CounterHandler) {}
    /// Does nothing.
    public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
    /// Does nothing.
    public func destroyMeter(_ handler: any MeterHandler) {}
    /// Does nothing.
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    /// Does nothing.
    public func destroyTimer(_ handler: any TimerHandler) {}
}
