import Foundation
import TextLayout
import VisionImage
import XCTest

final class ShapedLineTests: XCTestCase {
    private func line(_ text: String, size: Double = 20, family: String = "DejaVu Sans") -> ShapedLine {
        ShapedLine([TextPiece(text: text, font: FontRequest(family: family), size: size)])
    }

    private func glyphs(_ text: String) -> [UInt32] { line(text).runs.flatMap { $0.glyphs.map(\.identifier) } }

    private func box(_ text: String) -> CGRect {
        line(text).runs.reduce(CGRect.null) { $0.union($1.outline().boundingBoxOfPath) }
    }

    private func words(_ text: String) -> [String] {
        line(text).runs.map { $0.text.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    func testLettersAreJoinedAndKerned() {
        XCTAssertEqual(glyphs("fi").count, 1)
        XCTAssertEqual(glyphs("f\u{200C}i").filter { $0 == glyphs("f")[0] || $0 == glyphs("i")[0] }.count, 2)
        XCTAssertLessThan(line("AV").width, line("A").width + line("V").width - 0.5)
        XCTAssertEqual(line("HH", size: 40).width, 2 * line("HH", size: 20).width, accuracy: 1e-9)
    }

    func testMarksStandAboveTheirLetters() {
        XCTAssertEqual(glyphs("e\u{301}"), glyphs("é"))
        // No single character: the mark is a glyph of its own, over the middle of the letter.
        let (plain, marked) = (box("x"), box("x\u{301}"))
        XCTAssertEqual(glyphs("x\u{301}").count, 2)
        XCTAssertGreaterThan(marked.maxY, plain.maxY + 2)
        XCTAssertEqual(marked.width, plain.width, accuracy: 0.5)
        XCTAssertEqual(line("x\u{301}").width, line("x").width, accuracy: 1e-9)
    }

    func testArabicIsJoinedFromRightToLeft() throws {
        // The final, middle and first form of one letter, from left to right.
        let forms = glyphs("سسس")
        XCTAssertEqual(Set(forms).count, 3)
        XCTAssertFalse(forms.contains(glyphs("س")[0]))
        let run = try XCTUnwrap(line("سلام").runs.first)
        XCTAssertTrue(run.isRightToLeft)
        XCTAssertEqual(run.text, "سلام")
        XCTAssertLessThan(line("لا").width, line("ل").width + line("ا").width)
    }

    func testDirectionsAreMixedAsUnicodeSays() {
        XCTAssertEqual(words("abc שלום def"), ["abc", "שלום", "def"])
        XCTAssertEqual(words("שלום 123 abc"), ["abc", "123", "שלום"])
        XCTAssertEqual(words("abc שלום 12 עולם"), ["abc", "עולם", "12", "שלום"])
        // Runs follow each other without gaps.
        var end = 0.0
        for run in line("abc שלום 12 עולם").runs {
            XCTAssertEqual(run.offset, end, accuracy: 1e-9)
            end += run.width
        }
        XCTAssertEqual(end, line("abc שלום 12 עולם").width, accuracy: 1e-9)
    }

    func testMissingLettersComeFromOtherFonts() throws {
        let mixed = line("A中あ")
        XCTAssertFalse(mixed.lacksGlyphs)
        let latin = try XCTUnwrap(mixed.runs.first)
        XCTAssertFalse(mixed.runs.dropFirst().contains { $0.face === latin.face })
        // Letters as wide as they are high, with ink, and not the box of a missing glyph.
        for text in ["中", "あ"] {
            XCTAssertEqual(line(text).width, 20, accuracy: 2)
            XCTAssertGreaterThan(box(text).width, 12)
            XCTAssertNotEqual(glyphs(text), [0])
        }
        XCTAssertNotEqual(box("中"), box("国"))
        XCTAssertTrue(line("\u{10FFFD}").lacksGlyphs)
        XCTAssertEqual(glyphs("\u{10FFFD}"), [0])
        // Words stay in one font, with their spaces and marks.
        XCTAssertEqual(line("中\u{FE0E}国").runs.count, 1)
    }

    func testIndicVowelsAreReordered() throws {
        let consonant = try XCTUnwrap(glyphs("क").first)
        XCTAssertNotEqual(consonant, 0)
        // The vowel is written before its consonant.
        let syllable = glyphs("कि")
        XCTAssertEqual(syllable.count, 2)
        XCTAssertEqual(syllable.last, consonant)
        // Two consonants make one.
        XCTAssertEqual(glyphs("क्ष").count, 1)
    }

    func testPiecesKeepTheirFonts() {
        let shaped = ShapedLine([
            TextPiece(text: "one ", font: FontRequest(family: "DejaVu Sans"), size: 10),
            TextPiece(text: "two", font: FontRequest(family: "DejaVu Sans", isBold: true), size: 30),
        ])
        XCTAssertEqual(shaped.runs.map(\.piece), [0, 1])
        XCTAssertEqual(shaped.runs.map(\.text), ["one ", "two"])
        XCTAssertFalse(shaped.runs[0].face === shaped.runs[1].face)
        XCTAssertEqual(shaped.ascent, line("", size: 30).ascent, accuracy: 0.5)
        let rounded = ShapedLine(
            [TextPiece(text: "wide", font: FontRequest(family: "DejaVu Sans"), size: 13)], roundsAdvances: true)
        XCTAssertEqual(rounded.width, rounded.width.rounded())
    }

    func testHostileTexts() {
        let texts = [
            "", "\0", "a\nb\u{2029}c", String(repeating: "\u{202E}\u{2067}(", count: 3000),
            "a" + String(repeating: "\u{301}", count: 20_000), String(repeating: "🏳️‍🌈", count: 300),
            String(repeating: "مرحبا abc ", count: 3000), "\u{FFFF}\u{FFFE}", String(repeating: "क्", count: 5000),
        ]
        for text in texts {
            let shaped = line(text)
            XCTAssertTrue(shaped.width.isFinite && shaped.width >= 0)
            for run in shaped.runs { _ = run.outline() }
        }
        XCTAssertEqual(line("a\nb").width, line("a b").width)
        for family in ["", "no such family", "\0", String(repeating: "x", count: 5000)] {
            XCTAssertGreaterThan(line("abc", family: family).width, 10)
        }
        XCTAssertEqual(
            line(String(repeating: "a", count: ShapedLine.maximumLength + 10)).runs.map(\.glyphs.count).reduce(0, +),
            ShapedLine.maximumLength)
    }

    func testThreadsGetTheSameGlyphs() {
        let texts = (0..<64).map { "Wörter \($0) مرحبا 中 कि \(String(repeating: "fi", count: $0 % 7))" }
        let expected = texts.map { line($0).width }
        nonisolated(unsafe) var found = [Double](repeating: 0, count: texts.count)
        let lock = NSLock()
        DispatchQueue.concurrentPerform(iterations: texts.count) { index in
            let width = ShapedLine([
                TextPiece(text: texts[index], font: FontRequest(family: "DejaVu Sans"), size: 20)
            ]).width
            lock.withLock { found[index] = width }
        }
        XCTAssertEqual(found, expected)
    }
}
