import ModelTestSupport
import Foundation
import Vision
import VisionVideo
import XCTest

@testable import openvision

final class FrameSourceTests: XCTestCase {
    private func write(_ sizes: [(width: Int, height: Int)], to scratch: Scratch) throws {
        for (index, size) in sizes.enumerated() {
            let buffer = try SyntheticVideo.frame(index, width: size.width, height: size.height)
            try writePNG(buffer, scratch.path("\(index).png"))
        }
    }

    func testFolderReturnsItsImagesUprightAndWithTheirColours() throws {
        let scratch = try Scratch()
        try write(Array(repeating: (160, 120), count: 11), to: scratch)
        let source = try OpenVideo.open(scratch.url.path, folderRate: Ratio(5, 1))
        XCTAssertEqual(source.format, VideoFormat(width: 160, height: 120, rate: Ratio(5, 1), statedFrameCount: 11))
        for index in 0..<11 {
            let frame = try XCTUnwrap(try source.next())
            let (x, y) = SyntheticVideo.corner(index)
            assertClose(try pixel(frame, x + 40, y + 40), SyntheticVideo.target, within: 1)
            XCTAssertEqual(source.currentTime, Double(index) / 5, accuracy: 1e-9)
            XCTAssertTrue(try source.currentFrameForDrawing() === frame)
        }
        XCTAssertNil(try source.next())
        XCTAssertThrowsError(try source.currentFrameForDrawing())
    }

    func testImageOfAnotherSizeEndsTheFolderWithAnErrorThatNamesIt() throws {
        let scratch = try Scratch()
        try write([(160, 120), (160, 120), (160, 100)], to: scratch)
        let source = try OpenVideo.open(scratch.url.path)
        XCTAssertNotNil(try source.next())
        XCTAssertNotNil(try source.next())
        XCTAssertThrowsError(try source.next()) { error in
            XCTAssertEqual((error as? VideoError)?.kind, .damaged)
            XCTAssertTrue("\(error)".contains("2.png"), "\(error)")
        }
    }

    func testBrokenImageIsNamed() throws {
        let scratch = try Scratch()
        try write([(160, 120)], to: scratch)
        try scratch.write(Data("no image".utf8), "5.jpg")
        let source = try OpenVideo.open(scratch.url.path)
        XCTAssertNotNil(try source.next())
        XCTAssertThrowsError(try source.next()) { XCTAssertTrue("\($0)".contains("5.jpg"), "\($0)") }
    }

    func testStartGoesToThatFrameAndBeyondTheEndIsAnError() throws {
        let scratch = try Scratch()
        let video = scratch.path("video.mp4")
        try SyntheticVideo.write(to: video, frames: 12)
        let source = try OpenVideo.open(video, range: FrameRange(start: 7, end: nil))
        XCTAssertNotNil(try source.next())
        XCTAssertEqual(source.currentTime, 0.7, accuracy: 1e-3)
        let (x, y) = SyntheticVideo.corner(7)
        assertClose(try pixel(try source.currentFrameForDrawing(), x + 40, y + 40), SyntheticVideo.target, within: 12)
        XCTAssertThrowsError(try OpenVideo.open(video, range: FrameRange(start: 13, end: nil)))
    }

    func testRangeCountsItsFramesAsFarAsTheyAreKnown() {
        XCTAssertEqual(FrameRange(start: 10, end: nil).count(of: 50), 40)
        XCTAssertEqual(FrameRange(start: 10, end: 20).count(of: 50), 10)
        XCTAssertEqual(FrameRange(start: 10, end: 20).count(of: nil), 10)
        XCTAssertNil(FrameRange(start: 10, end: nil).count(of: nil))
        XCTAssertEqual(FrameRange(start: 60, end: nil).count(of: 50), 0)
    }

    func testRatesAreReadAsNumbersOrFractions() {
        XCTAssertEqual(Ratio("30000/1001"), Ratio(30000, 1001))
        XCTAssertEqual(Ratio("12.5")?.value, 12.5)
        for wrong in ["", "0", "-3", "a", "1/0", "1/2/3", "inf", "nan"] { XCTAssertNil(Ratio(wrong), wrong) }
    }
}
