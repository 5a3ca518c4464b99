import Foundation
import XCTest

/// What a run of the tool printed and ended with.
struct ToolRun {
    var code: Int32
    var output: String
    var errors: String

    var lines: [Substring] { output.split(separator: "\n") }

    func object(_ line: Int) throws -> [String: Any] {
        let data = Data(try XCTUnwrap(lines.indices.contains(line) ? lines[line] : nil).utf8)
        return try XCTUnwrap(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }
}

/// Runs the built tool as its users do.
///
/// - Parameter environment: variables that differ from those of the tests.
func openvision(_ arguments: [String], environment: [String: String] = [:]) throws -> ToolRun {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("openvision")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // What goes to standard error is little enough for its pipe to hold meanwhile.
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return ToolRun(
        code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
        errors: String(decoding: complaints, as: UTF8.self))
}
