import ModelTestSupport
import Foundation
import Vision
import XCTest
@testable import openvision
import VisionPhotos

/// Versions of photos, keywords beside photos, and pages.
final class PhotoCollectionTests: XCTestCase {
    private func requireNetwork() throws {
        _ = try requireModel { try PhotoPrinter(revision: nil) }
    }

    func testVersionsOfAPhotoAreGroupedAndOthersAreNot() throws {
        try requireNetwork()
        let scratch = try Scratch()
        let first = try DrawnPhotos.write(1, "photos/a.png", in: scratch)
        for seed in 2...5 { try DrawnPhotos.write(UInt64(seed), "photos/\(seed).jpg", in: scratch) }
        try FileManager.default.copyItem(atPath: first, toPath: scratch.path("photos/copy.png"))
        let small = try Photo(FilePath(first))
        try Photo.write(
            small.image(
                of: PixelRegion(width: small.width, height: small.height), width: small.width * 3 / 4,
                height: small.height * 3 / 4),
            to: scratch.path("photos/small.jpg"))
        let page = scratch.path("page.html")
        let run = try openvision(["duplicates", scratch.path("photos"), "--json", "--html", page])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.count, 1, run.output)
        let photos = try XCTUnwrap(try run.object(0)["photos"] as? [[String: Any]])
        XCTAssertEqual(
            photos.compactMap { ($0["path"] as? String).map { URL(fileURLWithPath: $0).lastPathComponent } },
            ["a.png", "copy.png", "small.jpg"])
        XCTAssertEqual(photos[1]["distance"] as? Double, 0)
        XCTAssertEqual(
            try String(contentsOfFile: page, encoding: .utf8).components(separatedBy: "<figure>").count, 4)
        let none = try openvision(["duplicates", scratch.path("photos/2.jpg"), scratch.path("photos/2.jpg")])
        XCTAssertTrue(none.output.contains("no duplicates among 1 photo"), none.output)
    }

    func testKeywordsAreWrittenBesideThePhotoAndNeverOverOthers() throws {
        let scratch = try Scratch()
        let photo = FilePath(try scratch.write(Data("photo".utf8), "a.jpg"))
        let sidecar = URL(fileURLWithPath: scratch.path("a.jpg.xmp"))
        try XMPSidecar.write(["dog", "cat & <mouse>"], for: photo)
        let text = try String(contentsOf: sidecar, encoding: .utf8)
        XCTAssertTrue(text.contains("<rdf:li>dog</rdf:li>") && text.contains("cat &amp; &lt;mouse&gt;"), text)
        // One's own file is replaced.
        try XMPSidecar.write(["tench"], for: photo)
        XCTAssertTrue(try String(contentsOf: sidecar, encoding: .utf8).contains("tench"))
        try Data("<xmp>edited</xmp>".utf8).write(to: sidecar)
        XCTAssertThrowsError(try XMPSidecar.write(["dog"], for: photo))
        XCTAssertEqual(try String(contentsOf: sidecar, encoding: .utf8), "<xmp>edited</xmp>")
        XCTAssertThrowsError(try XMPSidecar.write(["dog"], for: FilePath(bytes: [0x2F, 0xFF])))
        XCTAssertThrowsError(try XMPSidecar.write(["dog"], for: FilePath(scratch.path("no/such.jpg"))))
        XCTAssertEqual(try openvision(["classify", "-", "--write-xmp"]).code, 64)
    }

    func testPagesEscapeNames() {
        let page = PhotoPage(
            title: "<&>",
            groups: [.init(heading: "h", entries: [.init(path: FilePath("/tmp/a\"<b>.jpg"), caption: "c & d")])])
        let text = page.html(["QUJD"])
        XCTAssertTrue(text.contains("<b>a&quot;&lt;b&gt;.jpg</b><br>c &amp; d"), text)
        XCTAssertTrue(text.contains("base64,QUJD"))
        XCTAssertFalse(text.contains("<&>"))
    }
}
