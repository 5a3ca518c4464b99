import Metrics
import Synchronization

/// What the service counts.
struct ServiceMetrics: Sendable {
    /// The load of the queues, as it is shown.
    final class Loads: Sendable {
        fileprivate let state = Mutex((jobs: JobQueue.Load(), searches: JobQueue.Load()))
    }

    private let loads = Loads()
    private let factory: any MetricsFactory
    private let waiting: Meter
    private let running: Meter
    private let pixels: Counter

    init(_ factory: any MetricsFactory) {
        self.factory = factory
        waiting = Meter(label: "openvision_jobs_waiting", dimensions: [], factory: factory)
        running = Meter(label: "openvision_jobs_running", dimensions: [], factory: factory)
        pixels = Counter(label: "openvision_pixels_total", dimensions: [], factory: factory)
        showLoad { _ in }
    }

    /// Counts an answered request.
    ///
    /// - Parameters:
    ///   - route: The path with placeholders, so that there are few.
    ///   - status: 499 for a client that disconnected.
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

    /// Shows the load of the queue of all jobs.
    func show(jobs load: JobQueue.Load) { showLoad { $0.jobs = load } }

    /// Shows the load of the queue in which searches wait before the queue of all jobs.
    func show(searches load: JobQueue.Load) { showLoad { $0.searches = load } }

    private func showLoad(_ change: (inout (jobs: JobQueue.Load, searches: JobQueue.Load)) -> Void) {
        // Under the lock, so that the gauges never show an earlier load after a later one.
        loads.state.withLock { loads in
            change(&loads)
            waiting.set(loads.jobs.waiting + loads.searches.waiting)
            running.set(loads.jobs.running)
        }
    }
}
