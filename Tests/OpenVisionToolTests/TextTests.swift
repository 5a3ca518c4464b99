import ModelTestSupport
import Foundation
import VisionImage
import VisionVideo
import XCTest

@testable import openvision

final class TextTests: XCTestCase {
    private let format = VideoFormat(width: 200, height: 100, rate: Ratio(25, 1))

    func testBoxIsReadFromFourNumbers() {
        XCTAssertEqual(PixelRegion("1,2,30,40"), PixelRegion(x: 1, y: 2, width: 30, height: 40))
        XCTAssertEqual(PixelRegion(" 1.5, -2 ,30,4e1"), PixelRegion(x: 1.5, y: -2, width: 30, height: 40))
        for wrong in [
            "", "1,2,3", "1,2,3,4,5", "1,2,0,4", "1,2,3,-4", "a,2,3,4", "1,,3,4", "nan,2,3,4", "1,2,inf,4", "1 2 3 4",
        ] {
            XCTAssertNil(PixelRegion(wrong), wrong)
        }
    }

    func testPixelsAndVisionCoordinatesAreConvertedBothWays() {
        let box = PixelRegion(x: 20, y: 10, width: 40, height: 30)
        let normalised = box.normalised(in: format)
        XCTAssertEqual(normalised.minX, 0.1, accuracy: 1e-12)
        XCTAssertEqual(normalised.minY, 0.6, accuracy: 1e-12)
        XCTAssertEqual(normalised.width, 0.2, accuracy: 1e-12)
        XCTAssertEqual(normalised.height, 0.3, accuracy: 1e-12)
        let back = PixelRegion(normalised: normalised, in: format)
        XCTAssertEqual(back.x, 20, accuracy: 1e-9)
        XCTAssertEqual(back.y, 10, accuracy: 1e-9)
    }

    func testBoxIsClippedToTheImage() {
        XCTAssertEqual(
            PixelRegion(x: -10, y: 90, width: 30, height: 30).clipped(to: format),
            PixelRegion(x: 0, y: 90, width: 20, height: 10))
        XCTAssertNil(PixelRegion(x: 200, y: 0, width: 5, height: 5).clipped(to: format))
    }

    func testCSVRowsHaveSixNumbersWithPoints() {
        let line = TrackCSV.line([1, 2.345, 30, 40.5], decimals: 2, 0.87654, milliseconds: 1.23456)
        XCTAssertEqual(line, "1.00,2.35,30.00,40.50,0.8765,1.235")
    }

    func testOneTargetKeepsTheFileNameSeveralAreNumbered() {
        XCTAssertEqual(TrackCSV.path("out/people.csv", target: 0, of: 1), "out/people.csv")
        XCTAssertEqual(TrackCSV.path("out/people.csv", target: 0, of: 2), "out/people-1.csv")
        XCTAssertEqual(TrackCSV.path("people.csv", target: 11, of: 12), "people-12.csv")
        XCTAssertEqual(TrackCSV.path("/a.b/people", target: 1, of: 2), "/a.b/people-2")
    }

    func testNamesAreOrderedByTheNumbersInThem() {
        let names = ["img10.jpg", "img2.jpg", "IMG1.jpg", "img002b.jpg", "a.jpg", "img99999999999999999999999.jpg"]
        XCTAssertEqual(
            names.sorted(by: NaturalOrder.precedes),
            ["a.jpg", "IMG1.jpg", "img2.jpg", "img002b.jpg", "img10.jpg", "img99999999999999999999999.jpg"])
        XCTAssertFalse(NaturalOrder.precedes("1.jpg", "1.jpg"))
        XCTAssertNotEqual(NaturalOrder.precedes("01.jpg", "1.jpg"), NaturalOrder.precedes("1.jpg", "01.jpg"))
    }

    func testTextFileHoldsEveryLineAfterClosing() throws {
        let scratch = try Scratch()
        let file = try TextFile(path: scratch.path("rows.csv"))
        for row in 0..<5000 { try file.add(line: "row \(row)") }
        try file.close()
        let lines = try String(contentsOfFile: scratch.path("rows.csv"), encoding: .utf8).split(separator: "\n")
        XCTAssertEqual(lines.count, 5000)
        XCTAssertEqual(lines.last, "row 4999")
        XCTAssertThrowsError(try TextFile(path: scratch.path("no/rows.csv")))
    }

    func testPercentilesAreValuesThatOccurred() {
        var timings = Timings()
        XCTAssertNil(timings.percentile(0.5))
        for value in [5.0, 1, 4, 2, 3] { timings.add(value) }
        XCTAssertEqual(timings.percentile(0.5), 3)
        XCTAssertEqual(timings.percentile(0.95), 5)
        XCTAssertEqual(timings.percentile(0), 1)
    }

    func testProgressLineContainsShareAndRate() {
        XCTAssertEqual(
            Progress.line(done: 50, total: 200, seconds: 2),
            "[#######.......................] 25 % 50/200, 25 frames/s, 6 s left")
        XCTAssertEqual(Progress.line(done: 50, total: nil, seconds: 0), "50 frames, 0.0 frames/s")
        XCTAssertTrue(Progress.line(done: 1, total: 1000, seconds: 2).hasSuffix("0.5 frames/s, 33:18 min left"))
        XCTAssertEqual(
            [0, 59.4, 60, 3599, 5400, .infinity].map(Progress.duration),
            [
                "0 s", "59 s", "1:00 min", "59:59 min", "1:30 h", "?",
            ])
        XCTAssertEqual(Count.text(1, "class", "classes"), "1 class")
        XCTAssertEqual(Count.text(0, "photo"), "0 photos")
        XCTAssertTrue(Progress.line(done: 300, total: 200, seconds: 1).contains("100 %"))
    }
}
