import Foundation
import VisionImage
import XCTest

@testable import VisionAlgorithms

final class TextLineTests: XCTestCase {
    /// Returns 0.9 for pixels whose centres lie in one of the boxes, else 0.05.
    private func map(_ boxes: [RotatedBox], width: Int, height: Int) -> TextMap {
        TextMap(
            width: width, height: height,
            values: (0..<width * height).map { index in
                let point = SIMD2(Double(index % width) + 0.5, Double(index / width) + 0.5)
                return boxes.contains { $0.contains(point) } ? 0.9 : 0.05
            })
    }

    private func box(_ x: Double, _ y: Double, _ length: Double, _ height: Double, degrees: Double = 0) -> RotatedBox {
        let angle = degrees * .pi / 180
        return RotatedBox(centre: SIMD2(x, y), axis: SIMD2(cos(angle), sin(angle)), length: length, height: height)
    }

    private func line(_ box: RotatedBox) -> FoundTextLine { FoundTextLine(box: box, score: 0.9) }

    // MARK: - Regions

    func testRegionsUseEightNeighboursAndAreJoinedInTheLastRow() {
        // A "W" whose arms meet only in the last row, and a diagonal beside it.
        let rows = ["#.#.#..#", "#.#.#...", "#.#.#.#.", "#####...", ".......#", "......#."]
        let map = TextMap(
            width: 8, height: 6, values: rows.flatMap { $0.map { $0 == "#" ? Float(1) : 0 } })
        let regions = map.regions(above: 0.5, smallest: 1, limit: 10)
        XCTAssertEqual(regions.map(\.count), [14, 2, 1, 1])
        XCTAssertEqual(regions.first?.mean, 1)
        XCTAssertEqual(map.regions(above: 0.5, smallest: 2, limit: 10).count, 2)
        XCTAssertEqual(map.regions(above: 0.5, smallest: 1, limit: 1).count, 1)
    }

    func testAMapInBandsHasTheLinesOfTheWhole() {
        let whole = map([box(100, 60, 150, 20, degrees: 20), box(60, 130, 80, 16)], width: 200, height: 160)
        var scan = TextRegionScan(threshold: TextLineFinder().threshold)
        for rows in [0..<55, 55..<56, 56..<160] {
            let values = Array(whole.values[rows.lowerBound * 200..<rows.upperBound * 200])
            scan.append(TextMap(width: 200, height: rows.count, values: values))
        }
        let found = TextLineFinder().lines(in: &scan).lines
        XCTAssertEqual(found.count, 2)
        XCTAssertEqual(found, TextLineFinder().lines(in: whole).lines)
    }

    func testNaNIsNotText() {
        var values = [Float](repeating: .nan, count: 400)
        for index in 100..<200 { values[index] = .infinity }
        let found = TextLineFinder().lines(in: TextMap(width: 20, height: 20, values: values))
        XCTAssertEqual(found.lines.count, 1)
        XCTAssertEqual(found.lines.first?.score, 1)
        XCTAssertTrue(found.lines.first?.box.quad.isFinite ?? false)
    }

    func testATextureGivesABoundedNumberOfRegions() {
        let map = TextMap(
            width: 600, height: 400,
            values: (0..<240_000).map { $0 % 600 % 4 < 2 && $0 / 600 % 4 < 2 ? 1 : 0 })
        XCTAssertEqual(map.regions(above: 0.5, smallest: 4, limit: 2_000).count, 2_000)
        XCTAssertEqual(TextLineFinder().lines(in: map).lines.count, 0)
    }

    // MARK: - Boxes

