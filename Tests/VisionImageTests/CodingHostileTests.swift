import Foundation
import XCTest

@testable import VisionImage

/// Truncated, inconsistent and damaged files give an error that says what is wrong.
final class CodingHostileTests: XCTestCase {
    private func samples() throws -> [(name: String, data: Data)] {
        let raster = try TestImage.raster(width: 40, height: 30, format: .rgb8)
        return try Fixture.all + [
            ("own JPEG", raster.encodedJPEG()), ("own PNG", raster.encodedPNG()),
            ("TIFF with a palette at its end", Bytes.paletteTIFF()),
            ("WebP with EXIF", Bytes.webP(width: 20, height: 10, orientation: 8)),
        ]
    }

    private func text(_ error: any Error) -> String {
        switch error as? ImageError {
        case .invalidImage(let text), .io(let text), .unsupportedFormat(let text): text
        default: "\(error)"
        }
    }

    func testAnImageFileThatIsAPipeIsRefused() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("a.jpg")
        XCTAssertEqual(mkfifo(pipe.path, 0o600), 0)
        XCTAssertThrowsError(try EncodedImage(contentsOf: pipe)) {
            XCTAssertEqual($0 as? ImageError, .io("\(pipe.path) is not a regular file but a named pipe"))
        }
    }

    func testEveryPrefixFailsOrGivesTheWholeImage() throws {
        for (name, data) in try samples() {
            let whole = try EncodedImage(data: data)
            let pixels = try whole.decode(to: .rgba8).bytes
            for count in 0..<data.count {
                do {
                    let part = try EncodedImage(data: data.prefix(count))
                    let raster = try part.decode(to: .rgba8)
                    XCTAssertEqual(raster.bytes, pixels, "\(name), \(count) of \(data.count) bytes")
                    XCTAssertEqual(part.orientation, whole.orientation, "\(name), \(count) of \(data.count) bytes")
                } catch let error as ImageError {
                    XCTAssertFalse(text(error).isEmpty)
                }
            }
        }
    }

    func testTheErrorNamesTruncation() throws {
        for (name, data) in try samples() {
            XCTAssertThrowsError(try EncodedImage(data: data.prefix(data.count * 3 / 5)).decode(to: .rgb8), name) {
                error in
                guard case ImageError.invalidImage(let text) = error else { return XCTFail("\(name): \(error)") }
                XCTAssertTrue(text.contains("truncated"), "\(name): \(text)")
            }
        }
    }

    func testFlippedBytesNeverTrap() throws {
        for (name, data) in try samples() {
            for position in data.indices {
                for flip in [0x01, 0x80, 0xff] as [UInt8] {
                    do {
                        let damaged = data.replacing(position, [data[position] ^ flip])
                        let image = try EncodedImage(data: damaged, limit: 1 << 20)
                        XCTAssertLessThanOrEqual(image.width * image.height, 1 << 20)
                        _ = try image.decode(to: .rgb8)
                    } catch {
                        XCTAssertTrue(error is ImageError, "\(name): \(error)")
                    }
                }
            }
        }
    }

    func testDataThatIsNotAnImageThrows() {
        for data in [Data(), Data([0]), Data("GIF8".utf8), Data("no image, only text".utf8), Data(count: 4096)] {
            XCTAssertThrowsError(try EncodedImage(data: data)) { error in
                guard case ImageError.invalidImage = error else { return XCTFail("\(error)") }
            }
        }
        XCTAssertThrowsError(try EncodedImage(data: Data())) { XCTAssertEqual(self.text($0), "the data is empty") }
    }

    func testLimitOnPixels() throws {
        for (name, data) in try samples() {
            let image = try EncodedImage(data: data)
            let pixels = image.width * image.height
            XCTAssertNoThrow(try EncodedImage(data: data, limit: pixels), name)
            XCTAssertThrowsError(try EncodedImage(data: data, limit: pixels - 1), name) { error in
                XCTAssertEqual(
                    error as? ImageError,
                    .tooManyPixels(width: image.width, height: image.height, limit: pixels - 1))
            }
        }
        XCTAssertThrowsError(try EncodedImage(data: Fixture.heic, limit: 10)) { error in
            XCTAssertEqual(error as? ImageError, .tooManyPixels(width: 64, height: 64, limit: 10))
        }
    }

    func testSizesAboveTheLimitAreDetectedInTheHeader() throws {
        let png = Bytes.png(width: 60000, height: 60000, idat: [])
        let gif = Fixture.gif.replacing(6, [0xff, 0xff, 0xff, 0xff])
        let jpeg = try XCTUnwrap(Fixture.jpegBaseline.replacingJPEGSize(width: 65000, height: 65000))
        for (data, side) in [(png, 60000), (gif, 65535), (jpeg, 65000)] {
            XCTAssertThrowsError(try EncodedImage(data: data)) { error in
                XCTAssertEqual(
                    error as? ImageError,
                    .tooManyPixels(width: side, height: side, limit: ImageLimits.maximumPixelCount))
            }
        }
    }

    func testTheErrorNamesSidesAboveTheLimit() {
        XCTAssertThrowsError(try EncodedImage(data: Bytes.png(width: 1, height: 1 << 28, idat: []))) { error in
            XCTAssertEqual(self.text(error), "the image says it is 1 x 268435456 pixels; a side has at most 16777216")
        }
    }

    /// A strip of 512 MB of zeros in 8 MB of PackBits is decoded row by row, because libtiff would allocate all of it
    /// at once.
    func testATIFFWithOneHugeStripIsDecodedRowByRow() throws {
        let side = 8320  // 520 × 16 pixels; a pair of bytes encodes 16 pixels (128 bytes)
        let strip = [UInt8](unsafeUninitializedCapacity: side * 520 * 2) { bytes, count in
            count = bytes.count
            for index in bytes.indices { bytes[index] = index % 2 == 0 ? 0x81 : 0 }
        }
        let data = Bytes.tiff(
            width: side, height: side, bits: [16, 16, 16, 16], photometric: .rgb, compression: .packBits, strip: strip)
        XCTAssertEqual(try EncodedImage(data: data).decode(to: .grey8).pixel(side - 1, side - 1), [0])
    }

    func testSizesThatTheFileCannotHoldAreDetectedInTheHeader() throws {
        let png = Bytes.png(width: 16000, height: 16000, idat: [1, 2, 3])
        let jpeg = try XCTUnwrap(Fixture.jpegBaseline.replacingJPEGSize(width: 16000, height: 16000))
        for data in [png, jpeg] {
            XCTAssertThrowsError(try EncodedImage(data: data)) { error in
                XCTAssertTrue(self.text(error).contains("cannot hold the 16000 x 16000 pixels"), "\(error)")
            }
        }
    }

    func testHEICWithInconsistentSizesThrows() throws {
        // Coded as 256 × 256, with 16 × 16 in the box that readers use.
        let data = Fixture.heicLarge
        XCTAssertEqual(try EncodedImage(data: data).width, 256)
        let size = try XCTUnwrap(data.range(of: Data("ispe".utf8)))
        let lying = data.replacing(size.upperBound + 4, [0, 0, 0, 16, 0, 0, 0, 16])
        XCTAssertThrowsError(try EncodedImage(data: lying, limit: 10000)) { error in
            XCTAssertEqual(error as? ImageError, .tooManyPixels(width: 256, height: 256, limit: 10000))
        }
        XCTAssertThrowsError(try EncodedImage(data: lying).decode(to: .rgb8)) { error in
            // Debian 13's libheif says so itself.
            let sentences = ["the coded image is 256 x 256 pixels", "does not have the size signaled in the file"]
            XCTAssertTrue(sentences.contains { self.text(error).contains($0) }, "\(error)")
        }
    }

    /// libde265 prints errors in parameters, which must not reach a server's log.
    func testDamagedHEICPrintsNothing() throws {
        let data = Fixture.heicLarge
        let start = try XCTUnwrap(data.range(of: Data("hvcC".utf8))).upperBound
        var reasons: Set<String> = []
        let printed = try standardError(of: {
            for position in start..<start + 140 {
                for bit in 0..<8 {
                    do {
                        _ = try EncodedImage(data: data.replacing(position, [data[position] ^ 1 << UInt8(bit)]))
                            .decode(to: .grey8)
                    } catch {
                        reasons.insert(text(error))
                    }
                }
            }
        })
        XCTAssertEqual(printed, "")
        XCTAssertTrue(reasons.contains("HEIF: the parameters of the HEVC image contradict one another"), "\(reasons)")
    }

    /// Returns what the closure writes to standard error.
    private func standardError(of closure: () throws -> Void) throws -> String {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("stderr-\(UUID().uuidString)")
        XCTAssertTrue(FileManager.default.createFile(atPath: url.path, contents: nil))
        defer { try? FileManager.default.removeItem(at: url) }
        let file = try FileHandle(forWritingTo: url)
        let saved = dup(2)
        dup2(file.fileDescriptor, 2)
        defer {
            dup2(saved, 2)
            close(saved)
        }
        try closure()
        return String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }

    func testSizesOfZero() throws {
        let png = Bytes.png(width: 0, height: 5, idat: [])
        let jpeg = try XCTUnwrap(Fixture.jpegBaseline.replacingJPEGSize(width: 0, height: 8))
        for data in [png, jpeg] {
            XCTAssertThrowsError(try EncodedImage(data: data)) { error in
                guard case ImageError.invalidImage = error else { return XCTFail("\(error)") }
            }
        }
    }

    func testJPEGWithTooManyScansThrows() throws {
        let data = Fixture.jpegProgressive
        let marker = try XCTUnwrap(data.range(of: Data([0xff, 0xda]), options: .backwards))
        let lastScan = data[marker.lowerBound..<data.count - 2]
        var many = Data(data.dropLast(2))
        for _ in 0..<200 { many += lastScan }
        many += [0xff, 0xd9]
        XCTAssertThrowsError(try EncodedImage(data: many).decode(to: .rgb8)) { error in
            XCTAssertEqual(self.text(error), "JPEG: more than 100 scans")
        }
    }

    func testUnreadableFilesThrow() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coding-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pipe = folder.appendingPathComponent("pipe")
        XCTAssertEqual(mkfifo(pipe.path, 0o600), 0)
        let web = try XCTUnwrap(URL(string: "https://example.com/a.jpg"))
        for url in [folder, pipe, folder.appendingPathComponent("missing.jpg"), web] {
            XCTAssertThrowsError(try EncodedImage(contentsOf: url)) { error in
                guard case ImageError.io(let text) = error else { return XCTFail("\(error)") }
                XCTAssertFalse(text.isEmpty)
            }
        }
        let file = folder.appendingPathComponent("an image.bin"), link = folder.appendingPathComponent("link")
        try Fixture.gif.write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        XCTAssertEqual(try EncodedImage(contentsOf: file).format, .gif)
        XCTAssertEqual(try EncodedImage(contentsOf: link).width, 6)
    }
}
