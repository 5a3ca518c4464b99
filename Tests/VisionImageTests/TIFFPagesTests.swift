import Foundation
import XCTest

@testable import VisionImage

/// Files are made here: uncompressed grey pages, each with its directory and pixels.
final class TIFFPagesTests: XCTestCase {
    struct Page {
        var width: Int
        var height: Int
        var grey: UInt8
        var subfileType = 0
    }

    /// - Parameters:
    ///   - isBigEndian: The order of the bytes of numbers.
    ///   - isBig: BigTIFF, with offsets of eight bytes.
    ///   - last: The offset that the last directory gives for the next one.
    static func file(_ pages: [Page], isBigEndian: Bool = false, isBig: Bool = false, last: Int = 0) -> Data {
        let word = isBig ? 8 : 4
        var data = Data()
        func number(_ value: Int, _ bytes: Int) -> Data {
            let little = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return Data(isBigEndian ? little.reversed() : little)
        }
        data += Data((isBigEndian ? "MM" : "II").utf8) + number(isBig ? 43 : 42, 2)
        if isBig { data += number(8, 2) + number(0, 2) }
        data += number(data.count + word, word)
        for (index, page) in pages.enumerated() {
            let entries = [
                (254, page.subfileType), (256, page.width), (257, page.height), (258, 8), (259, 1), (262, 1),
                (273, 0), (277, 1), (278, page.height), (279, page.width * page.height),
            ]
            let pixels = data.count + (isBig ? 8 : 2) + entries.count * (isBig ? 20 : 12) + word
            let bytes = page.width * page.height
            data += number(entries.count, isBig ? 8 : 2)
            for (tag, value) in entries {
                data += number(tag, 2) + number(4, 2) + number(1, word)
                data += number(tag == 273 ? pixels : value, 4) + Data(count: word - 4)
            }
            data += number(index + 1 < pages.count ? pixels + bytes : last, word)
            data += Data(repeating: page.grey, count: bytes)
        }
        return data
    }

    private let pages = [
        Page(width: 4, height: 3, grey: 10), Page(width: 2, height: 2, grey: 20, subfileType: 1),
        Page(width: 5, height: 2, grey: 30, subfileType: 2), Page(width: 4, height: 3, grey: 0, subfileType: 4),
        Page(width: 3, height: 6, grey: 40),
    ]

    func testPagesAreDirectoriesWithoutThumbnailsAndMasks() throws {
        for (isBigEndian, isBig) in [(false, false), (true, false), (false, true), (true, true)] {
            let file = Self.file(pages, isBigEndian: isBigEndian, isBig: isBig)
            let found = TIFFPages(file)
            XCTAssertEqual(found.count, 3)
            for (index, page) in [pages[0], pages[2], pages[4]].enumerated() {
                let image = try EncodedImage(data: found.page(index))
                XCTAssertEqual([image.width, image.height], [page.width, page.height])
                XCTAssertEqual(
                    try image.decode(to: .grey8).bytes,
                    [[UInt8]](repeating: [UInt8](repeating: page.grey, count: page.width), count: page.height))
            }
            XCTAssertEqual(found.page(0), file)
            XCTAssertEqual(found.page(3), file)
            XCTAssertEqual(found.page(-1), file)
        }
    }

    func testASliceOfDataIsReadFromItsBeginning() throws {
        let file = Data([1, 2, 3]) + Self.file(pages)
        let found = TIFFPages(file.dropFirst(3))
        XCTAssertEqual(found.count, 3)
        XCTAssertEqual(try EncodedImage(data: Data(found.page(2))).height, 6)
    }

    func testOtherFormatsAndDamagedFilesHaveOnePage() {
        for data in [Data(), Data("II*".utf8), Fixture.jpegBaseline, Data(Self.file(pages).prefix(12))] {
            XCTAssertEqual(TIFFPages(data).count, 1)
            XCTAssertEqual(TIFFPages(data).page(0), data)
        }
    }

    func testListsThatRunInCirclesEnd() {
        XCTAssertEqual(TIFFPages(Self.file(pages, last: 8)).count, 3)
        XCTAssertEqual(TIFFPages(Self.file([pages[0]], last: 8)).count, 1)
    }

    func testAPageBeyondTheEndIsCountedAndCannotBeDecoded() {
        let found = TIFFPages(Self.file([pages[0]], last: 1 << 30))
        XCTAssertEqual(found.count, 2)
        XCTAssertThrowsError(try EncodedImage(data: found.page(1)))
    }

    func testTheNumberOfPagesIsLimited() {
        let many = [Page](repeating: Page(width: 1, height: 1, grey: 1), count: TIFFPages.limit + 5)
        XCTAssertEqual(TIFFPages(Self.file(many)).count, TIFFPages.limit)
    }
}
