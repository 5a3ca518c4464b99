import Metrics

/// What the service counts.
struct ServiceMetrics: Sendable {
    private let factory: any MetricsFactory
    private let waiting: Meter
    private let running: Meter
    private let pixels: Counter

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        waiting = Meter(label: "openvision_jobs_waiting", dimensions: [], factory: factory)
        running = Meter(label: "openvision_jobs_running", dimensions: [], factory: factory)
        pixels = Counter(label: "openvision_pixels_total", dimensions: [], factory: factory)
        show(JobQueue.Load())
    }

    /// Counts an answered request.
    ///
    /// - Parameters:
    ///   - route: The path with placeholders, so that there are few.
    ///   - status: 499 for a client that has gone.
    func answered(route: String, method: String, status: Int, after duration: Duration) {
        Counter(
            label: "openvision_http_requests_total",
            dimensions: [("route", route), ("method", method), ("status", String(status))], factory: factory
        ).increment()
        Timer(
            label: "openvision_http_request_duration_seconds", dimensions: [("route", route)],
            preferredDisplayUnit: .seconds, factory: factory
        ).record(duration: duration)
    }

    func analysed(pixels count: Int) { pixels.increment(by: count) }

    func show(_ load: JobQueue.Load) {
        waiting.set(load.waiting)
        running.set(load.running)
    }
}
