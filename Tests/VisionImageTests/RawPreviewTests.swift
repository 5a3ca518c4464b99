import XCTest

@testable import VisionImage

/// RAW files of cameras, made here: their pixels are noise, their previews JPEGs.
final class RawPreviewTests: XCTestCase {
    private struct Entry {
        var tag: Int
        var type = 4
        var count = 1
        var value: Int
    }

    private func little(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func big(_ value: Int, _ width: Int) -> [UInt8] { little(value, width).reversed() }

    private func directory(_ entries: [Entry], next: Int = 0) -> [UInt8] {
        little(entries.count, 2)
            + entries.flatMap { little($0.tag, 2) + little($0.type, 2) + little($0.count, 4) + little($0.value, 4) }
            + little(next, 4)
    }

    private func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
        Array(try TestImage.raster(width: width, height: height, format: .rgb8).encodedJPEG())
    }

    /// A thumbnail of pixels, and in further directories the RAW pixels and two previews.
    private func dng(_ small: [UInt8], _ large: [UInt8], orientation: Int = 6) -> Data {
        var file: [UInt8] = Array("II*\0".utf8) + little(8, 4)
        let lengths = [6 + 12 * 6, 6 + 12 * 4, 6 + 12 * 4, 6 + 12 * 2]
        let starts = lengths.indices.map { 8 + lengths[..<$0].reduce(0, +) }
        let table = 8 + lengths.reduce(0, +)
        let (pixels, first) = (table + 12, table + 12 + 48)
        file += directory([
            Entry(tag: 0x103, type: 3, value: 1), Entry(tag: 0x111, value: pixels),
            Entry(tag: 0x112, type: 3, value: orientation),
            Entry(tag: 0x117, value: 48), Entry(tag: 0x14a, count: 3, value: table),
            Entry(tag: 0xc612, type: 1, count: 4, value: 1),
        ])
        file += directory([
            Entry(tag: 0x103, type: 3, value: 7), Entry(tag: 0x106, type: 3, value: 32803),
            Entry(tag: 0x111, value: first + small.count), Entry(tag: 0x117, value: large.count),
        ])
        file += directory([
            Entry(tag: 0x103, type: 3, value: 7), Entry(tag: 0x106, type: 3, value: 6),
            Entry(tag: 0x111, value: first + small.count), Entry(tag: 0x117, value: large.count),
        ])
        file += directory([Entry(tag: 0x201, value: first), Entry(tag: 0x202, value: small.count)])
        file += starts[1...].flatMap { little($0, 4) } + [UInt8](repeating: 7, count: 48) + small + large
        return Data(file)
    }

    func testTheLargestPreviewIsTheImageTurnedAsTheFileSays() throws {
        let (small, large) = (try jpeg(160, 120), try jpeg(640, 480))
        let image = try EncodedImage(data: dng(small, large))
        XCTAssertEqual([image.width, image.height, Int(image.orientation)], [640, 480, 6])
        XCTAssertEqual(image.format, .jpeg)
        XCTAssertEqual(
            try image.decode(to: .rgb8).bytes, try EncodedImage(data: Data(large)).decode(to: .rgb8).bytes)
        XCTAssertEqual(try ImageSource(data: dng(small, large)).uprightSize().width, 480)
    }

    func testOtherContainersOfCameras() throws {
        let large = try jpeg(640, 480)
        let raf =
            Array("FUJIFILMCCD-RAW 0201".utf8) + [UInt8](repeating: 0, count: 64) + big(100, 4) + big(large.count, 4)
            + [UInt8](repeating: 0, count: 8) + large
        func box(_ name: String, _ contents: [UInt8]) -> [UInt8] {
            big(contents.count + 8, 4) + Array(name.utf8) + contents
        }
        let canon: [UInt8] = [
            0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
        ]
        let turned: [UInt8] = Array("II*\0".utf8) + little(8, 4) + directory([Entry(tag: 0x112, type: 3, value: 8)])
        func cr3(at offset: Int) -> [UInt8] {
            let table =
                box("stsz", big(0, 4) + big(0, 4) + big(1, 4) + big(large.count, 4))
                + box("co64", big(0, 4) + big(1, 4) + big(offset, 8))
            let tracks = box("trak", box("mdia", box("minf", box("stbl", table))))
            return box("ftyp", Array("crx \0\0\0\0".utf8))
                + box("moov", box("uuid", canon + box("CMT1", turned)) + tracks) + box("mdat", large)
        }
        let rw2: [UInt8] =
            Array("IIU\0".utf8) + little(8, 4)
            + directory([Entry(tag: 0x2e, type: 7, count: large.count, value: 26)]) + large
        for (file, orientation) in [(raf, 1), (cr3(at: cr3(at: 0).count - large.count), 8), (rw2, 1)] {
            let image = try EncodedImage(data: Data(file))
            XCTAssertEqual([image.width, image.height, Int(image.orientation)], [640, 480, orientation])
        }
    }

    func testFilesWithoutALargePreviewSaySo() throws {
        let small = try jpeg(160, 120)
        for (data, part) in [
            (dng(small, small), "160 x 120"), (dng([1, 2, 3, 4], [5, 6, 7, 8]), "without a JPEG preview"),
        ] {
            XCTAssertThrowsError(try EncodedImage(data: data)) { error in
                guard case .unsupportedFormat(let text)? = error as? ImageError else { return XCTFail("\(error)") }
                XCTAssertTrue(text.contains(part), text)
            }
        }
        let large = dng(small, try jpeg(640, 480))
        XCTAssertThrowsError(try EncodedImage(data: large, limit: 10_000)) { error in
            guard case .tooManyPixels? = error as? ImageError else { return XCTFail("\(error)") }
        }
        // A plain TIFF with JPEG strips is none of a camera.
        guard case .noRaw = RawPreview.find(in: Fixture.tiffRGB) else { return XCTFail("a plain TIFF is RAW") }
    }

    /// A thousand entries that name the same JPEG, and some that name parts of it.
    func testFewPreviewsAreExamined() throws {
        let large = try jpeg(640, 480)
        let start = 8 + 2 + 12 * 1000 + 4
        let entries = (0..<1000).map { Entry(tag: 0x2e, type: 7, count: large.count - $0 % 20, value: start) }
        let file = Array("IIU\0".utf8) + little(8, 4) + directory(entries) + large
        guard case .raw(let previews) = RawPreview.find(in: Data(file)) else { return XCTFail("the file is not RAW") }
        XCTAssertEqual(previews.count, 8)
        XCTAssertEqual(previews.first?.range.count, large.count)
        XCTAssertEqual(try EncodedImage(data: Data(file)).width, 640)
    }

    func testDamagedFilesAreErrors() throws {
        let whole = dng(try jpeg(32, 24), try jpeg(500, 8))
        for count in 0..<whole.count where count < 400 || count % 37 == 0 {
            _ = try? EncodedImage(data: whole.prefix(count)).decode(to: .rgb8)
        }
        var random = SplitMix64(seed: 5)
        for _ in 0..<20_000 {
            var damaged = whole
            for _ in 0..<4 { damaged[Int(random.next() % 300)] = UInt8(truncatingIfNeeded: random.next()) }
            _ = try? EncodedImage(data: damaged)
        }
        // A directory that is its own next one, and one that lists itself.
        let loop = Array("II*\0".utf8) + little(8, 4) + directory([Entry(tag: 0x14a, value: 8)], next: 8)
        XCTAssertThrowsError(try EncodedImage(data: Data(loop)))
    }
}
