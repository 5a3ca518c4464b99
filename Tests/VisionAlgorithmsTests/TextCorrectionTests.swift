@testable import VisionAlgorithms
import XCTest

/// Letters among digits, and the confidence of lines.
final class TextCorrectionTests: XCTestCase {
    private let alphabet = [""] + "0123456789lIOaB.,-".map(String.init) + [" "]

    /// Reads a text of which every letter has a digit beside it.
    ///
    /// - Parameter digit: The probability of the digit that looks like the letter.
    private func corrected(_ text: String, digit: Float) throws -> String? {
        var lattice = CTCLattice()
        var characters: [CTCReading.Character] = []
        for (step, character) in text.enumerated() {
            let index = try XCTUnwrap(alphabet.firstIndex(of: String(character)))
            var values = [Float](repeating: 0, count: alphabet.count)
            let other = ["l": 2, "I": 2, "O": 1][character]
            if let other { values[other] = digit }
            values[index] = other == nil ? 1 : 1 - digit
            values.withUnsafeBufferPointer { lattice.appendStep($0) }
            characters.append(.init(index: index, step: step, probability: values[index]))
        }
        let numbers = NumberCorrection(alphabet: alphabet, space: alphabet.count - 1)
        return numbers.applied(to: CTCReading(characters: characters, logProbability: 0), of: lattice)?
            .characters.map { alphabet[$0.index] }.joined()
    }

    func testLettersAmongDigitsBecomeTheDigitsThatTheyLookLike() throws {
        for (text, wanted) in [
            ("l9,5", "19,5"), ("a l8. a", "a 18. a"), ("l.l.l944", "1.1.1944"), ("2O.l2", "2O.12"), ("9OO", "90O"),
            ("l8.aB", "18.aB"),
        ] { XCTAssertEqual(try corrected(text, digit: 0.02), wanted, text) }
        XCTAssertEqual(try corrected("47OO", digit: 0.3), "4700")
    }

    func testWordsWithOtherLettersStayAsTheyAre() throws {
        for text in ["al9", "BlO2", "lO", "I", "OI-l", "a.lO", "I-a5"] {
            XCTAssertNil(try corrected(text, digit: 0.3), text)
        }
    }

    func testALetterStaysWhereTheImageClearlyShowsIt() throws {
        XCTAssertNil(try corrected("l9", digit: 0.0005))
        XCTAssertNil(try corrected("5l", digit: 0.05), "five litres")
        XCTAssertEqual(try corrected("5l", digit: 0.3), "51")
    }

    func testTheConfidenceRisesWithTheScoreAndWithEachCharacter() {
        XCTAssertEqual(TextConfidence.score([]), 0)
        XCTAssertEqual(TextConfidence.score([1, 1]), 1)
        XCTAssertLessThan(TextConfidence.score([1, 0.5, 1]), TextConfidence.score([1, 0.9, 1]))
        XCTAssertEqual(TextConfidence.probability(ofScore: 0), 0)
        var before: Float = -1
        for step in 0...1000 {
            let probability = TextConfidence.probability(ofScore: Float(step) / 1000)
            XCTAssertGreaterThan(probability, before)
            before = probability
        }
        XCTAssertLessThan(before, 1)
        XCTAssertGreaterThan(before, 0.95)
        // A line of which one character is doubtful is wrong more often than the mean of its characters says.
        XCTAssertLessThan(TextConfidence.probability(ofScore: TextConfidence.score([1, 1, 1, 1, 0.5])), 0.6)
    }
}
