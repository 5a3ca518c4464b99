import Foundation
import XCTest

@testable import VisionImage

/// Pictures that coding tests agree on.
enum Picture {
    /// Smooth colours, different in every channel, with alpha where the format has it.
    static func raster(width: Int, height: Int, format: Raster.Format) throws -> Raster {
        try Raster(width: width, height: height, format: format) { pixels, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    let colour = colour(x, y, width, height)
                    let bytes: [UInt8] =
                        switch format {
                        case .grey8: [colour[0]]
                        case .bgra8: [colour[2], colour[1], colour[0], colour[3]]
                        case .rgba8: colour
                        default: Array(colour.prefix(3))
                        }
                    let pixel = pixels + y * rowBytes + x * bytes.count
                    pixel.copyMemory(from: bytes, byteCount: bytes.count)
                }
            }
        }
    }

    /// R, G, B and A at a place.
    static func colour(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [UInt8] {
        [
            UInt8(20 + 200 * x / width), UInt8(30 + 180 * y / height), UInt8(240 - 100 * x / width - 100 * y / height),
            UInt8(255 - 200 * (x + y) / (width + height)),
        ]
    }
}

extension Raster {
    /// The bytes of all rows without their padding.
    var bytes: [[UInt8]] {
        withUnsafePixels { pixels in
            (0..<height).map { y in
                Array(
                    UnsafeRawBufferPointer(start: pixels + y * rowBytes, count: width * format.bytesPerPixel))
            }
        }
    }

    /// The bytes of one pixel.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let size = format.bytesPerPixel
        return Array(bytes[y][x * size..<(x + 1) * size])
    }
}

/// Passes when both have as many bytes and no two differ by more than `tolerance`.
func assertClose(
    _ bytes: [UInt8], _ expected: [UInt8], tolerance: Int, file: StaticString = #filePath, line: UInt = #line
) {
    let isClose =
        bytes.count == expected.count
        && zip(bytes, expected).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    XCTAssertTrue(isClose, "\(bytes) is not \(expected) within \(tolerance)", file: file, line: line)
}

/// Pieces of files.
enum Bytes {
    /// A TIFF header and a directory with the one tag 274.
    static func exif(orientation: UInt16, littleEndian: Bool) -> [UInt8] {
        func two(_ value: UInt16) -> [UInt8] {
            let bytes = [UInt8(value >> 8), UInt8(value & 255)]
            return littleEndian ? bytes.reversed() : bytes
        }
        func four(_ value: UInt16) -> [UInt8] { littleEndian ? two(value) + [0, 0] : [0, 0] + two(value) }
        return Array((littleEndian ? "II" : "MM").utf8) + two(42) + four(8) + two(1)
            + two(274) + two(3) + four(1) + two(orientation) + [0, 0] + four(0)
    }

    static func pngChunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        func four(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
        let checked = Array(type.utf8) + body
        var crc: UInt32 = 0xffff_ffff
        for byte in checked {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
        return four(UInt32(body.count)) + checked + four(~crc)
    }

    /// A PNG of 8-bit grey whose checksums are right, whatever it says.
    static func png(width: UInt32, height: UInt32, idat: [UInt8]) -> Data {
        func four(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
        let header = pngChunk("IHDR", four(width) + four(height) + [8, 0, 0, 0, 0])
        return Data([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10] + header + pngChunk("IDAT", idat) + pngChunk("IEND", []))
    }
}

extension Data {
    /// A copy with other bytes from `position` on.
    func replacing(_ position: Int, _ bytes: [UInt8]) -> Data {
        var copy = Data(self)
        copy.replaceSubrange(position..<position + bytes.count, with: bytes)
        return copy
    }

    /// A copy whose tag 274 (type 3, count 1, either byte order) has another value.
    func replacingOrientation(with value: UInt8) -> Data? {
        if let entry = range(of: Data([0x12, 0x01, 3, 0, 1, 0, 0, 0])) {
            return replacing(entry.upperBound, [value, 0])
        }
        return range(of: Data([0x01, 0x12, 0, 3, 0, 0, 0, 1])).map { replacing($0.upperBound, [0, value]) }
    }

    /// A copy whose frame header (baseline) has another size.
    func replacingJPEGSize(width: Int, height: Int) -> Data? {
        range(of: Data([0xff, 0xc0])).map {
            let sides = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
            return replacing($0.lowerBound + 5, sides)
        }
    }
}
