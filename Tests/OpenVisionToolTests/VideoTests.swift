import Foundation
import Vision
import ModelTestSupport
import VisionImage
import VisionVideo
import XCTest

@testable import openvision

final class VideoTests: XCTestCase {
    private func kind(of body: @autoclosure () throws -> Any, file: StaticString = #filePath, line: UInt = #line)
        -> VideoError.Kind?
    {
        do {
            _ = try body()
            XCTFail("no error", file: file, line: line)
        } catch let error as VideoError {
            XCTAssertFalse(error.reason.isEmpty, file: file, line: line)
            return error.kind
        } catch {
            XCTFail("\(error) is no VideoError", file: file, line: line)
        }
        return nil
    }

    /// Reads to the end; the error that ended it, if one did.
    private func readAll(_ path: String) throws -> (frames: Int, error: VideoError?) {
        let reader = try VideoDecoder(path: path)
        var frames = 0
        do {
            while try reader.next() != nil { frames += 1 }
        } catch {
            return (frames, error)
        }
        return (frames, nil)
    }

    func testWrittenVideoReadsBackWithItsSizeRateFramesAndColours() throws {
        let scratch = try Scratch()
        for name in ["video.mp4", "video.avi", "video.mkv", "video.mov"] {
            let path = scratch.path(name)
            try SyntheticVideo.write(to: path, frames: 30)
            let reader = try VideoDecoder(path: path)
            XCTAssertEqual(reader.format.width, 192, name)
            XCTAssertEqual(reader.format.height, 144, name)
            XCTAssertEqual(reader.format.rate.value, 10, accuracy: 1e-6, name)
            XCTAssertEqual(reader.format.statedFrameCount, 30, name)
            for index in 0..<30 {
                let frame = try XCTUnwrap(try reader.next(), "\(name) frame \(index)")
                XCTAssertEqual(
                    CVPixelBufferGetPixelFormatType(frame), kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
                let painted = try reader.currentFrameForDrawing()
                let (x, y) = SyntheticVideo.corner(index)
                assertClose(try pixel(painted, x + 40, y + 40), SyntheticVideo.target, within: 12)
                assertClose(try pixel(painted, x + 18, y + 22), .white, within: 12)
                assertClose(try pixel(painted, 180, 20), SyntheticVideo.wall, within: 12)
            }
            XCTAssertNil(try reader.next(), name)
            XCTAssertEqual(reader.warnings, [], name)
        }
    }

    func testBrightnessPlaneAgreesWithThePaintedFrame() throws {
        let scratch = try Scratch()
        try SyntheticVideo.write(to: scratch.path("video.mp4"), frames: 3)
        let reader = try VideoDecoder(path: scratch.path("video.mp4"))
        let frame = try XCTUnwrap(try reader.next())
        let painted = try reader.currentFrameForDrawing()
        CVPixelBufferLockBaseAddress(frame, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(frame, .readOnly) }
        let luma = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(frame, 0))
        for (x, y) in [(5, 5), (60, 80), (40, 60), (180, 130)] {
            let stored = luma.load(fromByteOffset: y * CVPixelBufferGetBytesPerRowOfPlane(frame, 0) + x, as: UInt8.self)
            let colour = try pixel(painted, x, y)
            // BT.601, from 0…255 to 16…235.
            let grey = 0.299 * Double(colour.red) + 0.587 * Double(colour.green) + 0.114 * Double(colour.blue)
            XCTAssertEqual(Double(stored), 16 + grey * 219 / 255, accuracy: 3)
        }
    }

    func testOddSizesLoseTheirLastColumnAndRow() throws {
        let scratch = try Scratch()
        try SyntheticVideo.write(to: scratch.path("odd.mp4"), frames: 4, width: 161, height: 121)
        let reader = try VideoDecoder(path: scratch.path("odd.mp4"))
        XCTAssertEqual(reader.format.width, 160)
        XCTAssertEqual(reader.format.height, 120)
    }

    func testFractionalRateAndPixelShapeAreKept() throws {
        let scratch = try Scratch()
        try SyntheticVideo.write(
            to: scratch.path("video.mp4"), frames: 12, rate: Ratio(30000, 1001), pixelAspect: Ratio(16, 15))
        let format = try VideoDecoder(path: scratch.path("video.mp4")).format
        XCTAssertEqual(format.rate.value, 30000.0 / 1001, accuracy: 1e-6)
        XCTAssertEqual(format.pixelAspect, Ratio(16, 15))
    }

    func testFramesKeepTheirTimes() throws {
        let scratch = try Scratch()
        let times = [0, 0.1, 0.5, 0.6, 1.7, 1.8]
        try SyntheticVideo.write(to: scratch.path("video.mp4"), frames: times.count, times: times)
        let reader = try VideoDecoder(path: scratch.path("video.mp4"))
        for time in times {
            XCTAssertNotNil(try reader.next())
            XCTAssertEqual(reader.currentTime, time, accuracy: 1e-3)
        }
        XCTAssertNil(try reader.next())
    }

    func testFramesOfTheSameTimeAreShownOneAfterTheOther() throws {
        let scratch = try Scratch()
        try SyntheticVideo.write(to: scratch.path("video.mp4"), frames: 4, times: [0, 0, 0, .nan])
        let reader = try VideoDecoder(path: scratch.path("video.mp4"))
        var times: [Double] = []
        while try reader.next() != nil { times.append(reader.currentTime) }
        XCTAssertEqual(times.map { ($0 * 10).rounded() }, [0, 1, 2, 3])
    }

    func testRotationInTheMetadataIsApplied() throws {
        let scratch = try Scratch()
        let path = scratch.path("video.mov")
        try SyntheticVideo.write(to: path, frames: 2)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The track header ends in the 3×3 display matrix, width and height; matrices: clockwise by 90, 180, 270
        // degrees.
        let header = try XCTUnwrap(bytes.range(of: Data("tkhd".utf8)))
        let matrixStart = header.upperBound + 4 + 36
        let one = UInt32(0x10000)
        let rotations: [(a: UInt32, b: UInt32, c: UInt32, d: UInt32, width: Int, height: Int)] = [
            (0, one, 0 &- one, 0, 144, 192), (0 &- one, 0, 0, 0 &- one, 192, 144), (0, 0 &- one, one, 0, 144, 192),
        ]
        let (x, y) = SyntheticVideo.corner(0)
        // The position of the middle of the square's lower right part after the rotation.
        let positions = [(143 - (y + 42), x + 42), (191 - (x + 42), 143 - (y + 42)), (y + 42, 191 - (x + 42))]
        for (rotation, position) in zip(rotations, positions) {
            for (slot, value) in [(0, rotation.a), (1, rotation.b), (3, rotation.c), (4, rotation.d)] {
                withUnsafeBytes(of: value.bigEndian) {
                    bytes.replaceSubrange(matrixStart + slot * 4..<matrixStart + slot * 4 + 4, with: $0)
                }
            }
            let rotated = try scratch.write(bytes, "rotated.mov")
            let reader = try VideoDecoder(path: rotated)
            XCTAssertEqual(reader.format.width, rotation.width)
            XCTAssertEqual(reader.format.height, rotation.height)
            let frame = try XCTUnwrap(try reader.next())
            XCTAssertEqual(CVPixelBufferGetWidth(frame), rotation.width)
            let painted = try reader.currentFrameForDrawing()
            assertClose(try pixel(painted, position.0, position.1), SyntheticVideo.target, within: 12)
            assertClose(try pixel(painted, rotation.width / 2, rotation.height - 2), SyntheticVideo.wall, within: 40)
        }
    }

    func testTruncatedVideosReturnTheirFramesAndThenAnError() throws {
        let scratch = try Scratch()
        for name in ["video.avi", "video.mkv"] {
            try SyntheticVideo.write(to: scratch.path(name), frames: 200)
            let bytes = try Data(contentsOf: scratch.url.appendingPathComponent(name))
            let path = try scratch.write(bytes.prefix(bytes.count / 2), "half-" + name)
            let (frames, error) = try readAll(path)
            XCTAssertGreaterThan(frames, 20, name)
            XCTAssertLessThan(frames, 180, name)
            XCTAssertEqual(error?.kind, .damaged, name)
        }
        // The index of an mp4 file is at its end; without it, nothing can be read.
        try SyntheticVideo.write(to: scratch.path("video.mp4"), frames: 50)
        let bytes = try Data(contentsOf: scratch.url.appendingPathComponent("video.mp4"))
        let path = try scratch.write(bytes.prefix(bytes.count / 2), "half.mp4")
        XCTAssertEqual(kind(of: try VideoDecoder(path: path)), .notAVideo)
        // A file with the index at its start can be read up to the cut.
        let front = try scratch.write(try indexInFront(bytes), "front.mp4")
        let whole = try readAll(front)
        XCTAssertEqual(whole.frames, 50)
        XCTAssertNil(whole.error)
        let cut = try readAll(try scratch.write(try indexInFront(bytes).dropLast(bytes.count / 3), "cut.mp4"))
        XCTAssertTrue((1..<50).contains(cut.frames), "\(cut.frames)")
        XCTAssertEqual(cut.error?.kind, .damaged)
    }

    /// The same mp4 with the box of the index (moov) before that of the frames (mdat), as for the web.
    private func indexInFront(_ bytes: Data) throws -> Data {
        func number(_ data: Data, _ at: Int) -> Int {
            data[(data.startIndex + at)..<(data.startIndex + at + 4)].reduce(0) { $0 << 8 | Int($1) }
        }
        var boxes: [(name: String, bytes: Data)] = []
        var offset = 0
        while offset + 8 <= bytes.count {
            let length = number(bytes, offset)
            boxes.append(
                (String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self), bytes[offset..<offset + length]))
            offset += length
        }
        var index = Data(try XCTUnwrap(boxes.first { $0.name == "moov" }).bytes)
        let table = try XCTUnwrap(index.range(of: Data("stco".utf8))).upperBound
        for entry in 0..<number(index, table + 4) {
            let at = table + 8 + 4 * entry
            let moved = UInt32(number(index, at) + index.count).bigEndian
            withUnsafeBytes(of: moved) { index.replaceSubrange(at..<at + 4, with: $0) }
        }
        let rest = boxes.filter { $0.name != "moov" && $0.name != "ftyp" }
        let type = try XCTUnwrap(boxes.first { $0.name == "ftyp" }).bytes
        return rest.reduce(type + index) { $0 + $1.bytes }
    }

