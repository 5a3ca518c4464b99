import ArgumentParser
import Foundation
import VisionExtras

/// Times hot paths and prints percentiles.
struct TimeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "time", abstract: "Time the hot paths (the default).",
        discussion: """
            Prints per hot path the time that 50, 95 and 99 of 100 calls stay below, calls a second, and GB/s or \
            GFLOP/s where memory or arithmetic is the limit. Inputs are made by the program, the same on every run; \
            --photos takes photographs instead. Networks are the installed ones and those of --models, each with one \
            thread and with two, with their share of the peak of 32-bit multiply-add and the bytes of their arena. \
            OPENVISION_ISA=scalar|avx2|avx512|avx512vnni|neon lowers the instruction set.
            """)

    @Option(help: "Only paths whose name contains this text; may be given several times.")
    var filter: [String] = []

    @Option(help: ArgumentHelp("Write all figures to this file as JSON.", valueName: "file"))
    var json: String?

    @Option(help: "The most threads that one call may use.")
    var threads = 1

    @Option(help: "Seconds to spend on each path.")
    var seconds = 1.0

    @Option(help: ArgumentHelp("Take images from the JPEG and PNG files of this folder.", valueName: "folder"))
    var photos: String?

    @Option(help: ArgumentHelp("Time the .onnx and .tflite files of this folder as well.", valueName: "folder"))
    var models: String?

    @Flag(help: "Print the names of the paths and stop.")
    var list = false

    @Flag(help: "Print a Markdown table.")
    var markdown = false

    func validate() throws {
        guard threads >= 1 else { throw ValidationError("--threads is at least 1.") }
        guard seconds > 0, seconds <= 3600 else { throw ValidationError("--seconds is above 0 and at most 3600.") }
    }

    func run() throws {
        let networks = try NetworkModel.all(folder: models)
        let wanted = allBenchmarks(networks.models).filter { isWanted($0.name) }
        if filter.isEmpty || filter.contains(where: { $0.lowercased().hasPrefix(Networks.subject) }) {
            for note in networks.notes {
                FileHandle.standardError.write(Data("\(Networks.subject): \(note)\n".utf8))
            }
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
        let hasNetworks = wanted.contains { $0.name.hasPrefix(Networks.subject + "/") }
        let table = Table.measurements(style: markdown ? .markdown : .plain, networks: hasNetworks)
        var failures: [String] = []
        say(report.machine.summary + (markdown ? "\n" : ""))
        say(table.header())
        for benchmark in wanted {
            let measurement: Measurement
            do {
                measurement = try Measurement(of: benchmark, inputs: inputs, seconds: seconds)
            } catch {
                // The others' figures are worth having all the same.
                failures.append("\(benchmark.name): not run: \(error)")
                continue
            }
            say(table.row(measurement))
            if !markdown, !measurement.counters.isEmpty {
                let counters = measurement.counters.sorted { $0.key < $1.key }
                say("    " + counters.map { "\($0.key) \(String(format: "%g", $0.value))" }.joined(separator: ", "))
            }
            report.measurements.append(measurement)
        }
        if let json { try report.json().write(to: URL(fileURLWithPath: json)) }
        failures.forEach(say)
        if !failures.isEmpty { throw ExitCode.failure }
    }

    private func isWanted(_ name: String) -> Bool {
        filter.isEmpty || filter.contains { name.contains($0.lowercased()) }
    }
}

/// Every hot path, subject by subject.
func allBenchmarks(_ networks: [NetworkModel]) -> [Benchmark] {
    [
        Decode.benchmarks, Conversion.benchmarks, Resize.benchmarks, Filters.benchmarks, Derivatives.benchmarks,
        Fourier.benchmarks,
        Registration.benchmarks, Homographies.benchmarks, Tracking.benchmarks, Rectangles.benchmarks,
        RectangleDetection.benchmarks,
        SceneRequests.benchmarks, SaliencyRequests.benchmarks, Faces.benchmarks, FaceLandmarks.benchmarks,
        Barcodes.benchmarks,
        Text.benchmarks, Horizons.benchmarks,
        PrintSearch.benchmarks, IndexRate.benchmarks, Classifiers.benchmarks, Networks.benchmarks(networks),
    ].flatMap { $0 }
}
