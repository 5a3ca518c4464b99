import Foundation
import ModelTestSupport
import VisionImage
import XCTest

@testable import openvision

/// Runs `openvision worker` as other programs do.
final class WorkerCommandTests: XCTestCase {
    private func run(_ input: Data, _ arguments: [String] = []) throws -> ToolRun {
        let scratch = try Scratch()
        let file = scratch.path("jobs")
        try input.write(to: URL(fileURLWithPath: file))
        return try openvision(["worker"] + arguments, input: file)
    }

    private func photo(_ name: String, in scratch: Scratch) throws -> String {
        let path = scratch.path(name)
        let image = try Raster(width: 64, height: 48, format: .grey8) { pixels, rowBytes in
            for y in 0..<48 {
                for x in 0..<64 {
                    let value: UInt8 = (8..<38).contains(x) && (8..<28).contains(y) ? 255 : 0
                    pixels.storeBytes(of: value, toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
        try image.encodedPNG().write(to: URL(fileURLWithPath: path))
        return path
    }

    func testEveryJobHasAnAnswerWithItsName() throws {
        let scratch = try Scratch()
        let path = try photo("a.png", in: scratch)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
        let lines = [
            #"{"id": 1, "path": "\#(path)", "requests": ["horizon", "barcodes"]}"#,
            #"{"id": {"a": [2]}, "base64": "\#(bytes)", "requests": ["rectangles"]}"#, "", "not JSON",
            #"{"id": 4, "path": "/nowhere/at/all.jpg"}"#, #"{"id": 5}"#,
            #"{"id": 6, "path": "a", "base64": "b"}"#, #"{"id": 7, "base64": "?"}"#,
            #"{"id": 8, "path": "\#(path)", "requests": ["smell"]}"#, #"{"id": 9, "path": "\#(path)", "size": 3}"#,
            #"{"id": 10, "path": "\#(scratch.path("."))"}"#,
        ]
        let run = try run(
            Data(lines.joined(separator: "\n").utf8), ["--requests", "horizon", "--threads", "2"])
        XCTAssertEqual(run.code, 1)
        XCTAssertTrue(run.errors.hasPrefix("2 done, 8 failed in "), run.errors)
        var answers: [String: [String: Any]] = [:]
        for line in run.lines.indices {
            let answer = try run.object(line)
            let data = try JSONSerialization.data(
                withJSONObject: try XCTUnwrap(answer["id"]), options: .fragmentsAllowed)
            answers[String(decoding: data, as: UTF8.self)] = answer
        }
        XCTAssertEqual(run.lines.count, 10)
        XCTAssertEqual(Set(answers.keys), Set(["1", #"{"a":[2]}"#, "null", "4", "5", "6", "7", "8", "9", "10"]))
        XCTAssertEqual((answers["1"]?["results"] as? [String: Any])?.keys.sorted(), ["barcodes", "horizon"])
        XCTAssertEqual((answers["1"]?["image"] as? [String: Any])?["width"] as? Int, 64)
        for (id, text) in [("4", "does not exist"), ("5", "needs"), ("7", "Base64"), ("8", "smell"), ("9", "size")] {
            let error = answers[id]?["error"] as? String ?? ""
            XCTAssertTrue(error.contains(text), "\(id): \(error)")
        }
    }

    func testPathsThatEndWithNULAreJobs() throws {
        let scratch = try Scratch()
        let paths = try ["a b.png", "line\nbreak.png"].map { try photo($0, in: scratch) }
        let input = Data(paths.joined(separator: "\0").utf8)
        let run = try run(input, ["--null", "--requests", "horizon", "-q"])
        XCTAssertEqual(run.code, 0)
        XCTAssertEqual(run.errors, "")
        XCTAssertEqual(Set(try run.lines.indices.map { try run.object($0)["id"] as? String }), Set(paths))
    }

    /// Sends jobs one after the other, each when the one before is answered.
    ///
    /// - Parameter body: Called with the worker's process number before its input ends.
    private func converse(_ count: Int, _ arguments: [String], _ path: String, body: (Int32) throws -> Void) throws {
        let process = Process()
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("openvision")
        process.arguments = ["worker", "-q"] + arguments
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        for id in 0..<count {
            try input.fileHandleForWriting.write(contentsOf: Data("{\"id\":\(id),\"path\":\"\(path)\"}\n".utf8))
            var line = Data()
            while line.last != UInt8(ascii: "\n") {
                let part = output.fileHandleForReading.availableData
                guard !part.isEmpty else { return XCTFail("no answer") }
                line += part
            }
            XCTAssertTrue(String(decoding: line, as: UTF8.self).contains("\"id\":\(id)"))
        }
        try body(process.processIdentifier)
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0)
    }

    func testAnAnswerDoesNotWaitForTheNextJob() throws {
        let scratch = try Scratch()
        try converse(3, ["--requests", "horizon"], photo("a.png", in: scratch)) { _ in }
    }

    func testAWorkerOfOneThreadComputesOnOneThread() throws {
        let scratch = try Scratch()
        try converse(50, ["--requests", "rectangles", "--threads", "1"], photo("a.png", in: scratch)) { process in
            let tasks = "/proc/\(process)/task"
            let ticks = try FileManager.default.contentsOfDirectory(atPath: tasks).map { task in
                let fields = try String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
                // Behind the name, which may contain spaces: the times in user mode and in the kernel.
                let values = fields[(fields.lastIndex(of: ")") ?? fields.startIndex)...].split(separator: " ")
                return (Int(values[12]) ?? 0) + (Int(values[13]) ?? 0)
            }.sorted(by: >)
            XCTAssertGreaterThan(ticks[0], 0)
            // The thread that reads the jobs does next to nothing.
            XCTAssertLessThanOrEqual(ticks.dropFirst().reduce(0, +), max(2, ticks[0] / 5), "\(ticks)")
        }
    }

    func testLinesThatAreTooLongAreSkipped() throws {
        var data = Data(repeating: UInt8(ascii: "x"), count: 3 << 20)
        data += Data("\n{\"id\": 2, \"path\": \"/nowhere\"}\n".utf8)
        data += Data(repeating: UInt8(ascii: "y"), count: 2 << 20)
        let run = try run(data, ["--requests", "horizon", "--max-line", "1"])
        let errors = try run.lines.indices.map { try run.object($0)["error"] as? String ?? "" }
        XCTAssertEqual(errors.count, 3)
        XCTAssertEqual(errors.count { $0.contains("more than 1 MiB") }, 2)
    }

    func testRecordsAreReadInPartsOfAnySize() throws {
        let pipe = Pipe()
        let records = (0..<200).map { String(repeating: "\($0)", count: $0 * 7 % 900) }
        let all = Data(records.map { $0 + "\n" }.joined().utf8)
        let thread = Thread {
            var rest = all[...]
            var size = 1
            while !rest.isEmpty {
                try? pipe.fileHandleForWriting.write(contentsOf: rest.prefix(size))
                rest = rest.dropFirst(size)
                size = size * 5 % 4093 + 1
            }
            try? pipe.fileHandleForWriting.close()
        }
        thread.start()
        var reader = RecordReader(pipe.fileHandleForReading, separator: UInt8(ascii: "\n"), limit: 1 << 16)
        var found: [String] = []
        while let record = try reader.next() { found.append(String(decoding: record, as: UTF8.self)) }
        XCTAssertEqual(found, records)
    }

    func testWrongCommandLinesAreNamed() throws {
        for arguments in [["--null"], ["--requests", "smell"], ["--threads", "0"], ["--max-line", "0"]] {
            let run = try run(Data(), arguments)
            XCTAssertEqual(run.code, 64, "\(arguments)")
            XCTAssertTrue(run.errors.contains("Error: "), run.errors)
        }
    }
}