    func testVideoCutAnywhereNeitherCrashesNorHangs() throws {
        let scratch = try Scratch()
        for name in ["video.avi", "video.mp4", "video.mkv"] {
            try SyntheticVideo.write(to: scratch.path(name), frames: 20)
            let bytes = try Data(contentsOf: scratch.url.appendingPathComponent(name))
            for cut in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 25)) {
                let path = try scratch.write(bytes.prefix(cut), "cut-" + name)
                if let result = try? readAll(path) { XCTAssertLessThanOrEqual(result.frames, 20) }
            }
        }
    }

    func testFlippedBytesNeitherCrashNorHang() throws {
        let scratch = try Scratch()
        var random = SplitMix64(seed: 7)
        for name in ["video.avi", "video.mp4"] {
            try SyntheticVideo.write(to: scratch.path(name), frames: 20)
            let bytes = try Data(contentsOf: scratch.url.appendingPathComponent(name))
            for _ in 0..<25 {
                var broken = bytes
                for _ in 0..<20 {
                    broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                let path = try scratch.write(broken, "broken-" + name)
                if let result = try? readAll(path) { XCTAssertLessThan(result.frames, 100) }
            }
        }
    }

    func testFilesThatAreNotVideosAreRefused() throws {
        let scratch = try Scratch()
        var random = SplitMix64(seed: 3)
        let noise = Data((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        XCTAssertEqual(kind(of: try VideoDecoder(path: try scratch.write(noise, "noise.mp4"))), .notAVideo)
        XCTAssertEqual(kind(of: try VideoDecoder(path: try scratch.write(Data(), "empty.avi"))), .notAVideo)
        let text = Data("a text that a video library might play as images\n".utf8)
        XCTAssertEqual(kind(of: try VideoDecoder(path: try scratch.write(text, "text.txt"))), .notAVideo)
        XCTAssertEqual(kind(of: try VideoDecoder(path: scratch.path("missing.mp4"))), .io)
        XCTAssertEqual(kind(of: try VideoDecoder(path: "http://127.0.0.1/video.mp4")), .io)
        XCTAssertEqual(kind(of: try VideoDecoder(path: "video\0.mp4")), .io)
        XCTAssertEqual(kind(of: try VideoDecoder(path: scratch.url.path)), .io)
    }

    func testPipesAreRefused() throws {
        let scratch = try Scratch()
        let pipe = try NamedPipe(at: scratch.url.appendingPathComponent("video.mp4"))
        let path = pipe.url.path
        XCTAssertEqual(
            pipe.error { _ = try VideoDecoder(path: path) } as? VideoError,
            VideoError(kind: .io, path: path, reason: "is not a regular file but a named pipe"))
    }

    func testPlaylistThatNamesAnotherFileIsRefused() throws {
        let scratch = try Scratch()
        try SyntheticVideo.write(to: scratch.path("video.mp4"), frames: 2)
        let list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nvideo.mp4\n#EXT-X-ENDLIST\n"
        XCTAssertEqual(kind(of: try VideoDecoder(path: try scratch.write(Data(list.utf8), "list.m3u8"))), .notAVideo)
        let parts = "ffconcat version 1.0\nfile video.mp4\n"
        XCTAssertEqual(kind(of: try VideoDecoder(path: try scratch.write(Data(parts.utf8), "list.txt"))), .notAVideo)
    }

    func testVideoAboveThePixelLimitIsRefused() throws {
        let scratch = try Scratch()
        try SyntheticVideo.write(to: scratch.path("video.mp4"), frames: 2)
        let path = scratch.path("video.mp4")
        func options(_ limit: Int) -> DecoderOptions { DecoderOptions(pixelLimit: limit) }
        XCTAssertEqual(kind(of: try VideoDecoder(path: path, options: options(192 * 144 - 1))), .tooLarge)
        XCTAssertNoThrow(try VideoDecoder(path: path, options: options(192 * 144)))
    }

    func testWriterRefusesWhatItCannotWrite() throws {
        let scratch = try Scratch()
        let format = VideoFormat(width: 64, height: 48, rate: Ratio(25, 1))
        XCTAssertEqual(kind(of: try VideoWriter(path: scratch.path("video.xyz"), format: format)), .unsupported)
        XCTAssertEqual(kind(of: try VideoWriter(path: scratch.path("no/such/video.mp4"), format: format)), .io)
        let tiny = VideoFormat(width: 1, height: 1, rate: Ratio(25, 1))
        XCTAssertEqual(kind(of: try VideoWriter(path: scratch.path("tiny.mp4"), format: tiny)), .unsupported)
        let writer = try VideoWriter(path: scratch.path("video.mp4"), format: format)
        let other = try CVPixelBuffer.make(width: 64, height: 50, format: kCVPixelFormatType_32BGRA, path: "")
        XCTAssertEqual(kind(of: try writer.add(other, time: 0)), .unsupported)
    }

    func testUnfinishedVideoIsRemoved() throws {
        let scratch = try Scratch()
        let path = scratch.path("video.mp4")
        do {
            let writer = try VideoWriter(path: path, format: VideoFormat(width: 64, height: 48, rate: Ratio(25, 1)))
            try writer.add(try SyntheticVideo.frame(0, width: 64, height: 48), time: 0)
            XCTAssertTrue(FileManager.default.fileExists(atPath: path))
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    }

    /// FFmpeg's libraries are loaded when a video is opened; a folder without them stands for a computer without them.
    func testWithoutFFmpegOnlyVideosFail() throws {
        let scratch = try Scratch()
        try SyntheticVideo.write(to: scratch.path("video.mp4"), frames: 3)
        let photo = scratch.path("photo.png")
        try ImageFile.write(SyntheticVideo.frame(0, width: 64, height: 64), to: photo)
        let without = ["OPENVISION_FFMPEG": scratch.path("none")]
        let run = try openvision(["stability", scratch.path("video.mp4")], environment: without)
        XCTAssertEqual(run.code, 1)
        XCTAssertTrue(run.errors.contains("videos need FFmpeg's libraries"), run.errors)
        XCTAssertTrue(run.errors.contains(scratch.path("video.mp4")), run.errors)
        let other = try openvision(["barcodes", photo, "--json"], environment: without)
        XCTAssertEqual(other.code, 0, other.errors)
        XCTAssertEqual(try openvision(["stability", scratch.path("video.mp4")]).code, 0)
    }

    func testFilesThatAreNotFFmpegAreRefused() throws {
        let scratch = try Scratch()
        try SyntheticVideo.write(to: scratch.path("video.mp4"), frames: 3)
        // Whatever version this was built with, its file is not a library.
        for version in 50..<80 { _ = try scratch.write(Data("not a library".utf8), "libavutil.so.\(version)") }
        let run = try openvision(
            ["stability", scratch.path("video.mp4")],
            environment: ["OPENVISION_FFMPEG": URL(fileURLWithPath: scratch.path("x")).deletingLastPathComponent().path]
        )
        XCTAssertEqual(run.code, 1)
        XCTAssertTrue(run.errors.contains("videos need FFmpeg's libraries"), run.errors)
        XCTAssertTrue(run.errors.contains("libavutil.so"), run.errors)
    }
}
