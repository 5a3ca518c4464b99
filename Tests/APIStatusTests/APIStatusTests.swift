import Foundation
import XCTest

/// Documentation/APIStatus.md names every public symbol and is up to date.
final class APIStatusTests: XCTestCase {
    private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    func testTheFileIsUpToDate() throws {
        let result = try runScript(root: root)
        XCTAssertEqual(result.status, 0, "Run `make api-status`.\n\(result.output)")
    }

    /// Looks for declarations at the left margin with a reader of its own, so that a symbol that the script overlooks
    /// is noticed.
    func testEveryPublicTopLevelDeclarationIsInTheFile() throws {
        let status = try String(
            contentsOf: root.appendingPathComponent("Documentation/APIStatus.md"), encoding: .utf8)
        let declaration = try NSRegularExpression(
            pattern: "^(?:@[A-Za-z]+ )*(?:public|open) (?:final |indirect )*"
                + "(?:class|struct|enum|protocol|actor|typealias|func|let|var) ([A-Za-z_][A-Za-z0-9_]*)",
            options: .anchorsMatchLines)
        var names: [String] = []
        for module in try productModules() {
            for file in try swiftFiles(in: folder(of: module)) {
                // What is declared only for the compiler to say that it is absent is no part of the package.
                let source = try String(contentsOf: file, encoding: .utf8)
                    .replacing(/@available\(\*, unavailable[^\n]*\n[^\n]*/, with: "")
                let range = NSRange(source.startIndex..., in: source)
                for match in declaration.matches(in: source, range: range) {
                    names.append(String(source[try XCTUnwrap(Range(match.range(at: 1), in: source))]))
                }
            }
        }
        XCTAssertGreaterThan(names.count, 50, "The reader of this test found too little to be right.")
        for name in names where !status.contains("`\(name)`") && !status.contains("`\(name)(") {
            XCTFail("\(name) is public and not in Documentation/APIStatus.md: run `make api-status`.")
        }
    }

    func testANewPublicSymbolMakesTheCheckFailAndIsNamed() throws {
        let package = try Package(source: "public class VNRequest {}")
        defer { package.remove() }
        XCTAssertEqual(try runScript(root: package.root).status, 1, "There is no file yet.")
        XCTAssertEqual(try runScript(root: package.root, write: true).status, 0)
        XCTAssertEqual(try runScript(root: package.root).status, 0)

        try package.write(
            "extension VNRequest {\n    public func surprise(at place: Int) {}\n}", to: "Sources/Vision/B.swift")
        let result = try runScript(root: package.root)
        XCTAssertEqual(result.status, 1)
        XCTAssertTrue(result.output.contains("VNRequest.surprise(at:)"), result.output)
    }

    func testOnlyPublicSymbolsOfProductsAreListed() throws {
        let package = try Package(
            source: """
                package struct Inner {
                    public var hidden = 0
                }
                public struct Outer {
                    var secret: Int { 1 }
                    public private(set) var shown = "} public var fooled = 1 {"
                    // public var commented = 1
                    public var computed: Int {
                        let local = 1
                        return local
                    }
                }
                """)
        defer { package.remove() }
        try package.write("public struct Elsewhere {}", to: "Sources/Below/Below.swift")
        let status = try package.status(using: self)
        for name in ["Outer", "Outer.shown", "Outer.computed"] {
            XCTAssertTrue(status.contains("`\(name)`"), "\(name) is missing in\n\(status)")
        }
        for name in ["Inner", "hidden", "secret", "local", "fooled", "commented", "Elsewhere"] {
            XCTAssertFalse(status.contains(name), "\(name) should not be in\n\(status)")
        }
    }

    func testStatusesFollowTheListAndTheDocComments() throws {
        let package = try Package(
            names: """
                [Things]
                Here
                Here.method(_:with:)
                Here.method(_:)
                Here.method(_:other:)
                Here.inherited
                Here.init(source:options:)
                Half
                Stub
                Gone  since=13
                Gone.member
                overloaded(_: Int)
                overloaded(_: String)
                """,
            source: """
                public class Base { public var inherited = 1 }
                public final class Here: Base {
                    public func method(_ a: Int, with b: [Int: String] = [:]) {}
                    public init?(source: Int, options: [String: Any] = ["a,b": (1, 2)]) { return nil }
                }
                /// Half.
                ///
                /// Partly implemented: the second
                /// half is missing.
                public struct Half {}
                /// Not implemented: using it throws.
                public struct Stub {}
                public func overloaded(_ value: Int) {}
                """)
        defer { package.remove() }
        let status = try package.status(using: self)
        for row in [
            "| `Here` | done | `method(_:with:)`, `method(_:)`, `inherited`, `init(source:options:)` |",
            "| `Here` | absent | `method(_:other:)` |",
            "| `Half` | partly | the second half is missing. |",
            "| `Stub` | throws notImplemented | using it throws. |",
            "| `Gone` (13) | absent | `member` |",
            "| `overloaded(_: Int)` | done |  |",
            "| `overloaded(_: String)` | absent |  |",
        ] {
            XCTAssertTrue(status.contains(row), "There is no row \(row) in\n\(status)")
        }
        XCTAssertTrue(status.contains("| `Base` |"), "A type that is not Apple's is missing in\n\(status)")
        XCTAssertFalse(status.contains("`Base.inherited`"), "Apple's name is listed as one of ours in\n\(status)")
    }

    // MARK: - Helpers

    /// A small package in a temporary folder.
    private struct Package {
        let root: URL

        init(names: String = "[All]\nVNRequest", source: String) throws {
            root = FileManager.default.temporaryDirectory.appendingPathComponent("api-status-\(UUID().uuidString)")
            try write(
                """
                let package = Package(name: "P", products: [.library(name: "Vision", targets: ["Vision"])])
                """, to: "Package.swift")
            try write(names, to: "Documentation/AppleAPI.txt")
            try write("## Decided questions\n", to: "Documentation/APIDecisions.md")
            try write(source, to: "Sources/Vision/A.swift")
        }

        func write(_ text: String, to path: String) throws {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: true, encoding: .utf8)
        }

        func status(using test: APIStatusTests) throws -> String {
            let result = try test.runScript(root: root, write: true)
            XCTAssertEqual(result.status, 0, result.output)
            return try String(contentsOf: root.appendingPathComponent("Documentation/APIStatus.md"), encoding: .utf8)
        }

        func remove() { try? FileManager.default.removeItem(at: root) }
    }

