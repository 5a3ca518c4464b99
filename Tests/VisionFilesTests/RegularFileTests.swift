import Foundation
import XCTest

@testable import VisionFiles

final class RegularFileTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    private func error(_ url: URL) -> RegularFileError? {
        do {
            _ = try RegularFile(url)
            return nil
        } catch {
            return error
        }
    }

    func testAFileIsReadWholeAndThroughLinks() throws {
        let file = folder.appendingPathComponent("a file")
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 3) })
        try bytes.write(to: file)
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        XCTAssertEqual(try RegularFile(file).contents(), bytes)
        XCTAssertEqual(try RegularFile(link).contents(limit: bytes.count), bytes)
        XCTAssertEqual(try RegularFile(link).identity, try RegularFile(file).identity)
        XCTAssertThrowsError(try RegularFile(file).contents(limit: bytes.count - 1)) {
            XCTAssertEqual(($0 as? RegularFileError)?.kind, .tooLarge)
        }
    }

    func testAFileThatIsTruncatedDuringReadingGivesTheRemainingBytes() throws {
        let path = folder.appendingPathComponent("a").path
        try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: path))
        let file = try RegularFile(path: path)
        XCTAssertEqual(truncate(path, 1200), 0)
        XCTAssertEqual(try file.contents(), Data(repeating: 7, count: 1200))
    }

    func testFilesThatAreNotRegularThrowWithTheirKind() throws {
        let pipe = folder.appendingPathComponent("pipe")
        XCTAssertEqual(mkfifo(pipe.path, 0o600), 0)
        // Also through a link.
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: pipe)
        let socket = folder.appendingPathComponent("socket")
        let descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.path.utf8.prefix($0.count - 1)) }
        let bound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        XCTAssertEqual(bound, 0)
        for (url, kind) in [
            (pipe, "a named pipe"), (link, "a named pipe"), (folder, "a folder"), (socket, "a socket"),
            (URL(fileURLWithPath: "/dev/null"), "a device"),
        ] {
            let error = error(url)
            XCTAssertEqual(error?.kind, .notRegular, url.path)
            XCTAssertEqual(error?.description, "\(url.path) is not a regular file but \(kind)")
        }
    }

    func testMissingFilesAndLoopsOfLinksHaveDifferentErrors() throws {
        XCTAssertEqual(error(folder.appendingPathComponent("none"))?.kind, .missing)
        let loop = folder.appendingPathComponent("loop")
        try FileManager.default.createSymbolicLink(atPath: loop.path, withDestinationPath: "loop")
        XCTAssertEqual(error(loop)?.kind, .system)
        XCTAssertEqual(error(URL(string: "https://example.org/a")!)?.kind, .system)
    }

    func testAChangeOfContentsChangesTheIdentity() throws {
        let file = folder.appendingPathComponent("a")
        try Data([1, 2, 3]).write(to: file)
        let before = try RegularFile(file).identity
        XCTAssertEqual(try RegularFile(file).identity, before)
        // The clocks of file systems are coarse.
        usleep(50_000)
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data([9]))
        try handle.close()
        // The modification time can be set back, that of the inode cannot.
        var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        XCTAssertEqual(utimensat(AT_FDCWD, file.path, &times, 0), 0)
        let after = try RegularFile(file).identity
        XCTAssertEqual(after.modified, 1_000_000_000)
        XCTAssertEqual(after.size, before.size)
        XCTAssertNotEqual(after.changed, before.changed)
    }
}
