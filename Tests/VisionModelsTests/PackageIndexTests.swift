import ModelTestSupport
import VisionFiles
import VisionThreads
import XCTest

@testable import VisionModels

/// Downloads from a package index on this machine.
final class PackageIndexTests: XCTestCase {
    private let folder = Result { try TemporaryFolder() }
    private var url: URL { get throws { try folder.get().url } }
    private let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

    private func wheel(size: Int? = nil) throws -> Wheel {
        Wheel(
            project: "Some_Project", version: "1", fileName: "some_project-1-py3-none-any.whl",
            sha256: try ContentDigest(of: bytes).hexadecimal, size: size ?? bytes.count, licenceMember: "",
            pipArguments: [])
    }

    private static let page = Array(
        """
        <a href="other-1-py3-none-any.whl">other</a>
        <a data-size='3' HREF = '../../files/some_project-1-py3-none-any.whl?a=1&amp;b=2#sha256=00'>this</a>
        """.utf8)

    private func serving(_ file: @escaping @Sendable (Int) -> LocalServer.Answer) throws -> LocalServer {
        let server = try LocalServer { path, earlier in
            switch path {
            case "/simple/some-project/": LocalServer.Answer(body: Self.page)
            case "/files/some_project-1-py3-none-any.whl?a=1&b=2": file(earlier)
            default: LocalServer.Answer(status: 404)
            }
        }
        addTeardownBlock { server.stop() }
        return server
    }

    private func index(_ server: LocalServer) throws -> PackageIndex {
        let pause = Duration.milliseconds(1)
        return try PackageIndex(server.url.appendingPathComponent("simple/"), pauses: [pause, pause])
    }

    private func download(
        from server: LocalServer, _ wheel: Wheel? = nil, isCancelled: () -> Bool = { false },
        progress: (Int) -> Void
    ) throws {
        try index(server).download(
            try wheel ?? self.wheel(), to: url, isCancelled: isCancelled, progress: progress)
    }

    private var stored: [UInt8]? {
        (try? Data(contentsOf: url.appendingPathComponent("some_project-1-py3-none-any.whl"))).map(Array.init)
    }

    func testAFileIsFoundInThePageOfItsProject() throws {
        let server = try serving { [bytes] _ in .init(body: bytes) }
        var counts: [Int] = []
        try download(from: server) { counts.append($0) }
        XCTAssertEqual(stored, bytes)
        XCTAssertEqual(counts.first, 0)
        XCTAssertEqual(counts.last, bytes.count)
        XCTAssertEqual(counts, counts.sorted())
        XCTAssertEqual(server.requests.count, 2)
    }

    func testRedirectsAreFollowed() throws {
        let server = try LocalServer { [bytes] path, _ in
            switch path {
            case "/simple/some-project/": .init(status: 302, headers: ["Location: /mirror/some-project/"])
            // Links are relative to where the page is.
            case "/mirror/some-project/": .init(body: Array("<a href='some_project-1-py3-none-any.whl'>".utf8))
            case "/mirror/some-project/some_project-1-py3-none-any.whl":
                .init(status: 301, headers: ["Location: /blobs/1"])
            case "/blobs/1": .init(body: bytes)
            default: .init(status: 404)
            }
        }
        defer { server.stop() }
        try download(from: server) { _ in }
        XCTAssertEqual(stored, bytes)
    }

    func testFaultsOfTheServerAreTriedAgainAndMissingFilesAreNot() throws {
        let flaky = try serving { [bytes] in $0 < 2 ? .init(status: 503) : .init(body: bytes) }
        try download(from: flaky) { _ in }
        XCTAssertEqual(stored, bytes)
        XCTAssertEqual(flaky.requests.count, 4)

        let broken = try serving { _ in .init(status: 500) }
        assertFails(broken, "500")
        XCTAssertEqual(broken.requests.count, 4, "the page, and the file three times")

        let missing = try serving { _ in .init(status: 404) }
        assertFails(missing, "404")
        XCTAssertEqual(missing.requests.count, 2)
    }