    func testRotatedTextLinesAreFoundWithTheirSizeAndReadToTheRight() throws {
        for degrees in [-80.0, -45, -10, 0, 10, 45, 80] {
            let drawn = box(100, 100, 120, 20, degrees: degrees)
            let found = TextLineFinder().lines(in: map([drawn], width: 200, height: 200)).lines
            XCTAssertEqual(found.count, 1)
            let line = try XCTUnwrap(found.first).box
            XCTAssertEqual(line.centre.x, 100, accuracy: 1)
            XCTAssertEqual(line.centre.y, 100, accuracy: 1)
            let sine = line.axis.x * drawn.axis.y - line.axis.y * drawn.axis.x
            XCTAssertEqual(sine, 0, accuracy: 0.02, "\(degrees)°")
            XCTAssertGreaterThan(line.axis.x, 0)
            // The network marks a region narrower than the text.
            let more = 2 * 0.25 * 120 * 20 / 140
            XCTAssertEqual(line.length, 120 + more, accuracy: 2.5)
            XCTAssertEqual(line.height, 20 + more, accuracy: 2.5)
        }
    }

    func testFaintAndThinRegionsAreDroppedAndTooTallOnesReportedSeparately() {
        let faint = TextMap(width: 60, height: 40, values: [Float](repeating: 0.3, count: 2_400))
        XCTAssertEqual(TextLineFinder().lines(in: faint).lines.count, 0)
        let thin = map([box(30, 20.5, 40, 0.9)], width: 60, height: 40)
        XCTAssertEqual(TextLineFinder().lines(in: thin).lines.count, 0)
        let huge = TextLineFinder().lines(in: map([box(150, 150, 280, 200)], width: 300, height: 300))
        XCTAssertEqual(huge.lines.count, 0)
        XCTAssertEqual(huge.tooTall.count, 1)
    }

    func testFewLettersAreAssumedUpright() {
        let square = box(0, 0, 20, 25).inReadingDirection(squareUpTo: 1.5)
        XCTAssertEqual(square.axis, SIMD2(1, 0))
        XCTAssertEqual(square.length, 20)
        let tall = box(0, 0, 20, 60).inReadingDirection(squareUpTo: 1.5)
        XCTAssertEqual(tall.length, 60)
        XCTAssertEqual(tall.axis.y, 1, accuracy: 1e-9)
        let upsideDown = box(0, 0, 60, 20, degrees: 175).inReadingDirection(squareUpTo: 1.5)
        XCTAssertGreaterThan(upsideDown.axis.x, 0.9)
    }

    // MARK: - Parts and order

    func testPartsOfATextLineAreJoinedAndColumnsAreNot() throws {
        let merging = TextLineMerging()
        for degrees in [0.0, 30, -70] {
            let axis = box(0, 0, 1, 1, degrees: degrees).axis
            func part(_ along: Double, _ length: Double) -> FoundTextLine {
                let centre = SIMD2(200, 200) + axis * along
                return line(box(centre.x, centre.y, length, 20, degrees: degrees))
            }
            let joined = merging.merged([part(70, 60), part(-60, 80), part(10, 44)])
            XCTAssertEqual(joined.count, 1, "\(degrees)°")
            XCTAssertEqual(try XCTUnwrap(joined.first).box.length, 200, accuracy: 1)
            XCTAssertEqual(try XCTUnwrap(joined.first).box.height, 20, accuracy: 1)
            XCTAssertEqual(merging.merged([part(-60, 80), part(60, 80)]).count, 2, "\(degrees)°")
        }
        let above = [line(box(100, 100, 120, 20)), line(box(100, 126, 120, 20))]
        XCTAssertEqual(merging.merged(above).count, 2)
        let unlike = [line(box(100, 100, 100, 20)), line(box(180, 100, 50, 44))]
        XCTAssertEqual(merging.merged(unlike).count, 2)
    }

    func testTextLinesAreSortedFromTopToBottomAndLeftToRight() {
        let boxes = [box(300, 104, 80, 20), box(100, 200, 80, 20), box(100, 100, 80, 20), box(200, 30, 80, 20)]
        let sorted = TextOrder.sorted(boxes.map(line)).map { [$0.box.centre.x, $0.box.centre.y] }
        XCTAssertEqual(sorted, [[200, 30], [100, 100], [300, 104], [100, 200]])
    }

    // MARK: - Characters

