import Foundation
import XCTest

@testable import VisionImage

/// Synthetic images shared by the coding tests.
enum TestImage {
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

    /// Returns R, G, B and A at a position.
    static func colour(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [UInt8] {
        [
            UInt8(20 + 200 * x / width), UInt8(30 + 180 * y / height), UInt8(240 - 100 * x / width - 100 * y / height),
            UInt8(255 - 200 * (x + y) / (width + height)),
        ]
    }
}

extension Raster {
    /// The bytes of all rows without padding.
    var bytes: [[UInt8]] {
        withUnsafePixels { pixels in
            (0..<height).map { y in
                Array(
                    UnsafeRawBufferPointer(start: pixels + y * rowBytes, count: width * format.bytesPerPixel))
            }
        }
    }

    /// Returns the bytes of one pixel.
    func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        let size = format.bytesPerPixel
        return Array(bytes[y][x * size..<(x + 1) * size])
    }
}

/// Passes if both have the same number of bytes and no two differ by more than `tolerance`.
func assertClose(
    _ bytes: [UInt8], _ expected: [UInt8], tolerance: Int, file: StaticString = #filePath, line: UInt = #line
) {
    let isClose =
        bytes.count == expected.count
        && zip(bytes, expected).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
    XCTAssertTrue(isClose, "\(bytes) is not \(expected) within \(tolerance)", file: file, line: line)
}

/// Builders of parts of files.
enum Bytes {
    /// Returns a TIFF header and a directory with only the tag 274.
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

    /// Returns a PNG of 8-bit grey with valid checksums, whatever its contents.
    static func png(width: UInt32, height: UInt32, idat: [UInt8]) -> Data {
        func four(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
        let header = pngChunk("IHDR", four(width) + four(height) + [8, 0, 0, 0, 0])
        return Data([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10] + header + pngChunk("IDAT", idat) + pngChunk("IEND", []))
    }
}

/// TIFF and WebP files that the tests put together byte by byte.
extension Bytes {
    enum Photometric: Int { case rgb = 2, palette = 3 }
    enum Compression: Int { case none = 1, packBits = 32773 }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> (8 * $0) & 255) }
    }

    /// A TIFF of one strip: header, strip, directory, then the values that do not fit into it, the palette last.
    static func tiff(
        width: Int, height: Int, bits: [Int], photometric: Photometric, compression: Compression, strip: [UInt8],
        palette: [Int] = []
    ) -> Data {
        var values: [(tag: Int, type: Int, values: [Int])] = [
            (256, 4, [width]), (257, 4, [height]), (258, 3, bits), (259, 3, [compression.rawValue]),
            (262, 3, [photometric.rawValue]), (273, 4, [8]), (277, 3, [bits.count]), (278, 4, [height]),
            (279, 4, [strip.count]), (284, 3, [1]),
        ]
        if !palette.isEmpty { values.append((320, 3, palette)) }
        if bits.count == 4 { values.append((338, 3, [2])) }
        let directory = 8 + strip.count + strip.count % 2
        var entries: [UInt8] = little(values.count, 2)
        var overflow: [UInt8] = []
        for (tag, type, values) in values {
            let bytes = values.flatMap { little($0, type == 3 ? 2 : 4) }
            entries += little(tag, 2) + little(type, 2) + little(values.count, 4)
            if bytes.count <= 4 {
                entries += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
            } else {
                entries += little(directory + 2 + 12 * 11 + 4 + overflow.count, 4)
                overflow += bytes
            }
        }
        entries += [UInt8](repeating: 0, count: 2 + 12 * 11 + 4 - entries.count)
        return Data([0x49, 0x49, 42, 0] + little(directory, 4) + strip) + Data(count: strip.count % 2)
            + Data(entries + overflow)
    }

    /// 16 × 8 pixels of a palette of reds, whose palette ends the file.
    static func paletteTIFF() -> Data {
        tiff(
            width: 16, height: 8, bits: [8], photometric: .palette, compression: .none,
            strip: (0..<128).map { UInt8($0 * 2) },
            palette: (0..<256).map { $0 * 257 } + [Int](repeating: 0, count: 512))
    }

    private static func webPChunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(body.count, 4) + body + (body.count % 2 == 1 ? [0] : [])
    }

    /// A lossless image of one colour: five codes of one symbol each, and no bits for the pixels.
    private static func losslessImage(width: Int, height: Int, green: UInt8) -> [UInt8] {
        var bits: [Bool] = []
        func put(_ value: Int, _ count: Int) { for bit in 0..<count { bits.append(value >> bit & 1 == 1) } }
        put(width - 1, 14)
        put(height - 1, 14)
        put(0, 1 + 3)  // no alpha, version 0
        put(0, 1 + 1 + 1)  // no transforms, no cache of colours, no groups of codes
        for symbol in [Int(green), 40, 90, 255] {  // green, red, blue, alpha
            put(1, 1)  // a simple code
            put(0, 1)  // of one symbol
            put(1, 1)  // of eight bits
            put(symbol, 8)
        }
        put(1, 1)  // distances: a simple code
        put(0, 1 + 1)  // of one symbol of one bit
        put(0, 1)
        let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].enumerated()
                .reduce(UInt8(0)) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) }
        }
        return [0x2f] + bytes
    }

    private static func riff(_ chunks: [UInt8]) -> Data {
        Data(Array("RIFF".utf8) + little(4 + chunks.count, 4) + Array("WEBP".utf8) + chunks)
    }

    /// Returns a WebP of one colour (red 40, blue 90), of any size up to 16384; with EXIF behind the pixels if an
    /// orientation is given.
    static func webP(width: Int, height: Int, orientation: UInt16? = nil) -> Data {
        let image = webPChunk("VP8L", losslessImage(width: width, height: height, green: 200))
        guard let orientation else { return riff(image) }
        let canvas = webPChunk("VP8X", [8, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
        return riff(canvas + image + webPChunk("EXIF", exif(orientation: orientation, littleEndian: true)))
    }

    /// Returns an animation of one frame that leaves two pixels of the canvas free at the left and at the top.
    static func animatedWebP(width: Int, height: Int) -> Data {
        let (inner, innerHeight) = (width - 2, height - 2)
        let image = webPChunk("VP8L", losslessImage(width: inner, height: innerHeight, green: 200))
        let frame =
            little(1, 3) + little(1, 3) + little(inner - 1, 3) + little(innerHeight - 1, 3) + little(100, 3) + [0]
        return riff(
            webPChunk("VP8X", [2, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
                + webPChunk("ANIM", [0, 0, 0, 0, 0, 0]) + webPChunk("ANMF", frame + image))
    }
}

extension Data {
    /// Returns a copy with other bytes from `position` on.
    func replacing(_ position: Int, _ bytes: [UInt8]) -> Data {
        var copy = Data(self)
        copy.replaceSubrange(position..<position + bytes.count, with: bytes)
        return copy
    }

    /// Returns a copy whose tag 274 (type 3, count 1, either byte order) has another value.
    func replacingOrientation(with value: UInt8) -> Data? {
        if let entry = range(of: Data([0x12, 0x01, 3, 0, 1, 0, 0, 0])) {
            return replacing(entry.upperBound, [value, 0])
        }
        return range(of: Data([0x01, 0x12, 0, 3, 0, 0, 0, 1])).map { replacing($0.upperBound, [0, value]) }
    }

    /// Returns a copy whose frame header (baseline) has another size.
    func replacingJPEGSize(width: Int, height: Int) -> Data? {
        range(of: Data([0xff, 0xc0])).map {
            let sides = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
            return replacing($0.lowerBound + 5, sides)
        }
    }
}
