import ArgumentParser
import Foundation
import VisionInference

struct ModelsAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "Compare outputs of networks with those of other engines.",
        discussion: """
            Scripts/accuracy-models.sh and accuracy-coreml.sh make the folder: index.json with the models, and the \
            inputs and outputs of each run as .npy files: those of the other engine, and those of the same network in \
            double precision. An error is the largest difference over the range of the output. An output passes when \
            ours is within the limit of the other engine's or of the exact one. Some networks multiply rounding errors \
            so much that no engine of 32-bit floats is that near: there ours may be twice as far from the exact output \
            as the other engine's is.
            """)

    @Argument(help: "A folder that Scripts/peers/models.py has written.")
    var expected: String

    @Option(help: "The largest error that passes, as a share of the output's range.")
    var limit = 1e-4

    @Option(help: "Threads of a run.")
    var threads = 1

    @Flag(help: "Print a table for Documentation/Accuracy.md.")
    var markdown = false

    private struct Entry: Decodable {
        struct Run: Decodable {
            let range: String
            let inputs: [String: String]
            let outputs: [String: String]
            /// The outputs in double precision; empty where these are unavailable.
            let exact: [String: String]
        }
        let name: String
        let path: String
        let engine: String
        let runs: [Run]
        /// Why the other engine has nothing to compare with.
        let missing: String?
        /// The largest error that passes, where it is not that of all.
        let limit: Double?
    }

    private struct Row {
        let model: String
        let output: String
        let shape: [Int]
        var range = 0.0
        /// Of ours from the other engine's.
        var error = 0.0
        /// Of ours and of the other engine's from the exact output.
        var exact: (ours: Double, theirs: Double)?

        func passes(_ limit: Double) -> Bool {
            error <= limit || exact.map { $0.ours <= max(limit, 2 * $0.theirs) } ?? false
        }
    }

    func run() throws {
        let folder = URL(fileURLWithPath: expected, isDirectory: true)
        let index = try Data(contentsOf: folder.appendingPathComponent("index.json"))
        let entries = try JSONDecoder().decode([Entry].self, from: index)
        var failed = 0
        let columns = ["model, output", "shape", "range", "ours–theirs", "ours–exact", "theirs–exact"]
        if markdown {
            print("| \(columns.joined(separator: " | ")) |\n|---|---|---|---:|---:|---:|")
        } else {
            print(line(columns))
        }
        for entry in entries {
            if let missing = entry.missing {
                print("\(entry.name): not compared: \(missing)")
                continue
            }
            do {
                let rows = try compare(entry, folder)
                let limit = entry.limit ?? limit
                for row in rows {
                    let passes = row.passes(limit)
                    if !passes { failed += 1 }
                    let cells = [
                        "\(row.model), \(row.output)", row.shape.map(String.init).joined(separator: "×"),
                        String(format: "%.4g", row.range), share(row.error), row.exact.map { share($0.ours) } ?? "–",
                        row.exact.map { share($0.theirs) } ?? "–",
                    ]
                    let text = markdown ? "| \(cells.joined(separator: " | ")) |" : line(cells)
                    print(passes ? text : "\(text)  above \(limit)")
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
                guard let output = outputs[name] else {
                    throw ValidationError("our engine gives no output named \(name)")
                }
                guard output.shape == wanted.shape else {
                    throw ValidationError("output \(name) has shape \(output.shape), not \(wanted.shape)")
                }
                guard let ours = doubles(output), let theirs = wanted.values else {
                    throw ValidationError("output \(name) has elements of type \(output.type)")
                }
                let exact = try run.exact[name].map { file -> [Double] in
                    let array = try NPYFile(path: folder.appendingPathComponent(file).path)
                    guard array.shape == output.shape, let values = array.values else {
                        throw ValidationError("the exact output \(name) has shape \(array.shape), not \(output.shape)")
                    }
                    return values
                }
                let range = self.range(of: exact ?? theirs)
                let error = difference(ours, theirs) / range
                var row = rows[name] ?? Row(model: entry.name, output: name, shape: output.shape)
                if error >= row.error {
                    (row.range, row.error) = (range, error)
                    row.exact = exact.map { (difference(ours, $0) / range, difference(theirs, $0) / range) }
                }
                rows[name] = row
            }
        }
        return graph.outputs.compactMap { rows[$0.name] }
    }

    /// The largest value less the smallest; the magnitude of a single one. Never 0.
    private func range(of values: [Double]) -> Double {
        let finite = values.filter(\.isFinite)
        let range = (finite.max() ?? 0) - (finite.min() ?? 0)
        return max(range == 0 ? abs(finite.first ?? 0) : range, .leastNormalMagnitude)
    }

    private func difference(_ ours: [Double], _ theirs: [Double]) -> Double {
        var largest = 0.0
        for (a, b) in zip(ours, theirs) {
            // Equal infinities are equal; a NaN on one side only is an infinite error.
            if a == b || a.isNaN && b.isNaN { continue }
            largest = max(largest, (a - b).isFinite ? abs(a - b) : .infinity)
        }
        return largest
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

    private func share(_ error: Double) -> String { String(format: "%.1e", error) }

    private func line(_ cells: [String]) -> String {
        zip(cells, [58, 14, 10, 12, 12, 0]).map { cell, width in
            cell.padding(toLength: max(width, cell.count), withPad: " ", startingAt: 0)
        }.joined(separator: " ")
    }
}
