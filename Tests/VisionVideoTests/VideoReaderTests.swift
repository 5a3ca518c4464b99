import ModelTestSupport
import VisionVideo
import XCTest

/// Files and the standard input.
final class VideoReaderTests: XCTestCase {
    func testAFileGivesItsFramesWithTheirTimes() async throws {
        let scratch = try Scratch()
        let path = scratch.path("video.mp4")
        _ = try MovingSquare.write(to: path, frames: 30)
        let reader = try await VideoReader(.file(URL(fileURLWithPath: path)))
        XCTAssertEqual(reader.format.width, 192)
        XCTAssertEqual(reader.format.height, 144)
        XCTAssertEqual(reader.format.rate.value, 10, accuracy: 1e-6)
        XCTAssertEqual(reader.format.rotation, 0)
        XCTAssertFalse(reader.format.codec.isEmpty)
        let (frames, error) = await drain(reader)
        XCTAssertNil(error)
        XCTAssertEqual(frames.map(\.number), Array(0..<30))
        for (index, frame) in frames.enumerated() {
            XCTAssertEqual(frame.seconds, Double(index) / 10, accuracy: 1e-3)
            XCTAssertEqual(CVPixelBufferGetWidth(frame.pixelBuffer), 192)
            XCTAssertEqual(frame.sampleBuffer.presentationTimeStamp.seconds, 1 + Double(index) / 10, accuracy: 1e-3)
            XCTAssertEqual(frame.sampleBuffer.duration.seconds, 0.1, accuracy: 1e-3)
            XCTAssertEqual(frame.orientation, .up)
        }
        // Another loop finds nothing left.
        let rest = await drain(reader)
        XCTAssertEqual(rest.frames.count, 0)
        XCTAssertNil(rest.error)
        XCTAssertEqual(reader.warnings, [])
        XCTAssertEqual(reader.discardedFrameCount, 0)
    }

