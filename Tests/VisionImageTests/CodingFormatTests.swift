import Foundation
import XCTest

@testable import VisionImage

/// Tests the pixel values of every format and variant.
final class CodingFormatTests: XCTestCase {
    private let red: [UInt8] = [255, 0, 0]
    private let green: [UInt8] = [0, 255, 0]
    private let blue: [UInt8] = [0, 0, 255]
    private let white: [UInt8] = [255, 255, 255]

    private func assertQuadrants(_ data: Data, tolerance: Int, file: StaticString = #filePath, line: UInt = #line)
        throws
    {
        let image = try EncodedImage(data: data).decode(to: .rgb8)
        let (w, h) = (image.width, image.height)
        for (x, y, expected) in [
            (w / 4, h / 4, red), (3 * w / 4, h / 4, green), (w / 4, 3 * h / 4, blue), (3 * w / 4, 3 * h / 4, white),
        ] {
            assertClose(image.pixel(x, y), expected, tolerance: tolerance, file: file, line: line)
        }
    }

    func testJPEGVariantsGiveTheSameImage() throws {
        for data in [Fixture.jpegBaseline, Fixture.jpegProgressive, Fixture.jpegRestart] {
            try assertQuadrants(data, tolerance: 2)
        }
    }

    func testAdobeCMYKIsConvertedToRGB() throws {
        let image = try EncodedImage(data: Fixture.jpegCMYK)
        XCTAssertEqual(image.channelLayout, .cmyk)
        XCTAssertEqual(image.channelCount, 4)
        let raster = try image.decode(to: .rgb8)
        assertClose(raster.pixel(3, 3), red, tolerance: 2)
        assertClose(raster.pixel(12, 3), green, tolerance: 2)
        assertClose(raster.pixel(3, 12), blue, tolerance: 2)
        assertClose(raster.pixel(12, 12), [127, 127, 127], tolerance: 2)
        assertClose(try image.decode(to: .grey8).pixel(3, 3), [76], tolerance: 2)
        assertClose(try image.decode(to: .bgra8).pixel(3, 12), [255, 0, 0, 255], tolerance: 2)
    }

    func testPNGOf16BitsIsReducedTo8() throws {
        let image = try EncodedImage(data: Fixture.pngGrey16)
        XCTAssertEqual(image.bitsPerChannel, 16)
        XCTAssertEqual(try image.decode(to: .grey8).bytes, [[0, 1, 128, 255]])
        let colour = try EncodedImage(data: Fixture.pngRGBA16)
        XCTAssertEqual(try colour.decode(to: .rgba8).bytes, [[16, 32, 48, 255, 255, 128, 0, 128]])
    }

    func testPNGPaletteWithTransparency() throws {
        let image = try EncodedImage(data: Fixture.pngPalette)
        XCTAssertEqual(image.channelLayout, .palette)
        XCTAssertTrue(image.hasAlpha)
        XCTAssertEqual(
            try image.decode(to: .rgba8).bytes, [[255, 0, 0, 0, 0, 255, 0, 128, 0, 0, 255, 255, 9, 8, 7, 255]])
    }

    func testPNGOfOneBit() throws {
        let image = try EncodedImage(data: Fixture.pngGreyBits)
        XCTAssertEqual(image.bitsPerChannel, 1)
        XCTAssertEqual(image.channelLayout, .grey)
        XCTAssertEqual(try image.decode(to: .grey8).bytes, [[255, 0, 255, 255, 0, 0, 255, 0]])
    }

    func testInterlacedPNGInEveryLayout() throws {
        let image = try EncodedImage(data: Fixture.pngInterlaced)
        let rgba = try image.decode(to: .rgba8), rgb = try image.decode(to: .rgb8)
        for y in 0..<3 {
            for x in 0..<5 {
                let expected = [40 * x, 80 * y, 7, 200 + x]
                XCTAssertEqual(rgba.pixel(x, y).map(Int.init), expected)
                let overBlack = expected.prefix(3).map { ($0 * expected[3] + 127) / 255 }
                assertClose(rgb.pixel(x, y), overBlack.map { UInt8($0) }, tolerance: 1)
            }
        }
    }

    func testWebP() throws {
        try assertQuadrants(Fixture.webpLossy, tolerance: 4)
        try assertQuadrants(Fixture.webpAlpha, tolerance: 0)
        let image = try EncodedImage(data: Fixture.webpAlpha)
        XCTAssertTrue(image.hasAlpha)
        XCTAssertEqual(try image.decode(to: .rgba8).pixel(15, 15), [200, 100, 50, 128])
        XCTAssertEqual(try image.decode(to: .bgra8).pixel(15, 15), [50, 100, 200, 128])
        XCTAssertEqual(try image.decode(to: .rgb8).pixel(15, 15), [100, 50, 25])
    }

    func testAnimatedWebPGivesItsFirstFrame() throws {
        let raster = try EncodedImage(data: Fixture.webpAnimated).decode(to: .rgb8)
        XCTAssertEqual(
            raster.bytes, Array(repeating: Array(repeating: [200, 0, 0], count: 8).flatMap { $0 }, count: 8))
    }

    func testGIFWithAndWithoutInterlaceAndTransparency() throws {
        let palette: [[UInt8]] = [red, green, blue, [40, 50, 60]]
        let plain = try EncodedImage(data: Fixture.gif),
            holes = try EncodedImage(data: Fixture.gifInterlacedTransparent)
        XCTAssertFalse(plain.hasAlpha)
        XCTAssertTrue(holes.hasAlpha)
        let rgb = try plain.decode(to: .rgb8), rgba = try holes.decode(to: .rgba8)
        for y in 0..<5 {
            for x in 0..<6 {
                let index = (x + y) % 4
                XCTAssertEqual(rgb.pixel(x, y), palette[index])
                XCTAssertEqual(rgba.pixel(x, y), index == 2 ? [0, 0, 0, 0] : palette[index] + [255])
            }
        }
    }

    func testTIFF() throws {
        try assertQuadrants(Fixture.tiffRGB, tolerance: 0)
        try assertQuadrants(Fixture.tiffLZW, tolerance: 0)
        let deep = try EncodedImage(data: Fixture.tiffGrey16)
        XCTAssertEqual(deep.bitsPerChannel, 16)
        XCTAssertEqual(try deep.decode(to: .grey8).bytes, [[0, 128, 255]])
        let alpha = try EncodedImage(data: Fixture.tiffAlpha)
        XCTAssertEqual(try alpha.decode(to: .rgba8).bytes, [[200, 100, 50, 128, 1, 2, 3, 255]])
        XCTAssertEqual(try alpha.decode(to: .rgb8).bytes, [[100, 50, 25, 1, 2, 3]])
    }

    func testHEIC() throws {
        let image = try EncodedImage(data: Fixture.heic)
        XCTAssertEqual(image.format, .heif)
        XCTAssertEqual([image.width, image.height, Int(image.orientation)], [64, 64, 1])
        try assertQuadrants(Fixture.heic, tolerance: 6)
    }

    /// Images of AV1 come under several brands.
    func testAVIF() throws {
        for brand in ["avif", "mif1", "heic"] {
            let image = try EncodedImage(data: Fixture.avif.replacing(8, Array(brand.utf8)))
            XCTAssertEqual(image.format, .avif)
            XCTAssertEqual([image.width, image.height], [64, 32])
        }
        for data in [Fixture.avifQuadrants, Fixture.avifTurned, Fixture.avifCropped] {
            try assertQuadrants(data, tolerance: 4)
        }
        let cropped = try EncodedImage(data: Fixture.avifCropped)
        XCTAssertEqual([cropped.width, cropped.height, cropped.bitsPerChannel], [32, 24, 10])
        XCTAssertEqual(try EncodedImage(data: Fixture.avifTurned).orientation, 5)
        let far = try EncodedImage(data: Fixture.avifFarCropped)
        XCTAssertEqual([far.width, far.height], [32, 24])
        assertClose(try far.decode(to: .rgb8).pixel(5, 5), [90, 120, 30], tolerance: 3)
        // The decoder needs memory for all of it.
        XCTAssertThrowsError(try EncodedImage(data: Fixture.avifFarCropped, limit: 2400 * 1799))
        let grey = try EncodedImage(data: Fixture.avifGrey)
        XCTAssertTrue(grey.isGrey)
        assertClose(try grey.decode(to: .rgb8).pixel(16, 12), [76, 76, 76], tolerance: 2)
        let premultiplied = try EncodedImage(data: Fixture.avifPremultiplied)
        XCTAssertTrue(premultiplied.hasAlpha)
        assertClose(try premultiplied.decode(to: .rgba8).pixel(16, 12), [255, 0, 0, 128], tolerance: 4)
        assertClose(try premultiplied.decode(to: .rgb8).pixel(16, 12), [128, 0, 0], tolerance: 4)
    }

    func testLayoutsOfOneImageAgree() throws {
        let own = try TestImage.raster(width: 40, height: 30, format: .rgb8).encodedJPEG()
        for (name, data) in Fixture.all + Fixture.allAVIF + [("own", own)] {
            let image = try EncodedImage(data: data)
            let rgba = try image.decode(to: .rgba8), bgra = try image.decode(to: .bgra8)
            let rgb = try image.decode(to: .rgb8), grey = try image.decode(to: .grey8)
            for y in 0..<image.height {
                for x in 0..<image.width {
                    let colour = rgba.pixel(x, y)
                    XCTAssertEqual(bgra.pixel(x, y), [colour[2], colour[1], colour[0], colour[3]], name)
                    if !image.hasAlpha {
                        XCTAssertEqual(rgb.pixel(x, y), Array(colour.prefix(3)), name)
                        XCTAssertEqual(colour[3], 255, name)
                    }
                    let flat = rgb.pixel(x, y).map(Double.init)
                    let luma = 0.299 * flat[0] + 0.587 * flat[1] + 0.114 * flat[2]
                    // The stored luma of a JPEG precedes the clamping of its colours.
                    if image.format == .jpeg, !flat.allSatisfy({ (1...254).contains($0) }) { continue }
                    XCTAssertEqual(Double(grey.pixel(x, y)[0]), luma, accuracy: image.format == .jpeg ? 2 : 1, name)
                }
            }
        }
    }

    func testOtherRasterFormatsThrow() throws {
        let image = try EncodedImage(data: Fixture.gif)
        for format in [Raster.Format.greyFloat, .planarRGBFloat, .argb8] {
            XCTAssertThrowsError(try image.decode(to: format)) { error in
                guard case ImageError.unsupportedFormat = error else { return XCTFail("\(error)") }
            }
        }
    }
}
