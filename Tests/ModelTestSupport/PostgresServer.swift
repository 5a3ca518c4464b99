import Foundation
import XCTest

/// A server of PostgreSQL with pgvector on this machine, which ends with the test: nobody else can reach it.
///
/// OPENVISION_POSTGRES is the folder of an installation (`Scripts/check-database.sh` sets it).
package final class PostgresServer {
    package static let user = "tester"
    /// With letters that an address has to percent-encode.
    package static let password = "pa:ss@w/rd"
    private static let encodedPassword = "pa%3Ass%40w%2Frd"

    private let installation: String
    private let folder: String
    private let process = Process()
    /// The server ends when this is closed, or when the process of the tests ends.
    private let input = Pipe()

    /// Starts a server, or skips the test where none is installed.
    ///
    /// With OPENVISION_REQUIRE_POSTGRES a server that is missing is a failure; so is one that does not start.
    package init() throws {
        let environment = ProcessInfo.processInfo.environment
        guard let installation = environment["OPENVISION_POSTGRES"] else {
            struct Missing: Error {}
            guard environment["OPENVISION_REQUIRE_POSTGRES"] == nil else { throw Missing() }
            throw XCTSkip("there is no PostgreSQL: see Scripts/check-database.sh")
        }
        self.installation = installation
        // The paths of sockets are short.
        var template = Array("/tmp/openvision-XXXXXX\0".utf8CString)
        folder = String(cString: try XCTUnwrap(mkdtemp(&template)))
        try Data(Self.password.utf8).write(to: URL(fileURLWithPath: folder + "/password"))
        // The server refuses to run as root.
        var prefix = ""
        if geteuid() == 0, let nobody = getpwnam("nobody") {
            for path in [folder, folder + "/password"] { chown(path, nobody.pointee.pw_uid, nobody.pointee.pw_gid) }
            prefix = "setpriv --reuid=nobody --regid=\(nobody.pointee.pw_gid) --clear-groups "
        }
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c",
            """
            \(prefix)"$1/bin/initdb" -D "$2/data" -U \(Self.user) --auth=scram-sha-256 --pwfile="$2/password" \
              -E UTF8 --locale=C --no-sync --no-instructions >"$2/log" 2>&1 || exit 1
            \(prefix)"$1/bin/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c fsync=off \
              -c max_connections=20 >>"$2/log" 2>&1 &
            cat >/dev/null
            kill -QUIT $!
            wait $!
            rm -rf "$2"
            """, "sh", installation, folder,
        ]
        process.standardInput = input
        try process.run()
        for _ in 0..<600 where process.isRunning {
            if try sql("SELECT 1", quietly: true) == "1" { return }
            usleep(50_000)
        }
        let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
        throw Failure(description: "the server does not start: \(log)")
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        // Still there when initdb failed or nothing was started at all.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The address of a database.
    package func address(_ database: String, password: String? = encodedPassword, user: String = user) -> String {
        "postgresql://\(user)\(password.map { ":" + $0 } ?? "")@/\(database)?host=\(folder)"
    }

    /// Makes an empty database.
    ///
    /// - Returns: Its address.
    package func makeDatabase(_ name: String) throws -> String {
        try sql("CREATE DATABASE \(name)")
        return address(name)
    }

    /// Runs SQL as another program would.
    ///
    /// - Returns: The first rows, without columns' names.
    @discardableResult
    package func sql(_ text: String, in database: String = "postgres", quietly: Bool = false) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: installation + "/bin/psql")
        process.arguments = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", address(database), "-c", text]
        let output = Pipe()
        process.standardOutput = output
        if quietly { process.standardError = FileHandle.nullDevice }
        try process.run()
        let found = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        if !quietly { XCTAssertEqual(process.terminationStatus, 0, text) }
        return String(decoding: found, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