    func testAFileThatIsNotInThePageIsNamed() throws {
        let server = try LocalServer { _, _ in .init(body: Array("<a href='other.whl'>".utf8)) }
        defer { server.stop() }
        assertFails(server, "some_project-1-py3-none-any.whl")
    }

    func testMoreBytesThanTheFileHasEndTheTransfer() throws {
        let server = try serving { [bytes] _ in .init(body: bytes) }
        XCTAssertThrowsError(try download(from: server, try wheel(size: bytes.count - 1)) { _ in }) {
            guard case ModelStoreError.download(_, let reason) = $0 else { return XCTFail("\($0)") }
            XCTAssertTrue(reason.contains("more than was expected"), reason)
        }
        XCTAssertNil(stored)
    }

    func testAStalledTransferIsCancelled() throws {
        let server = try serving { [bytes] _ in .init(body: bytes, isStalled: true) }
        var isComplete = false
        XCTAssertThrowsError(
            try download(
                from: server, isCancelled: { isComplete }, progress: { [bytes] in isComplete = $0 == bytes.count })
        ) { XCTAssertEqual($0 as? ModelStoreError, .cancelled) }
        XCTAssertNil(stored)
    }

    func testOnlyHTTPIsSpoken() throws {
        for text in ["file:///etc/", "ftp://127.0.0.1/", "simple", "https:///"] {
            XCTAssertThrowsError(try PackageIndex(XCTUnwrap(URL(string: text)))) {
                guard case ModelStoreError.invalidIndex = $0 else { return XCTFail("\($0)") }
            }
        }
        let secret = try url.appendingPathComponent("some_project-1-py3-none-any.whl")
        try Data(bytes).write(to: secret)
        let server = try serving { _ in .init(status: 302, headers: ["Location: file://\(secret.path)"]) }
        XCTAssertThrowsError(try download(from: server) { _ in }) {
            guard case ModelStoreError.download = $0 else { return XCTFail("\($0)") }
        }
        // An index of https is never left for http.
        XCTAssertThrowsError(
            try Download(url: server.url, allowsHTTP: false, limit: 10).run(isCancelled: { false }) { _ in }
        ) { XCTAssertEqual(($0 as? DownloadError)?.kind, .permanent) }
        XCTAssertEqual(server.requests.count, 2)
    }

    func testErrorsHoldNoCredentials() throws {
        let server = try serving { _ in .init(status: 404) }
        let url = try XCTUnwrap(URL(string: "http://me:hunter2@127.0.0.1:\(try XCTUnwrap(server.url.port))/simple/"))
        XCTAssertThrowsError(
            try PackageIndex(url, pauses: []).download(
                try wheel(), to: self.url, isCancelled: { false }, progress: { _ in })
        ) { XCTAssertFalse("\($0)".contains("hunter2"), "\($0)") }
    }

    func testDamagedPagesHaveNoLink() throws {
        let base = try XCTUnwrap(URL(string: "https://example.org/simple/a/"))
        let name = "a.whl"
        for text in ["", "href", "href=", "href='a.whl", "hre", "href=a.whl", "href='javascript:a.whl'", "href='%%%'"] {
            XCTAssertNil(PackageLinks(page: Array(text.utf8), base: base).url(of: name), text)
        }
        XCTAssertEqual(
            PackageLinks(page: Array("href href='b' xhref=\"a.whl#x\"".utf8), base: base).url(of: name)?.absoluteString,
            "https://example.org/simple/a/a.whl")
        for end in Self.page.indices {
            let links = PackageLinks(page: Array(Self.page[..<end]), base: base)
            let url = links.url(of: "some_project-1-py3-none-any.whl")
            XCTAssertEqual(url != nil, end > Self.page.count - 10, "\(end)")
        }
    }

    private func assertFails(_ server: LocalServer, _ text: String, line: UInt = #line) {
        XCTAssertThrowsError(try download(from: server) { _ in }, line: line) {
            guard case ModelStoreError.download = $0 else { return XCTFail("\($0)", line: line) }
            XCTAssertTrue("\($0)".contains(text), "\($0)", line: line)
        }
    }
}
