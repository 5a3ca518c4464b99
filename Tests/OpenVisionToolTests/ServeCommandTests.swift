import Foundation
import ModelTestSupport
import XCTest

/// `openvision serve` becomes the program openvision-serve that lies beside it. The program of these tests says how it
/// was called; the real one has tests in the package of the service.
final class ServeCommandTests: XCTestCase {
    /// The tool under another name, in a folder of its own.
    private func tool(in scratch: Scratch) throws -> URL {
        let (own, copy) = (
            Bundle.main.bundleURL.appendingPathComponent("openvision"), scratch.url.appendingPathComponent("openvision")
        )
        // A link where both are in one file system: the tool is large.
        if link(own.path, copy.path) != 0 { try FileManager.default.copyItem(at: own, to: copy) }
        return copy
    }

    private func server(_ script: String, in scratch: Scratch) throws {
        let path = try scratch.write(Data("#!/bin/sh\n\(script)\n".utf8), "openvision-serve")
        XCTAssertEqual(chmod(path, 0o755), 0)
    }

    private func start(_ tool: URL, _ arguments: [String]) throws -> (process: Process, output: Pipe, errors: Pipe) {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = tool
        process.arguments = ["serve"] + arguments
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return (process, output, errors)
    }

    private func text(_ pipe: Pipe) -> String {
        String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    func testTheServerGetsAllArgumentsAndItsExitCodeIsThatOfTheTool() throws {
        let scratch = try Scratch()
        let tool = try tool(in: scratch)
        try server(#"echo $$; printf '%s\n' "$@"; exit 7"#, in: scratch)
        let arguments = ["--port", "9000", "--help", "--warm", "classify,faces", "", "two words", "--", "-x"]
        let run = try start(tool, arguments)
        let lines = text(run.output).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        run.process.waitUntilExit()
        XCTAssertEqual(lines.first, "\(run.process.processIdentifier)", "in place of the tool")
        XCTAssertEqual(Array(lines.dropFirst().dropLast()), arguments)
        XCTAssertEqual(run.process.terminationStatus, 7)
    }

    func testSignalsReachTheServer() throws {
        let scratch = try Scratch()
        let tool = try tool(in: scratch)
        try server("trap 'echo ended; exit 0' TERM; echo listening; while :; do sleep 0.05; done", in: scratch)
        let run = try start(tool, [])
        XCTAssertEqual(run.output.fileHandleForReading.availableData, Data("listening\n".utf8))
        kill(run.process.processIdentifier, SIGTERM)
        XCTAssertEqual(text(run.output), "ended\n")
        run.process.waitUntilExit()
        XCTAssertEqual(run.process.terminationStatus, 0)
    }

    func testAServerThatIsMissingOrCannotBeRunIsASentence() throws {
        let scratch = try Scratch()
        let tool = try tool(in: scratch)
        for isThere in [false, true] {
            if isThere { try scratch.write(Data("text".utf8), "openvision-serve") }
            let run = try start(tool, [])
            let errors = text(run.errors)
            run.process.waitUntilExit()
            XCTAssertEqual(run.process.terminationStatus, 1)
            XCTAssertTrue(errors.contains("make service"), errors)
            XCTAssertTrue(errors.contains(scratch.path("openvision-serve")), errors)
        }
    }
}
