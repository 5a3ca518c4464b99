@testable import VisionAlgorithms
import XCTest

final class WordCorrectionTests: XCTestCase {
    private let alphabet = [""] + "abcdefghijklmnopqrstuvwxyzABC019'’-,.漢".map(String.init) + [" "]

    /// A lattice that shows a text, a step for each character and an empty one after it, and other characters with a
    /// probability in its steps.
    private func lattice(_ text: String, others: [Int: (Character, Float)]) -> CTCLattice {
        var lattice = CTCLattice()
        for (place, character) in text.enumerated() {
            var values = [Float](repeating: 0, count: alphabet.count)
            values[index(character)] = 0.99
            if let (other, probability) = others[place] {
                values[index(character)] = 0.99 - probability
                values[index(other)] = probability
            }
            values.withUnsafeBufferPointer { lattice.appendStep($0) }
            values = values.map { _ in 0 }
            values[0] = 1
            values.withUnsafeBufferPointer { lattice.appendStep($0) }
        }
        return lattice
    }

    private func index(_ character: Character) -> Int { alphabet.firstIndex(of: String(character)) ?? 0 }

    /// The text of a lattice after correction.
    private func corrected(
        _ text: String, others: [Int: (Character, Float)], words: Set<String>
    ) throws -> (text: String, reading: CTCReading?) {
        let lattice = lattice(text, others: others)
        let first = try XCTUnwrap(CTCDecoder().readings(of: lattice, count: 1).first)
        XCTAssertEqual(first.characters.map { alphabet[$0.index] }.joined(), text)
        let reading = WordCorrection(alphabet: alphabet).applied(to: first, of: lattice) { words.contains($0) }
        return ((reading ?? first).characters.map { alphabet[$0.index] }.joined(), reading)
    }

    func testAnUnknownWordBecomesTheLikelyOneThatIsKnown() throws {
        let (text, reading) = try corrected(
            "the baroa, aa", others: [7: ("c", 0.05), 8: ("b", 0.4)], words: ["the", "barca"])
        XCTAssertEqual(text, "the barca, aa")
        let characters = try XCTUnwrap(reading).characters
        XCTAssertEqual(characters.map(\.step), (0..<13).map { 2 * $0 })
        // The shape speaks for both letters.
        XCTAssertEqual(characters[7].probability, 0.99, accuracy: 1e-5)
    }

    func testAKnownWordStaysWhateverElseIsLikely() throws {
        let (text, reading) = try corrected("cat dog", others: [0: ("b", 0.4)], words: ["cat", "bat", "dog"])
        XCTAssertEqual(text, "cat dog")
        XCTAssertNil(reading)
    }

    func testWhatIsUnlikelyDoesNotReplaceAWordTheLessTheShorterItIs() throws {
        let words: Set = ["car", "cartwheel"]
        // exp(-1) of .98 for three letters, exp(-5) for nine.
        XCTAssertEqual(try corrected("cbr", others: [1: ("a", 0.3)], words: words).text, "car")
        XCTAssertEqual(try corrected("cbr", others: [1: ("a", 0.2)], words: words).text, "cbr")
        XCTAssertEqual(try corrected("cbrtwheel", others: [1: ("a", 0.01)], words: words).text, "cartwheel")
        XCTAssertEqual(try corrected("cbrtwheel", others: [1: ("a", 0.005)], words: words).text, "cbrtwheel")
    }

    func testCodesNumbersPunctuationAndDividedWordsStay() throws {
        let words: Set = ["abc", "cab", "caba", "caba'b"]
        for (text, place) in [
            // Beside a digit, a word of two letters, and one that goes on in the next line.
            ("bab1", 0), ("0bab", 1), ("ba", 0), ("bab-", 0), ("bab- ", 0),
        ] {
            let (result, reading) = try corrected(text, others: [place: ("c", 0.45)], words: words)
            XCTAssertEqual(result, text)
            XCTAssertNil(reading, text)
        }
        // With a hyphen inside each part is a word.
        XCTAssertEqual(try corrected("bab-1", others: [0: ("c", 0.45)], words: words).text, "cab-1")
        // A digit never comes in, nor does it go.
        XCTAssertEqual(try corrected("cba", others: [1: ("1", 0.45)], words: ["c1a"]).text, "cba")
    }

    func testApostrophesBelongToWordsWhereLettersFollow() throws {
        let correction = WordCorrection(alphabet: alphabet)
        let text = "l'abc 'bab' a’b cc 漢abb"
        let lattice = lattice(text, others: [:])
        let reading = try XCTUnwrap(CTCDecoder().readings(of: lattice, count: 1).first)
        XCTAssertEqual(
            correction.words(of: reading).map { correction.text(of: $0, in: reading) }, ["l'abc", "bab", "a’b", "abb"])
    }

    func testALetterThatHardlyShowsIsFound() throws {
        func text(_ last: Float) throws -> String? {
            var lattice = CTCLattice()
            func step(_ values: [Int: Float]) {
                let row = alphabet.indices.map { values[$0] ?? 0 }
                row.withUnsafeBufferPointer { lattice.appendStep($0) }
            }
            for character in "bel" { step([index(character): 1]) }
            step([0: 1 - last, index("t"): last])
            let first = try XCTUnwrap(CTCDecoder().readings(of: lattice, count: 1).first)
            return WordCorrection(alphabet: alphabet).applied(to: first, of: lattice) { $0 == "belt" }?
                .characters.map { alphabet[$0.index] }.joined()
        }
        XCTAssertEqual(try text(0.4), "belt")
        XCTAssertNil(try text(0.2))
    }
}
