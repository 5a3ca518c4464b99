import ModelTestSupport
import Foundation
import Vision
import VisionExtras
import VisionModels
import VisionRecords
import VisionVideo
import XCTest

@testable import openvision
import VisionPhotos

/// How `openvision faces` prints and draws results. The requests have tests of their own.
final class FaceCommandTests: XCTestCase {
    private func requireNetworks() throws {
        _ = try requireModel { try FaceFinder(revision: nil, wantsLandmarks: true, wantsQuality: true) }
    }

    private func makeImage(in scratch: Scratch, _ name: String) throws -> String {
        let buffer = try CVPixelBuffer.make(width: 120, height: 90, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) {
            $0.fill(PixelRectangle(x: 0, y: 0, width: 120, height: 90), Colour(red: 90, green: 120, blue: 60))
            $0.fill(PixelRectangle(x: 20, y: 10, width: 40, height: 60), Colour(red: 20, green: 30, blue: 200))
        }
        try ImageFile.write(buffer, to: scratch.path(name))
        return scratch.path(name)
    }

    private func face(box: CGRect = CGRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)) throws -> VNFaceObservation {
        try DrawnLandmarks.face(box: box)
    }

    func testWrongCommandLinesExitWith64() throws {
        for (arguments, part) in [
            (["faces"], "images"), (["faces", "a.jpg", "--render", "b.gif"], "b.gif"),
            (["faces", "a.jpg", "--threads", "0"], "--threads"),
        ] {
            let run = try openvision(arguments)
            XCTAssertEqual(run.code, 64, "\(arguments)")
            XCTAssertTrue(run.errors.contains(part), "\(arguments): \(run.errors)")
        }
        XCTAssertTrue(try openvision(["faces", "--help"]).output.contains("Examples:"))
    }

    func testOptionsOfGroupsAreChecked() throws {
        for (arguments, part) in [
            (["--html", "a.html"], "--cluster"), (["--max-distance", "0.4"], "--cluster"),
            (["--cluster", "--max-distance", "0"], "above 0"), (["--cluster", "--max-distance", "inf"], "at most 2"),
            (["--cluster", "--landmarks"], "--cluster"), (["--cluster", "--html", "a.txt"], ".html"),
        ] {
            let run = try openvision(["faces", "a.jpg"] + arguments)
            XCTAssertEqual(run.code, 64, "\(arguments)")
            XCTAssertTrue(run.errors.contains(part), "\(arguments): \(run.errors)")
        }
    }

    func testPhotosWithoutFacesHaveNoPeople() throws {
        _ = try requireModel { try FacePrinter(revision: nil, minimumConfidence: 0) }
        let scratch = try Scratch()
        let photo = try makeImage(in: scratch, "a.png")
        let noise = try scratch.write(Data("no photo".utf8), "noise.jpg")
        let page = scratch.path("people.html")
        let run = try openvision(["faces", photo, noise, "--cluster", "--html", page])
        XCTAssertEqual(run.code, 1)
        XCTAssertEqual(run.lines, ["no faces"])
        XCTAssertTrue(try String(contentsOfFile: page, encoding: .utf8).contains("People"))
    }

    /// Two faces of one person and one of another: what is printed of them.
    func testPeopleAreListedWithTheBestFaceFirst() throws {
        func face(_ name: String, x: Double, quality: Float, number: Float) throws -> PhotoFace {
            PhotoFace(
                path: FilePath(name), box: CGRect(x: x, y: 20, width: 30, height: 40), confidence: 0.9,
                quality: quality, print: try PrintVector(revision: 1, elements: [number, 0]))
        }
        let groups = try PeopleGroups(
            [
                try face("a.jpg", x: 1, quality: 0.2, number: 0), try face("b.jpg", x: 2, quality: 0.9, number: 0.3),
                try face("c.jpg", x: 3, quality: 0.5, number: 2),
            ], distance: 0.5)
        let records = groups.records
        XCTAssertEqual(records.map(\.person), [1, 2])
        XCTAssertEqual(records[0].faces.map(\.path), ["b.jpg", "a.jpg"])
        XCTAssertEqual(records[0].faces.map(\.distance), [0, 0.3])
        XCTAssertEqual(records[0].faces[1].box, PixelRectangleRecord(x: 1, y: 20, width: 30, height: 40))
        XCTAssertEqual(records[1].faces.map(\.path), ["c.jpg"])
    }

    func testPhotosWithoutFacesAndFilesThatAreNotImages() throws {
        try requireNetworks()
        let scratch = try Scratch()
        let photo = try makeImage(in: scratch, "a.png")
        let noise = try scratch.write(Data("no photo".utf8), "noise.jpg")
        let text = try openvision(["faces", photo, "--landmarks", "--quality"])
        XCTAssertEqual(text.code, 0, text.errors)
        XCTAssertEqual(text.lines, [Substring(photo), "  no face"])
        let json = try openvision(["faces", photo, noise, "--landmarks", "--json"])
        XCTAssertEqual(json.code, 1)
        XCTAssertEqual(try json.path(0), photo)
        XCTAssertEqual(try json.results(0).count, 0)
        XCTAssertNotNil(try json.object(1)["error"] as? String)
    }

    func testDrawingsAreNumberedAndNeverOverwriteAPhoto() throws {
        try requireNetworks()
        let scratch = try Scratch()
        let photos = [try makeImage(in: scratch, "a.png"), try makeImage(in: scratch, "b.png")]
        let run = try openvision(["faces"] + photos + ["--render", scratch.path("out.png")])
        XCTAssertEqual(run.code, 0, run.errors)
        for name in ["out-1.png", "out-2.png"] {
            let source = try XCTUnwrap(
                CGImageSourceCreateWithURL(URL(fileURLWithPath: scratch.path(name)), nil), name)
            XCTAssertEqual(CGImageSourceCreateImageAtIndex(source, 0, nil)?.width, 120)
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: photos[1]))
        let refused = try openvision(["faces", photos[0], "--render", photos[0]])
        XCTAssertEqual(refused.code, 1)
        XCTAssertTrue(refused.errors.contains("not overwritten"), refused.errors)
        XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: photos[1])), before)
    }

    func testTheCaptionContainsTheKnownValues() throws {
        XCTAssertEqual(FacePainter.caption(of: try face(), number: 3), "3  93%  roll 29° yaw -14° pitch 7°")
        XCTAssertEqual(FacePainter.caption(of: VNFaceObservation(boundingBox: .zero), number: 1), "1  100%")
    }

    func testEveryRegionIsDrawnInItsColourAndNamed() throws {
        let buffer = try CVPixelBuffer.make(width: 600, height: 600, format: kCVPixelFormatType_32BGRA, path: "test")
        let drawn = try face()
        try Canvas.paint(on: buffer) { FacePainter(width: 600, height: 600).draw([drawn], on: $0) }
        var counts: [UInt32: Int] = [:]
        for y in 0..<600 {
            // The legend is at the lower left.
            for x in 0..<600 where x > 160 || y < 300 {
                let colour = try pixel(buffer, x, y)
                counts[UInt32(colour.red) << 16 | UInt32(colour.green) << 8 | UInt32(colour.blue), default: 0] += 1
            }
        }
        XCTAssertEqual(FacePainter.regions.count, 12)
        for region in FacePainter.regions {
            let key = UInt32(region.colour.red) << 16 | UInt32(region.colour.green) << 8 | UInt32(region.colour.blue)
            XCTAssertGreaterThan(counts[key] ?? 0, 0, region.name)
        }
    }

    func testFacesWithoutAPositionDrawNothingAndDoNotFail() throws {
        for box in [
            CGRect(x: 1e9, y: 0, width: 1, height: 1), CGRect(x: -3, y: -3, width: 9, height: 9),
            CGRect(x: 0.5, y: 0.5, width: 0, height: 0),
        ] {
            let buffer = try CVPixelBuffer.make(width: 60, height: 40, format: kCVPixelFormatType_32BGRA, path: "test")
            let drawn = try face(box: box)
            XCTAssertNoThrow(
                try Canvas.paint(on: buffer) { FacePainter(width: 60, height: 40).draw([drawn], on: $0) }, "\(box)")
        }
    }
}
