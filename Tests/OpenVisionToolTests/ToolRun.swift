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
        let object = try XCTUnwrap(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        XCTAssertEqual(try XCTUnwrap(JSONSchema.ofTheTool).problems(object), [], "\(lines[line].prefix(300))")
        return object
    }

    /// The results of a line of JSON.
    func results(_ line: Int) throws -> [[String: Any]] {
        try XCTUnwrap(try object(line)["results"] as? [[String: Any]])
    }

    /// The path of the image that a line of JSON is about.
    func path(_ line: Int) throws -> String? { (try object(line)["image"] as? [String: Any])?["path"] as? String }
}

/// Numbers of JSON in a row: x, y, width and height of a box, or x and y of points.
func numbers(_ value: Any?) -> [Double] {
    if let box = value as? [String: Double] { return ["x", "y", "width", "height"].compactMap { box[$0] } }
    return (value as? [[Double]])?.flatMap { $0 } ?? []
}

/// Runs the built tool as its users do.
///
/// - Parameters:
///   - environment: variables that differ from those of the tests.
///   - input: a file for the standard input; nil to inherit that of the tests.
func openvision(
    _ arguments: [String], environment: [String: String] = [:], input: String? = nil
) throws -> ToolRun {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appendingPathComponent("openvision")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let input { process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input)) }
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
