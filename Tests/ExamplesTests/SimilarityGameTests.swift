import Foundation
import ModelTestSupport
import Vision
import XCTest

@testable import SimilarityGame

final class SimilarityGameTests: XCTestCase {
    private let folder = Result { try TemporaryFolder() }

    override func setUpWithError() throws {
        let original = try draw("probe") { $0.face(style: 0) }
        try requireModel { try VNImageRequestHandler(url: original).perform([VNGenerateImageFeaturePrintRequest()]) }
    }

    private func draw(_ name: String, _ draw: (Drawing) -> Void) throws -> URL {
        let drawing = try XCTUnwrap(Drawing())
        draw(drawing)
        let url = try folder.get().url.appendingPathComponent(name + ".png")
        XCTAssertTrue(drawing.write(to: url))
        return url
    }

    private func names(_ ranking: [Game.Entry]) -> [String] {
        ranking.map { $0.contestant.deletingPathExtension().lastPathComponent }
    }

    func testDrawingsOfAFaceAreNearerToAFaceThanATree() throws {
        let original = try draw("original") { $0.face(style: 0.2, isFilled: true) }
        let contestants = [
            try draw("tree") { $0.tree(style: 0.3) }, try draw("anna") { $0.face(style: 0.6) },
            try draw("big tree") { $0.tree(style: 1, isFilled: true) },
            try draw("ben") { $0.face(style: 1, isFilled: true) },
        ]
        let ranking = Game(original: original, contestants: contestants).ranking()
        XCTAssertEqual(ranking.count, 4)
        XCTAssertEqual(Set(names(ranking).prefix(2)), ["anna", "ben"], "\(ranking)")
        XCTAssertEqual(ranking.map(\.distance), ranking.map(\.distance).sorted(), "the nearest wins")
        XCTAssertTrue(ranking.allSatisfy { $0.distance > 0 && $0.distance.isFinite })
    }

    func testTreesWinWhereTheOriginalIsATree() throws {
        let original = try draw("original") { $0.tree(style: 0.5, isFilled: true) }
        let contestants = [
            try draw("anna") { $0.face(style: 0.1) }, try draw("ben") { $0.tree(style: 0.9) },
            try draw("cleo") { $0.face(style: 0.9, isFilled: true) },
        ]
        XCTAssertEqual(names(Game(original: original, contestants: contestants).ranking()).first, "ben")
    }

    func testTheOriginalItselfWinsWithDistance0() throws {
        let original = try draw("original") { $0.face(style: 0.4) }
        let other = try draw("other") { $0.face(style: 0.5) }
        let ranking = Game(original: original, contestants: [other, original]).ranking()
        XCTAssertEqual(names(ranking), ["original", "other"])
        XCTAssertEqual(ranking.first?.distance, 0)
    }

    func testPhotosThatCannotBeReadDoNotTakePart() throws {
        let original = try draw("original") { $0.face(style: 0.4) }
        let noise = try folder.get().write("no photo", "noise.png")
        let missing = try folder.get().url.appendingPathComponent("missing.png")
        let ranking = Game(original: original, contestants: [noise, missing, original]).ranking()
        XCTAssertEqual(names(ranking), ["original"])
        XCTAssertEqual(Game(original: noise, contestants: [original]).ranking().count, 0)
    }
}
