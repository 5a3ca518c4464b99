import Foundation
import VisionInference

// Runs the backend tests of ONNX: `Conformance FOLDER`, the folder being `onnx/backend/test/data` of its package.
// Scripts/check-onnx.sh fetches that. `Conformance --operators` prints the list of operators for the documentation.

/// Prints without a buffer, so that the last line before a crash is not lost.
func report(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

struct Usage: Error { let text: String }

struct Options {
    var folder: URL?
    var skips: [String: String] = [:]
    var filter: String?
    var minimum = 0
    var listsAll = false
    var isPlain = false

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value(_ name: String) throws -> String {
            guard let value = rest.popFirst() else { throw Usage(text: "\(name) needs a value") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--skips": try readSkips(value(argument))
            case "--filter": filter = try value(argument)
            case "--minimum": minimum = Int(try value(argument)) ?? 0
            case "--list": listsAll = true
            case "--plain": isPlain = true
            default: folder = URL(fileURLWithPath: argument)
            }
        }
    }

    /// Reads the tests to skip: one a line, its name and the reason; lines that begin with # are comments.
    private mutating func readSkips(_ path: String) throws {
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#")
        {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw Usage(text: "“\(line)” in \(path) has no reason after the name of the test")
            }
            skips[parts[0]] = parts[1]
        }
    }
}

func cases(in folder: URL) throws -> [(group: String, tests: [Case])] {
    let manager = FileManager.default
    func names(_ group: String) throws -> [String] {
        try manager.contentsOfDirectory(atPath: folder.appendingPathComponent(group).path).sorted()
    }
    var result: [(String, [Case])] = []
    // The folder "real" only has the addresses of models to download; the light ones replace them.
    for group in try names("").filter({ $0 != "light" }) {
        let tests = try names(group).compactMap { name -> Case? in
            let test = folder.appendingPathComponent(group).appendingPathComponent(name)
            guard manager.fileExists(atPath: test.appendingPathComponent("model.onnx").path) else { return nil }
            let sets = try manager.contentsOfDirectory(atPath: test.path).filter { $0.hasPrefix("test_data_set") }
            return Case(
                name: name, model: test.appendingPathComponent("model.onnx"),
                dataSets: sets.sorted().map { test.appendingPathComponent($0) }, lightOutputs: [])
        }
        if !tests.isEmpty { result.append((group, tests)) }
    }
    guard try names("").contains("light") else { return result }
    let light = folder.appendingPathComponent("light")
    let tests = try names("light").filter { $0.hasSuffix(".onnx") }.map { name -> Case in
        let base = String(name.dropLast(5))
        return Case(
            name: base, model: light.appendingPathComponent(name), dataSets: [],
            lightOutputs: [light.appendingPathComponent("\(base)_output_0.pb")])
    }
    result.append(("light", tests))
    return result
}

func check(_ options: Options, in folder: URL) throws -> Bool {
    var total = (passed: 0, failed: 0, notClaimed: 0, skipped: 0)
    var missing: [String: Int] = [:]
    var nodesPassed = 0
    for (group, tests) in try cases(in: folder) {
        var counts = (passed: 0, failed: 0, notClaimed: 0, skipped: 0)
        for test in tests where options.filter.map({ test.name.contains($0) }) ?? true {
            if let reason = options.skips[test.name] {
                counts.skipped += 1
                if options.listsAll { report("skipped      \(test.name): \(reason)") }
                continue
            }
            switch test.run(optimises: !options.isPlain) {
            case .passed:
                counts.passed += 1
                if options.listsAll { report("passed       \(test.name)") }
            case .failed(let reason):
                counts.failed += 1
                report("FAILED       \(test.name): \(reason)")
            case .notClaimed(let reason):
                counts.notClaimed += 1
                missing[reason, default: 0] += 1
                if options.listsAll { report("not claimed  \(test.name): \(reason)") }
            case .skipped: counts.skipped += 1
            }
        }
        report(
            "\(group): \(counts.passed) passed, \(counts.failed) failed, \(counts.notClaimed) not claimed, "
                + "\(counts.skipped) skipped")
        total.passed += counts.passed
        total.failed += counts.failed
        total.notClaimed += counts.notClaimed
        total.skipped += counts.skipped
        if group == "node" { nodesPassed = counts.passed }
    }
    report(
        "all: \(total.passed) passed, \(total.failed) failed, \(total.notClaimed) not claimed, \(total.skipped) skipped"
    )
    if options.listsAll {
        for (reason, count) in missing.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            report("\(count)  \(reason)")
        }
    }
    if nodesPassed < options.minimum { report("Fewer than \(options.minimum) tests of nodes passed.") }
    return total.failed == 0 && nodesPassed >= options.minimum
}

do {
    if CommandLine.arguments.contains("--operators") {
        print(ONNXOperatorList.markdown, terminator: "")
        exit(0)
    }
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    guard let folder = options.folder else {
        throw Usage(text: "usage: Conformance [--skips FILE] [--filter TEXT] [--minimum N] [--plain] [--list] FOLDER")
    }
    exit(try check(options, in: folder) ? 0 : 1)
} catch {
    report((error as? Usage)?.text ?? "\(error)")
    exit(2)
}
