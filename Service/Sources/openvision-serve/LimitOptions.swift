import ArgumentParser
import OpenVisionService

/// The limits of the service on the command line.
struct LimitOptions: ParsableArguments {
    private static let defaults = ServiceLimits()
    private static let mebibyte = 1 << 20

    @Option(help: ArgumentHelp("Images to analyse at the same time. (default: the processors)", valueName: "count"))
    var workers: Int?

    @Option(
        help: ArgumentHelp(
            "Images that may wait; further ones are refused. (default: \(defaults.queue / defaults.workers) a worker)",
            valueName: "count"))
    var queue: Int?

    @Option(help: ArgumentHelp("The most bytes of a body, in MiB.", valueName: "MiB"))
    var maxBody = defaults.bodyBytes / mebibyte

    @Option(
        help: ArgumentHelp("The most pixels of an image. (default: by memory and workers)", valueName: "count"))
    var maxPixels: Int?

    @Option(help: ArgumentHelp("The time that a body may take to arrive.", valueName: "seconds"))
    var bodyTime = Int(defaults.bodyTime.components.seconds)

    @Option(help: ArgumentHelp("The time that an image may take in the queue and on a worker.", valueName: "seconds"))
    var time = Int(defaults.time.components.seconds)

    @Option(help: ArgumentHelp("The most connections at a time.", valueName: "count"))
    var maxConnections = 1024

    func validate() throws {
        let ranges: [(String, Int?, ClosedRange<Int>)] = [
            ("workers", workers, 1...ServiceLimits.maximumWorkers), ("queue", queue, 0...100_000),
            ("max-body", maxBody, 1...1024), ("max-pixels", maxPixels, 1...(1 << 30)),
            ("body-time", bodyTime, 1...3600), ("time", time, 1...3600),
            ("max-connections", maxConnections, 1...100_000),
        ]
        for (name, value, range) in ranges {
            if let value, !range.contains(value) {
                throw ValidationError(
                    "--\(name) is \(value); it must be from \(range.lowerBound) to \(range.upperBound).")
            }
        }
    }

    var limits: ServiceLimits {
        // The bounds of memory depend on the number of workers.
        var limits = ServiceLimits(workers: workers)
        if let queue { limits.queue = queue }
        limits.bodyBytes = maxBody * Self.mebibyte
        limits.bodyBytesInFlight = max(limits.bodyBytesInFlight, limits.bodyBytes)
        if let maxPixels { limits.pixels = maxPixels }
        (limits.bodyTime, limits.time) = (.seconds(bodyTime), .seconds(time))
        return limits
    }
}