    func testSeveralLoopsShareTheFrames() async throws {
        let scratch = try Scratch()
        let path = scratch.path("video.mp4")
        _ = try MovingSquare.write(to: path, frames: 40)
        let reader = try await VideoReader(.file(URL(fileURLWithPath: path)))
        let numbers = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<3 { group.addTask { await drain(reader).frames.map(\.number) } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        XCTAssertEqual(numbers.sorted(), Array(0..<40))
    }

    func testATruncatedFileGivesItsFramesAndThenAnError() async throws {
        let scratch = try Scratch()
        let bytes = try MovingSquare.write(to: scratch.path("video.mkv"), frames: 100).bytes
        let half = try scratch.write(Data(bytes.prefix(bytes.count / 2)), "half.mkv")
        let reader = try await VideoReader(.file(URL(fileURLWithPath: half)))
        let (frames, error) = await drain(reader)
        XCTAssertGreaterThan(frames.count, 10)
        XCTAssertEqual((error as? VideoError)?.kind, .damaged)
    }

    func testFilesThatAreNoVideosAndNamesOfOtherThingsAreRefused() async throws {
        let scratch = try Scratch()
        let text = URL(fileURLWithPath: try scratch.write(Data("no video".utf8), "a.mp4"))
        let missing = URL(fileURLWithPath: scratch.path("missing.mp4"))
        let kinds: [(VideoSource, VideoError.Kind)] = [
            (.file(text), .notAVideo), (.file(missing), .io), (.file(scratch.url), .io),
            (.file(URL(string: "http://127.0.0.1/a.mp4")!), .io), (.network(text), .io),
            (.network(URL(string: "udp://127.0.0.1:99")!), .io), (.network(URL(string: "http:///a.mp4")!), .io),
            (.device("/dev/null"), .io), (.device(text.path), .io), (.device("/dev/video\0"), .io),
            (.device("/dev/no-such-camera"), .io),
        ]
        for (source, kind) in kinds {
            let error = await openingError(source)
            XCTAssertEqual(error?.kind, kind, "\(source)")
        }
        var options = VideoReader.Options()
        _ = try MovingSquare.write(to: scratch.path("b.mp4"), frames: 2)
        options.maximumPixelCount = 192 * 144 - 1
        do {
            _ = try await VideoReader(.file(URL(fileURLWithPath: scratch.path("b.mp4"))), options: options)
            XCTFail("no error")
        } catch {
            XCTAssertEqual((error as? VideoError)?.kind, .tooLarge)
        }
    }

    func testACancelledTaskEndsItsLoop() async throws {
        let scratch = try Scratch()
        let path = scratch.path("video.mp4")
        _ = try MovingSquare.write(to: path, frames: 60)
        let reader = try await VideoReader(.file(URL(fileURLWithPath: path)))
        let task = Task {
            var count = 0
            for try await _ in reader {
                count += 1
                if count == 5 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
        let rest = await drain(reader)
        XCTAssertEqual(rest.frames.count, 0)
    }

    func testLateFramesAreDiscardedWhereThatIsAsked() async throws {
        let scratch = try Scratch()
        let path = scratch.path("video.mp4")
        _ = try MovingSquare.write(to: path, frames: 40)
        var options = VideoReader.Options()
        options.discardsLateFrames = true
        let reader = try await VideoReader(.file(URL(fileURLWithPath: path)), options: options)
        var iterator = reader.makeAsyncIterator()
        let first = try await iterator.next()
        XCTAssertEqual(first?.number, 0)
        // The thread goes on to the end of the file, and keeps the last frame.
        while reader.discardedFrameCount < 38 { try await Task.sleep(for: .milliseconds(5)) }
        let last = try await iterator.next()
        XCTAssertEqual(last?.number, 39)
        let end = try await iterator.next()
        XCTAssertNil(end)
    }

    // MARK: Standard input

    /// Runs the body with a pipe as the standard input.
    private func withPipe(_ body: (_ writing: FileHandle) async throws -> Void) async throws {
        let saved = dup(0)
        let pipe = Pipe()
        dup2(pipe.fileHandleForReading.fileDescriptor, 0)
        defer {
            dup2(saved, 0)
            close(saved)
        }
        try await body(pipe.fileHandleForWriting)
    }

    func testAPipeIsReadAsItComes() async throws {
        let scratch = try Scratch()
        let bytes = try MovingSquare.write(to: scratch.path("video.mkv"), frames: 200).bytes
        try await withPipe { writing in
            Thread.detachNewThread { try? writing.write(contentsOf: bytes[..<(bytes.count * 3 / 4)]) }
            // The rest is held back: the frames come before the end of the pipe.
            var options = VideoReader.Options()
            options.timeout = .seconds(2)
            let reader = try await VideoReader(.standardInput, options: options)
            let (frames, error) = await drain(reader)
            XCTAssertGreaterThan(frames.count, 20)
            XCTAssertEqual((error as? VideoError)?.kind, .timeout)
        }
    }

    func testAnMP4InAPipeIsReadWhole() async throws {
        let scratch = try Scratch()
        let bytes = try MovingSquare.write(to: scratch.path("video.mp4"), frames: 20).bytes
        try await withPipe { writing in
            Thread.detachNewThread {
                try? writing.write(contentsOf: bytes)
                try? writing.close()
            }
            let reader = try await VideoReader(.standardInput)
            let (frames, error) = await drain(reader)
            XCTAssertNil(error)
            XCTAssertEqual(frames.count, 20)
        }
    }

    func testAPipeWithoutAVideoAndASilentOneGiveErrors() async throws {
        try await withPipe { writing in
            try writing.write(contentsOf: Data("no video in here, only text".utf8))
            try writing.close()
            let error = await openingError(.standardInput)
            XCTAssertEqual(error?.kind, .notAVideo)
        }
        try await withPipe { writing in
            let error = await openingError(.standardInput, timeout: .milliseconds(200))
            XCTAssertEqual(error?.kind, .timeout)
            try writing.close()
        }
    }
}
