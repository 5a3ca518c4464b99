import ArgumentParser
import Foundation
import VisionExtras

/// Times hot paths and prints percentiles.
struct TimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time", abstract: "Time the hot paths (the default).",
        discussion: """
            Prints per hot path the time that 50, 95 and 99 of 100 calls stay below, calls a second, and GB/s or GFLOP/s \
            where memory or arithmetic is the limit. Inputs are made by the program, the same on every run; --photos \
            takes photographs instead. OPENVISION_ISA=scalar|avx2|avx512|avx512vnni|neon lowers the instruction set.
            """)

    @Option(help: "Only paths whose name contains this text; may be given several times.")
    var filter: [String] = []

    @Option(help: ArgumentHelp("Write all figures to this file as JSON.", valueName: "file"))
    var json: String?

    @Option(help: "The most threads that one call may use.")
    var threads = 1

    @Option(help: "Seconds to spend on each path.")
    var seconds = 1.0

    @Option(help: ArgumentHelp("Take pictures from the JPEG and PNG files of this folder.", valueName: "folder"))
    var photos: String?

    @Flag(help: "Print the names of the paths and stop.")
    var list = false

    @Flag(help: "Print a Markdown table.")
    var markdown = false

    func validate() throws {
        guard threads >= 1 else { throw ValidationError("--threads is at least 1.") }
        guard seconds > 0, seconds <= 3600 else { throw ValidationError("--seconds is above 0 and at most 3600.") }
    }

    func run() throws {
        let wanted = allBenchmarks().filter { benchmark in
            filter.isEmpty || filter.contains { benchmark.name.contains($0.lowercased()) }
        }
        guard filter.isEmpty || !wanted.isEmpty else {
            throw ValidationError(
                "No path has \(filter.joined(separator: " or ")) in its name; --list shows the names.")
        }
        if list {
            wanted.forEach { print($0.name) }
            return
        }
        VisionSettings.threadCount = threads
        let inputs = try Inputs(photos: photos)
        var report = Report(machine: .current(threads: threads))
        let table = Table.measurements(style: markdown ? .markdown : .plain)
        say(report.machine.summary + (markdown ? "\n" : ""))
        say(table.header())
        for benchmark in wanted {
            let measurement = try Measurement(of: benchmark, inputs: inputs, seconds: seconds)
            say(table.row(measurement))
            if !markdown, !measurement.counters.isEmpty {
                let counters = measurement.counters.sorted { $0.key < $1.key }
                say("    " + counters.map { "\($0.key) \(String(format: "%g", $0.value))" }.joined(separator: ", "))
            }
            report.measurements.append(measurement)
        }
        if let json { try report.json().write(to: URL(fileURLWithPath: json)) }
    }
}

/// Every hot path, subject by subject.
func allBenchmarks() -> [Benchmark] {
    [
        Decode.benchmarks, Conversion.benchmarks, Resize.benchmarks, Derivatives.benchmarks, Fourier.benchmarks,
        Registration.benchmarks, Tracking.benchmarks,
    ].flatMap { $0 }
}
