import Foundation
@testable import VisionModels
import XCTest

/// Dictionaries of Hunspell, written by the test.
final class LexiconTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    private func write(
        _ name: String, _ words: [String], _ encoding: String.Encoding = .utf8, _ label: String = "UTF-8"
    ) throws {
        let affixes = "SET \(label)\nSFX S Y 1\nSFX S 0 s .\n"
        try XCTUnwrap(affixes.data(using: encoding)).write(to: folder.appendingPathComponent(name + ".aff"))
        let list = "\(words.count)\n" + words.joined(separator: "\n") + "\n"
        try XCTUnwrap(list.data(using: encoding)).write(to: folder.appendingPathComponent(name + ".dic"))
    }

    func testWordsTheirFormsAndTheirCase() throws {
        try write("xx_XX", ["house/S", "Łódź", "don't", "Paris"])
        let lexicon = try XCTUnwrap(Lexicons(folders: [folder.path]).lexicon(for: "xx-XX"), "libhunspell is missing")
        for word in ["house", "houses", "House", "HOUSES", "Łódź", "don't", "don’t", "Paris"] {
            XCTAssertTrue(lexicon.contains(word), word)
        }
        for word in ["hous", "housess", "paris", "Łodź", "", "日本", String(repeating: "house", count: 1000)] {
            XCTAssertFalse(lexicon.contains(word), word)
        }
    }

    func testADictionaryInAnotherEncoding() throws {
        try write("yy", ["żółw", "zamek"], .isoLatin2, "ISO8859-2")
        let lexicon = try XCTUnwrap(Lexicons(folders: [folder.path]).lexicon(for: "yy-YY"))
        XCTAssertTrue(lexicon.contains("żółw"))
        XCTAssertTrue(lexicon.contains("zamek"))
        // What the encoding lacks is no word of it.
        XCTAssertFalse(lexicon.contains("日本"))
        XCTAssertFalse(lexicon.contains("żołw"))
    }

    func testMissingFilesAndUnknownEncodingsAreNoDictionaries() throws {
        try write("zz_ZZ", ["house"], .utf8, "EBCDIC-NO-SUCH")
        try Data("1\nhouse\n".utf8).write(to: folder.appendingPathComponent("ww_WW.dic"))
        let lexicons = Lexicons(folders: ["/nonexistent", folder.path])
        for language in ["zz-ZZ", "ww-WW", "vv-VV", "", "-"] {
            XCTAssertNil(lexicons.lexicon(for: language), language)
        }
    }

    func testAnotherRegionOfTheLanguageServes() throws {
        try write("qq_AA", ["house"])
        XCTAssertNotNil(Lexicons(folders: [folder.path]).lexicon(for: "qq-BB"))
        XCTAssertNil(Lexicons(folders: [folder.path]).lexicon(for: "q-BB"))
    }

    func testTheLanguageIsTheOneThatKnowsMostWords() throws {
        try write("aa_AA", ["one", "two", "three"])
        try write("bb_BB", ["un", "deux", "trois", "quatre", "two"])
        let lexicons = Lexicons(folders: [folder.path])
        func knows(_ words: [String], _ probe: String) -> Bool? {
            lexicons.lexicon(ofWords: words, among: ["zh-Hans", "aa-AA", "bb-BB"])?.contains(probe)
        }
        XCTAssertEqual(knows(["one", "two", "three", "deux"], "one"), true)
        XCTAssertEqual(knows(["un", "deux", "trois", "two"], "quatre"), true)
        // Too few words, or half of them unknown to all.
        XCTAssertNil(knows(["one", "two"], "one"))
        XCTAssertNil(knows(["one", "two", "three", "x", "y", "z", "w"], "one"))
        XCTAssertNil(knows([], "one"))
    }
}
