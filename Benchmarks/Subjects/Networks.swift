import Foundation
import VisionInference

/// Whole networks, batch 1, with one thread and with two.
enum Networks {
    static let subject = "networks"
    private static let threadCounts = [1, 2]

    static func benchmarks(_ models: [NetworkModel]) -> [Benchmark] {
        models.flatMap { model in threadCounts.map { benchmark(model, threads: $0) } }
    }

    private static func benchmark(_ model: NetworkModel, threads: Int) -> Benchmark {
        let clients = threads == 1 ? "1-thread" : "\(threads)-threads"
        return Benchmark(name: "\(subject)/\(model.name)/\(clients)".lowercased()) { _ in
            let network = try RunningNetwork(model.url, threads: threads)
            let size = try network.size()
            // Measured right before, with as many threads: the clock of a shared machine is not what it was a minute
            // ago.
            let peak = PeakRate.operationsPerSecond(threads: threads)
            let work = Benchmark.Work(
                operations: Double(size.operations), peakPerSecond: peak, arenaBytes: size.arenaBytes)
            return .init(work: work) { try network.run() }
        }
    }

    static var cases: [ServedCase] {
        [
            ServedCase(name: "network") { file, parameters in
                guard let threads = parameters["threads"].flatMap({ Int($0) }), (1...256).contains(threads) else {
                    throw ServedCase.Unknown(description: "network needs threads, 1 to 256")
                }
                let network = try RunningNetwork(URL(fileURLWithPath: file), threads: threads)
                return {
                    try network.run()
                    return []
                }
            }
        ]
    }
}
