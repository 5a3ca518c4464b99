import Foundation
import XCTest

@testable import VisionImage

/// The orientation is reported for every format that has one, and never applied.
final class CodingOrientationTests: XCTestCase {
    /// Returns a JPEG with the EXIF orientation `value`, in either byte order.
    private func jpeg(orientation value: UInt16, littleEndian: Bool) throws -> Data {
        let plain = try TestImage.raster(width: 24, height: 8, format: .rgb8).encodedJPEG()
        let exif = Bytes.exif(orientation: value, littleEndian: littleEndian)
        let body: [UInt8] = Array("Exif\0\0".utf8) + exif
        let segment: [UInt8] = [0xff, 0xe1, 0, UInt8(body.count + 2)] + body
        return plain.prefix(2) + Data(segment) + plain.dropFirst(2)
    }

    private func png(orientation value: UInt16) throws -> Data {
        let plain = try TestImage.raster(width: 24, height: 8, format: .rgb8).encodedPNG()
        let chunk = Bytes.pngChunk("eXIf", Bytes.exif(orientation: value, littleEndian: false))
        return plain.prefix(33) + Data(chunk) + plain.dropFirst(33)
    }

    private func expected(_ value: UInt16) -> UInt32 { (1...8).contains(value) ? UInt32(value) : 1 }

    func testJPEG() throws {
        let pixels = try EncodedImage(data: jpeg(orientation: 1, littleEndian: true)).decode(to: .rgb8)
        for value in [1, 2, 3, 4, 5, 6, 7, 8, 0, 9, 65535] as [UInt16] {
            for littleEndian in [false, true] {
                let image = try EncodedImage(data: jpeg(orientation: value, littleEndian: littleEndian))
                XCTAssertEqual(image.orientation, expected(value), "\(value)")
                XCTAssertEqual([image.width, image.height], [24, 8])
                XCTAssertEqual(try image.decode(to: .rgb8).bytes, pixels.bytes)
            }
        }
    }

    func testPNG() throws {
        XCTAssertEqual(try EncodedImage(data: Fixture.pngEXIF6).orientation, 6)
        for value in [1, 2, 3, 4, 5, 6, 7, 8, 0, 9] as [UInt16] {
            let image = try EncodedImage(data: png(orientation: value))
            XCTAssertEqual(image.orientation, expected(value), "\(value)")
            XCTAssertEqual([image.width, image.height], [24, 8])
        }
    }

    func testWebP() throws {
        // The tag's entry in the fixture's big- or little-endian block: tag, type 3, count 1, value.
        for value in 0...9 as ClosedRange<UInt8> {
            let data = try XCTUnwrap(Fixture.webpEXIF6.replacingOrientation(with: value))
            XCTAssertEqual(try EncodedImage(data: data).orientation, expected(UInt16(value)), "\(value)")
        }
    }

    func testTIFF() throws {
        let upright = try XCTUnwrap(Fixture.tiffLZW.replacingOrientation(with: 1))
        let pixels = try EncodedImage(data: upright).decode(to: .rgb8)
        for value in 0...9 as ClosedRange<UInt8> {
            let data = try XCTUnwrap(Fixture.tiffLZW.replacingOrientation(with: value))
            let image = try EncodedImage(data: data)
            XCTAssertEqual(image.orientation, expected(UInt16(value)), "\(value)")
            XCTAssertEqual(try image.decode(to: .rgb8).bytes, pixels.bytes, "\(value)")
        }
    }

    func testDamagedEXIFCountsAsUpright() throws {
        let good = try jpeg(orientation: 6, littleEndian: true)
        for position in 6..<38 {  // what the segment holds
            for value in [0, 0x7f, 0xff] as [UInt8] {
                let orientation = try EncodedImage(data: good.replacing(position, [value])).orientation
                XCTAssertTrue((1...8).contains(orientation))
            }
        }
        XCTAssertEqual(try EncodedImage(data: good.replacing(12, [0, 0, 0, 0])).orientation, 1)
    }
}
