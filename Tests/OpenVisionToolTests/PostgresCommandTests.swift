import Foundation
import ModelTestSupport
import Vision
import VisionPhotos
import VisionVideo
import XCTest

@testable import openvision

/// `openvision index` and `search` with a database of PostgreSQL, run as their users do.
final class PostgresCommandTests: XCTestCase {
    private nonisolated(unsafe) static var server: PostgresServer?

    override static func tearDown() { server = nil }

    private func database(_ name: String) throws -> String {
        _ = try requireModel { try PhotoPrinter(revision: nil) }
        if Self.server == nil { Self.server = try PostgresServer() }
        return try XCTUnwrap(Self.server).makeDatabase(name)
    }

    private func hasPassword(_ run: ToolRun) -> Bool {
        ["pa:ss", "pa%3A", "w/rd", "w%2Frd"].contains { run.output.contains($0) || run.errors.contains($0) }
    }

    func testSearchesFindWhatTheyFindInAFile() throws {
        let (address, scratch) = (try database("same"), try Scratch())
        let (folder, file) = (scratch.path("photos"), scratch.path("photos.db"))
        for seed in 1...30 { try DrawnPhotos.write(UInt64(seed), "photos/sub\(seed % 3)/\(seed).jpg", in: scratch) }
        var summaries: [[String: Any]] = []
        for database in [file, address] {
            let run = try openvision(["index", folder, "--db", database, "--json"])
            XCTAssertEqual(run.code, 0, run.errors)
            XCTAssertFalse(hasPassword(run), run.output + run.errors)
            summaries.append(try run.object(0))
        }
        for key in ["photos", "new", "skipped", "unchanged", "revision"] {
            XCTAssertEqual(summaries[0][key] as? Int, summaries[1][key] as? Int, key)
        }
        XCTAssertEqual(summaries[1]["photos"] as? Int, 30)
        for options in [["--exact"], [], ["--top", "7"]] {
            let runs = try [file, address].map {
                try openvision(
                    ["search", folder + "/sub1/4.jpg", "--db", $0, "--json", "--max-distance", "2"] + options)
            }
            XCTAssertEqual(runs.map(\.code), [0, 0], runs[1].errors)
            XCTAssertEqual(runs[0].output, runs[1].output, "\(options)")
            XCTAssertEqual(runs[1].lines.count, options.contains("7") ? 7 : 20)
        }
    }

    func testErrorsAreSentencesWithoutThePassword() throws {
        let (address, scratch) = (try database("errors"), try Scratch())
        let photo = try DrawnPhotos.write(1, "photos/1.jpg", in: scratch)
        for (arguments, part) in [
            (["search", photo, "--db", address], "contains no index"),
            (["index", scratch.path("photos"), "--db", address.replacing("%3A", with: "%3B")], "refuses"),
            (["search", photo, "--db", "postgresql://tester:pa%3Ass%40w%2Frd@127.0.0.1:1/x"], "cannot be reached"),
            (["index", scratch.path("photos"), "--db", "postgresql://tester:pa:ss@w/rd@127.0.0.1:1/x"], "not valid"),
        ] {
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 1, run.errors)
            XCTAssertEqual(run.output, "")
            XCTAssertTrue(run.errors.contains(part), run.errors)
            XCTAssertFalse(hasPassword(run), run.errors)
        }
    }

    func testTheApproximateIndexOfAFileIsNotForAServer() throws {
        let scratch = try Scratch()
        for scheme in ["postgresql", "postgres"] {
            let run = try openvision(
                ["index", scratch.path("."), "--db", "\(scheme)://127.0.0.1:1/photos", "--approximate"])
            XCTAssertEqual(run.code, 64)
            XCTAssertTrue(run.errors.contains("--approximate is for a database in a file"), run.errors)
        }
    }

    func testTwoIndexersFinishWhatAKilledOneBegan() throws {
        let (address, scratch) = (try database("killed"), try Scratch())
        let (folder, file, count) = (scratch.path("photos"), scratch.path("photos.db"), 600)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for seed in 0..<count {
            try ImageFile.write(
                try DrawnPhotos.make(seed: UInt64(seed), width: 48, height: 40), to: folder + "/\(seed).png")
        }
        func start() throws -> (process: Process, output: Pipe) {
            let (process, output) = (Process(), Pipe())
            process.executableURL = Bundle.main.bundleURL.appendingPathComponent("openvision")
            process.arguments = ["index", folder, "--db", address, "--threads", "1", "--quiet", "--json"]
            process.standardOutput = output
            try process.run()
            return (process, output)
        }
        let server = try XCTUnwrap(Self.server)
        // No table yet is none stored.
        func stored() throws -> Int {
            Int(try server.sql("SELECT count(*) FROM openvision_photos", in: "killed", quietly: true)) ?? 0
        }
        let first = try start()
        while first.process.isRunning, try stored() == 0 { usleep(20_000) }
        let second = try start()
        let before = try stored()
        while first.process.isRunning, try stored() == before { usleep(20_000) }
        XCTAssertTrue(first.process.isRunning, "killed while it runs")
        kill(first.process.processIdentifier, SIGKILL)
        first.process.waitUntilExit()
        let third = try start()
        var new = 0
        for run in [second, third] {
            let output = run.output.fileHandleForReading.readDataToEndOfFile()
            run.process.waitUntilExit()
            XCTAssertEqual(run.process.terminationStatus, 0)
            let summary = try XCTUnwrap(try JSONSerialization.jsonObject(with: output) as? [String: Any])
            XCTAssertEqual(summary["photos"] as? Int, count, "nothing is missing when it ends")
            XCTAssertGreaterThan(summary["new"] as? Int ?? 0, 0)
            new += summary["new"] as? Int ?? 0
        }
        XCTAssertLessThanOrEqual(new, count - before, "what the killed one stored is not read again")
        XCTAssertEqual(try server.sql("SELECT count(*) FROM openvision_work", in: "killed"), "0")
        // The same prints as in a file.
        XCTAssertEqual(try openvision(["index", folder, "--db", file]).code, 0)
        for query in [0, 299, 599] {
            let outputs = try [file, address].map {
                try openvision(["search", folder + "/\(query).png", "--db", $0, "--exact", "--top", "50", "--json"])
                    .output
            }
            XCTAssertEqual(outputs[0], outputs[1])
        }
    }
}
