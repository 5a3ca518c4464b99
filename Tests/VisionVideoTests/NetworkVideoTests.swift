import ModelTestSupport
import VisionVideo
import XCTest

/// Videos over HTTP and RTSP, from servers of the test on this machine.
final class NetworkVideoTests: XCTestCase {
    func testAVideoOverHTTP() async throws {
        let scratch = try Scratch()
        for name in ["video.mkv", "video.mp4"] {
            let bytes = try MovingSquare.write(to: scratch.path(name), frames: 25).bytes
            let server = try LocalServer { path, _ in
                path == "/" + name ? .init(body: bytes, acceptsRanges: true) : .init(status: 404)
            }
            defer { server.stop() }
            let reader = try await VideoReader(.network(server.url.appendingPathComponent(name)))
            XCTAssertEqual(reader.format.width, 192)
            let (frames, error) = await drain(reader)
            XCTAssertNil(error, name)
            XCTAssertEqual(frames.count, 25, name)
            let missing = await openingError(.network(server.url.appendingPathComponent("missing")))
            XCTAssertEqual(missing?.kind, .io)
            XCTAssertTrue(missing?.reason.contains("404") == true, "\(missing as Any)")
        }
    }

    func testAStreamOfJPEGImages() async throws {
        let image = try jpeg()
        var body: [UInt8] = []
        for _ in 0..<8 {
            body += Array("--frame\r\nContent-Type: image/jpeg\r\nContent-Length: \(image.count)\r\n\r\n".utf8)
            body += image + Array("\r\n".utf8)
        }
        let server = try LocalServer { [body] _, _ in
            .init(headers: ["Content-Type: multipart/x-mixed-replace; boundary=frame"], body: body)
        }
        defer { server.stop() }
        let reader = try await VideoReader(.network(server.url))
        let (frames, error) = await drain(reader)
        XCTAssertNil(error)
        XCTAssertGreaterThanOrEqual(frames.count, 7)
        XCTAssertEqual(reader.format.codec, "mjpeg")
    }

    private func jpeg() throws -> [UInt8] {
        let buffer = try MovingSquare.frame(0)
        let extent = CGRect(x: 0, y: 0, width: 192, height: 144)
        let image = try XCTUnwrap(CIContext().createCGImage(CIImage(cvPixelBuffer: buffer), from: extent))
        let scratch = try Scratch()
        let url = scratch.url.appendingPathComponent("a.jpg")
        let file = try XCTUnwrap(CGImageDestinationCreateWithURL(url, "public.jpeg", 1, nil))
        CGImageDestinationAddImage(file, image, nil)
        XCTAssertTrue(CGImageDestinationFinalize(file))
        return Array(try Data(contentsOf: url))
    }

    func testServersThatSendNothingTimeOut() async throws {
        let scratch = try Scratch()
        let bytes = try MovingSquare.write(to: scratch.path("video.mkv"), frames: 100).bytes
        let server = try LocalServer { path, _ in
            .init(body: path == "/silent" ? [] : Array(bytes[..<(bytes.count / 2)]), isStalled: true)
        }
        defer { server.stop() }
        let silent = await openingError(.network(server.url.appendingPathComponent("silent")), timeout: .seconds(1))
        XCTAssertEqual(silent?.kind, .timeout)
        var options = VideoReader.Options()
        options.timeout = .seconds(2)
        let reader = try await VideoReader(.network(server.url.appendingPathComponent("half")), options: options)
        let (_, error) = await drain(reader)
        XCTAssertEqual((error as? VideoError)?.kind, .timeout)
    }

    func testOddTimeoutsAreLimits() async throws {
        let server = try LocalServer { _, _ in .init(isStalled: true) }
        defer { server.stop() }
        for timeout in [Duration.zero, .seconds(-5)] {
            let error = await openingError(.network(server.url), timeout: timeout)
            XCTAssertEqual(error?.kind, .timeout, "\(timeout)")
        }
        let missing = VideoSource.file(URL(fileURLWithPath: "/nonexistent/video.mp4"))
        let error = await openingError(missing, timeout: .seconds(Int64.max))
        XCTAssertEqual(error?.kind, .io)
    }

    func testSourcesDoNotShowPasswords() throws {
        for text in ["rtsp://user:secret@camera/1", "https://user:secret@host/video.mp4"] {
            let url = try XCTUnwrap(URL(string: text))
            for source in [VideoSource.network(url), .file(url)] {
                XCTAssertFalse(source.description.contains("secret"), source.description)
                XCTAssertTrue(source.description.contains("user"), source.description)
            }
        }
        // FFmpeg 5 would not check its certificate.
        XCTAssertFalse(VideoSource.isStream(argument: "rtsps://camera/1"))
    }