    private struct PythonMissing: Error, CustomStringConvertible {
        let description = "python3 is not on the path; the check of the public symbols needs it: run `make setup`."
    }

    private func runScript(root folder: URL, write: Bool = false) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["python3", root.appendingPathComponent("Scripts/api-status.py").path, "--root", folder.path]
            + (write ? ["--write"] : [])
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // What `env` says of a command that does not exist.
        if process.terminationStatus == 127 { throw PythonMissing() }
        return (process.terminationStatus, output)
    }

    private func productModules() throws -> [String] {
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let product = try NSRegularExpression(pattern: #"\.library\(name: "(\w+)", targets: \["\1"\]\)"#)
        let range = NSRange(manifest.startIndex..., in: manifest)
        let names = try product.matches(in: manifest, range: range).map {
            String(manifest[try XCTUnwrap(Range($0.range(at: 1), in: manifest))])
        }
        XCTAssertTrue(names.contains("Vision"), "Package.swift is not written as this test reads it.")
        return names
    }

    /// Modules with the names of Apple's frameworks lie in a folder of their own.
    private func folder(of module: String) -> URL {
        let folders = ["Sources", "Sources/AppleFrameworks"].map {
            root.appendingPathComponent("\($0)/\(module)", isDirectory: true)
        }
        return folders.first { FileManager.default.fileExists(atPath: $0.path) } ?? folders[0]
    }

    private func swiftFiles(in folder: URL) throws -> [URL] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { $0.hasSuffix(".swift") }.map { folder.appendingPathComponent($0) }
    }
}