    /// Draws bars and dots as the characters of a text line, dark on a background that gets lighter.
    private func pyramid(_ glyphs: [(x: Int, width: Int, top: Int, bottom: Int)]) throws -> TextPyramid {
        let (width, height) = (320, 80)
        var pixels = (0..<width * height).map { UInt8(120 + 100 * ($0 % width) / width) }
        for glyph in glyphs {
            for row in glyph.top..<glyph.bottom {
                for column in glyph.x..<glyph.x + glyph.width { pixels[row * width + column] = 40 }
            }
        }
        let raster = try Raster(width: width, height: height, format: .grey8) { target, rowBytes in
            for row in 0..<height {
                for column in 0..<width {
                    target.storeBytes(
                        of: pixels[row * width + column], toByteOffset: row * rowBytes + column, as: UInt8.self)
                }
            }
        }
        return TextPyramid(raster, region: PixelRegion(width: width, height: height))
    }

    func testEachComponentOfInkIsACharacterAndDotsBelongToTheOneBelow() throws {
        let stems = (0..<8).map { (x: 20 + 30 * $0, width: 9, top: 20, bottom: 60) }
        let dotted = stems.map { ($0.x, $0.width, 32, 60) } + [(20 + 30 * 2 + 1, 7, 20, 26)]
        let whole = box(130, 40, 226, 42)
        for glyphs in [stems, dotted] {
            let found = try TextCharacterFinder(pyramid(glyphs)).characters(of: whole)
            XCTAssertEqual(found.count, 8)
            for (character, stem) in zip(found, stems) {
                XCTAssertEqual(character.centre.x, Double(stem.x) + 4.5, accuracy: 1.5)
                XCTAssertEqual(character.length, 9, accuracy: 2)
            }
        }
        let found = try TextCharacterFinder(pyramid(dotted)).characters(of: whole)
        XCTAssertEqual(found[2].height, 40, accuracy: 2)
        XCTAssertEqual(found[3].height, 28, accuracy: 2)
    }

    func testCharactersThatTouchAreCutWhereThereIsLittleInk() throws {
        // Six times an H; the third and the fourth are joined by a thin bar.
        let letters = (0..<6).map { 20 + 36 * $0 }
        let glyphs = letters.flatMap { x in
            [(x: x, width: 7, top: 20, bottom: 60), (x + 19, 7, 20, 60), (x, 26, 37, 44)]
        }
        let found = try TextCharacterFinder(pyramid(glyphs + [(letters[2] + 20, 20, 39, 41)]))
            .characters(of: box(123, 40, 212, 42))
        XCTAssertEqual(found.count, 6)
        for (character, x) in zip(found, letters) {
            XCTAssertEqual(character.centre.x, Double(x) + 13, accuracy: 4)
        }
    }

    func testLightInkOnABackgroundOfTwoGreysIsFound() throws {
        // A dark background that is lighter from the fourth letter on than the ink of the first.
        let (width, height) = (320, 80)
        let raster = try Raster(width: width, height: height, format: .grey8) { target, rowBytes in
            for row in 0..<height {
                for column in 0..<width {
                    let ground = column < 116 ? 30 : 130
                    let isInk = (20..<60).contains(row) && column >= 20 && column < 260 && (column - 20) % 30 < 8
                    target.storeBytes(
                        of: UInt8(isInk ? ground + 80 : ground), toByteOffset: row * rowBytes + column, as: UInt8.self)
                }
            }
        }
        let pyramid = TextPyramid(raster, region: PixelRegion(width: width, height: height))
        let found = try TextCharacterFinder(pyramid).characters(of: box(129, 40, 226, 42))
        XCTAssertEqual(found.map { ($0.centre.x / 30).rounded(.down) }, [0, 1, 2, 3, 4, 5, 6, 7])
    }

    func testAUniformBackgroundHasNoCharacters() throws {
        XCTAssertEqual(try TextCharacterFinder(pyramid([])).characters(of: box(2_000, 40, 100, 30)).count, 0)
        XCTAssertEqual(try TextCharacterFinder(pyramid([])).characters(of: box(100, 40, 0, 0)).count, 0)
        XCTAssertEqual(try TextCharacterFinder(pyramid([])).characters(of: box(.nan, 40, 100, 30)).count, 0)
    }
}
