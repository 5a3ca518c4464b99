import Foundation
import XCTest

@testable import VisionImage

/// Truncated, lying and damaged files give an error that says what is wrong.
final class CodingHostileTests: XCTestCase {
    private func samples() throws -> [(name: String, data: Data)] {
        let raster = try Picture.raster(width: 40, height: 30, format: .rgb8)
        return try Fixture.all + [("own JPEG", raster.encodedJPEG()), ("own PNG", raster.encodedPNG())]
    }

    private func text(_ error: any Error) -> String {
        switch error as? ImageError {
        case .invalidImage(let text), .io(let text), .unsupportedFormat(let text): text
        default: "\(error)"
        }
    }

    func testEveryPrefixFailsOrGivesTheWholePicture() throws {
        for (name, data) in try samples() {
            let whole = try EncodedImage(data: data).decode(to: .rgba8).bytes
            for count in 0..<data.count {
                do {
                    let raster = try EncodedImage(data: data.prefix(count)).decode(to: .rgba8)
                    XCTAssertEqual(raster.bytes, whole, "\(name), \(count) of \(data.count) bytes")
                } catch let error as ImageError {
                    XCTAssertFalse(text(error).isEmpty)
                }
            }
        }
    }

    func testTruncationIsNamed() throws {
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

    func testNoImageAtAll() {
        for data in [Data(), Data([0]), Data("GIF8".utf8), Data("no image, only text".utf8), Data(count: 4096)] {
            XCTAssertThrowsError(try EncodedImage(data: data)) { error in
                guard case ImageError.invalidImage = error else { return XCTFail("\(error)") }
            }
        }
        XCTAssertThrowsError(try EncodedImage(data: Data())) { XCTAssertEqual(self.text($0), "there is no data") }
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

    func testSizesBeyondTheLimitAreRefusedByTheHeader() throws {
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

    func testSizesThatTheFileCannotHoldAreRefusedByTheHeader() throws {
        let png = Bytes.png(width: 16000, height: 16000, idat: [1, 2, 3])
        let jpeg = try XCTUnwrap(Fixture.jpegBaseline.replacingJPEGSize(width: 16000, height: 16000))
        for data in [png, jpeg] {
            XCTAssertThrowsError(try EncodedImage(data: data)) { error in
                XCTAssertTrue(self.text(error).contains("cannot hold the 16000 x 16000 pixels"), "\(error)")
            }
        }
    }

    func testHEICWhoseBoxesUnderstateItsPicturesIsRefused() throws {
        // 256 x 256 coded, and said to be 16 x 16 in the box that readers look at.
        let data = Fixture.heicLarge
        XCTAssertEqual(try EncodedImage(data: data).width, 256)
        let size = try XCTUnwrap(data.range(of: Data("ispe".utf8)))
        let lying = data.replacing(size.upperBound + 4, [0, 0, 0, 16, 0, 0, 0, 16])
        XCTAssertThrowsError(try EncodedImage(data: lying, limit: 10000)) { error in
            XCTAssertEqual(error as? ImageError, .tooManyPixels(width: 256, height: 256, limit: 10000))
        }
        XCTAssertThrowsError(try EncodedImage(data: lying).decode(to: .rgb8)) { error in
            XCTAssertTrue(self.text(error).contains("the coded picture is 256 x 256 pixels"), "\(error)")
        }
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

    func testJPEGWithScansWithoutEndIsRefused() throws {
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

    func testFilesThatCannotBeRead() throws {
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
