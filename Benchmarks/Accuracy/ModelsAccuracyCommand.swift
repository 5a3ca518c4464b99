import ArgumentParser
import Foundation
import VisionInference

struct ModelsAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "Compare outputs of networks with what other engines gave.",
        discussion: """
            Scripts/accuracy-models.sh makes the folder: index.json with the models, and the inputs and outputs of each run \
            as .npy files. The error is the largest difference over the range of the other engine's output. Where that \
            engine has two ways to compute an output, their difference is told too: twice as much is added to the limit, \
            since an output that multiplies rounding errors is nobody's to get right.
            """)

    @Argument(help: "A folder that Scripts/peers/models.py has written.")
    var expected: String

    @Option(help: "The largest error that passes, as a share of the output's range.")
    var limit = 1e-4

    @Option(help: "Threads of a run.")
    var threads = 1

    private struct Entry: Decodable {
        struct Run: Decodable {
            let range: String
            let inputs: [String: String]
            let outputs: [String: String]
            /// The largest difference between the other engine's own ways.
            let spread: [String: Double]
        }
        let name: String
        let path: String
        let engine: String
        let runs: [Run]
        /// Why the other engine has nothing to compare with.
        let missing: String?
    }

    private struct Row {
        let model: String
        let output: String
        let shape: [Int]
        var range = 0.0
        var error = 0.0
        var spread = 0.0
    }

    func run() throws {
        let folder = URL(fileURLWithPath: expected, isDirectory: true)
        let index = try Data(contentsOf: folder.appendingPathComponent("index.json"))
        let entries = try JSONDecoder().decode([Entry].self, from: index)
        var failed = 0
        print(
            "model, output                                          shape            range      error/range  spread/range"
        )
        for entry in entries {
            if let missing = entry.missing {
                print("\(entry.name): not compared: \(missing)")
                continue
            }
            do {
                let rows = try compare(entry, folder)
                for row in rows {
                    let passes = row.error <= limit + 2 * row.spread
                    if !passes { failed += 1 }
                    print(
                        pad("\(row.model), \(row.output)", 54),
                        pad(row.shape.map(String.init).joined(separator: "×"), 16),
                        String(
                            format: "%-10.4g %.2e     %@%@", row.range, row.error,
                            row.spread > 0 ? String(format: "%.2e", row.spread) : "-", passes ? "" : "  above \(limit)")
                    )
                }
            } catch {
                failed += 1
                print("\(entry.name): \(error)")
            }
        }
        print(failed == 0 ? "all pass" : "\(failed) above \(limit) or not run")
        if failed > 0 { throw ExitCode.failure }
    }

    /// One row an output: the worst of the runs.
    private func compare(_ entry: Entry, _ folder: URL) throws -> [Row] {
        let graph = try NetworkFile.graph(contentsOf: URL(fileURLWithPath: entry.path))
        let session = try Session(graph: graph, options: .init(threads: threads))
        var rows: [String: Row] = [:]
        for run in entry.runs {
            var inputs: [String: Tensor] = [:]
            for (name, file) in run.inputs {
                inputs[name] = try tensor(NPYFile(path: folder.appendingPathComponent(file).path))
            }
            let outputs = try session.run(inputs)
            for (name, file) in run.outputs {
                let wanted = try NPYFile(path: folder.appendingPathComponent(file).path)
                guard let output = outputs[name] else { throw ValidationError("there is no output \(name)") }
                guard output.shape == wanted.shape else {
                    throw ValidationError("output \(name) has shape \(output.shape), not \(wanted.shape)")
                }
                guard let ours = doubles(output), let theirs = wanted.values else {
                    throw ValidationError("output \(name) has elements of type \(output.type)")
                }
                let (range, error) = difference(ours, theirs)
                var row = rows[name] ?? Row(model: entry.name, output: name, shape: output.shape)
                if error >= row.error {
                    (row.range, row.error, row.spread) = (range, error, (run.spread[name] ?? 0) / range)
                }
                rows[name] = row
            }
        }
        return graph.outputs.compactMap { rows[$0.name] }
    }

    /// The range of `theirs` (its magnitude, where it is one number) and the largest difference as a share of it.
    private func difference(_ ours: [Double], _ theirs: [Double]) -> (range: Double, error: Double) {
        var range = (theirs.max() ?? 0) - (theirs.min() ?? 0)
        if range == 0 { range = abs(theirs.first ?? 0) }
        var largest = 0.0
        for (a, b) in zip(ours, theirs) {
            // Equal infinities are equal; a number that is none on one side only is as wrong as can be.
            if a == b || a.isNaN && b.isNaN { continue }
            largest = max(largest, (a - b).isFinite ? abs(a - b) : .infinity)
        }
        return (range, largest == 0 ? 0 : largest / range)
    }

    private func tensor(_ file: NPYFile) throws -> Tensor {
        let types: [String: ElementType] = [
            "<f2": .float16, "<f4": .float32, "<f8": .float64, "|u1": .uint8, "|i1": .int8, "<i2": .int16,
            "<u2": .uint16,
            "<i4": .int32, "<u4": .uint32, "<i8": .int64, "<u8": .uint64, "|b1": .bool,
        ]
        guard let type = types[file.type] else { throw ValidationError("arrays of type \(file.type) are not read") }
        let tensor = try Tensor(zeros: file.shape, of: type)
        file.bytes.withUnsafeBytes { bytes in
            UnsafeMutableRawBufferPointer(start: tensor.storage.base, count: tensor.byteCount).copyMemory(from: bytes)
        }
        return tensor
    }

    private func doubles(_ tensor: Tensor) -> [Double]? {
        if tensor.type == .float64 { return tensor.values(as: Double.self) }
        return tensor.floats?.map { Double($0) } ?? tensor.integers?.map { Double($0) }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        text.padding(toLength: max(width, text.count), withPad: " ", startingAt: 0)
    }
}