    func testACancelledTaskDoesNotWaitForTheServer() async throws {
        let server = try LocalServer { _, _ in .init(isStalled: true) }
        defer { server.stop() }
        var options = VideoReader.Options()
        options.timeout = nil
        let task = Task { [options] in _ = try await VideoReader(.network(server.url), options: options) }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
    }

    func testAnswersThatAreNoVideosAreRefused() async throws {
        let scratch = try Scratch()
        let local = scratch.path("video.mkv")
        let bytes = try MovingSquare.write(to: local, frames: 5).bytes
        let playlist = Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nvideo.mkv\n#EXT-X-ENDLIST\n".utf8)
        let server = try LocalServer { path, _ in
            switch path {
            case "/list.m3u8": .init(headers: ["Content-Type: application/vnd.apple.mpegurl"], body: playlist)
            case "/parts": .init(body: Array("ffconcat version 1.0\nfile \(local)\n".utf8))
            case "/file": .init(status: 302, headers: ["Location: file://\(local)"])
            case "/moved": .init(status: 302, headers: ["Location: /video.mkv"])
            case "/loop": .init(status: 302, headers: ["Location: /loop"])
            case "/noise": .init(body: (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
            case "/empty": .init()
            default: .init(body: bytes)
            }
        }
        defer { server.stop() }
        for path in ["list.m3u8", "parts", "file", "loop", "noise", "empty"] {
            let error = await openingError(.network(server.url.appendingPathComponent(path)), timeout: .seconds(5))
            XCTAssertTrue([.notAVideo, .io].contains(error?.kind), "\(path): \(error as Any)")
        }
        XCTAssertFalse(server.requests.contains("/video.mkv"), "\(server.requests)")
        let moved = try await VideoReader(.network(server.url.appendingPathComponent("moved")))
        let (frames, error) = await drain(moved)
        XCTAssertEqual(frames.count, 5)
        XCTAssertNil(error)
    }

    func testDamagedStreamsNeitherCrashNorHang() async throws {
        let scratch = try Scratch()
        let bytes = try MovingSquare.write(to: scratch.path("video.mkv"), frames: 20).bytes
        let server = try LocalServer { path, _ in
            let seed = Int(path.dropFirst()) ?? 0
            var random = SplitMix64(seed: UInt64(seed))
            var broken = bytes
            for _ in 0..<20 {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if seed % 3 == 0 { broken.removeLast(broken.count * (seed % 7 + 1) / 9) }
            return .init(body: broken)
        }
        defer { server.stop() }
        for seed in 0..<20 {
            let source = VideoSource.network(server.url.appendingPathComponent("\(seed)"))
            guard let reader = try? await VideoReader(source) else { continue }
            let (frames, _) = await drain(reader)
            XCTAssertLessThan(frames.count, 100)
        }
    }

    func testPasswordsAreNotInErrors() async throws {
        let server = try LocalServer { _, _ in .init(status: 404) }
        defer { server.stop() }
        var parts = try XCTUnwrap(URLComponents(url: server.url, resolvingAgainstBaseURL: false))
        (parts.user, parts.password, parts.path) = ("me", "secret", "/camera")
        let error = await openingError(.network(try XCTUnwrap(parts.url)))
        XCTAssertTrue(error?.description.contains("me:…@127.0.0.1") == true, "\(error as Any)")
        XCTAssertFalse(error?.description.contains("secret") == true)
    }

    func testAVideoOverRTSP() async throws {
        let scratch = try Scratch()
        let (bytes, encoder) = try MovingSquare.write(to: scratch.path("video.avi"), frames: 60)
        guard encoder.contains("264") else { throw XCTSkip("the encoder is \(encoder); the server sends H.264") }
        let server = try RTSPServer(frames: RTSPServer.frames(ofAVI: bytes))
        defer { server.stop() }
        let reader = try await VideoReader(.network(server.url))
        XCTAssertEqual(reader.format.width, 192)
        XCTAssertEqual(reader.format.height, 144)
        XCTAssertEqual(reader.format.codec, "h264")
        let (frames, _) = await drain(reader)
        XCTAssertGreaterThan(frames.count, 50)
        XCTAssertEqual(server.methods.prefix(4), ["OPTIONS", "DESCRIBE", "SETUP", "PLAY"])
        XCTAssertTrue(server.isInterleaved)
    }
}
