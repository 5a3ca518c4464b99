import Foundation
@testable import VisionAlgorithms
import VisionImage
import XCTest

final class CTCDecoderTests: XCTestCase {
    private let alphabet = ["", "a", "b", "c", " "]

    private func lattice(_ steps: [[Float]]) -> CTCLattice {
        var lattice = CTCLattice()
        for step in steps { step.withUnsafeBufferPointer { lattice.appendStep($0) } }
        return lattice
    }

    private func texts(_ readings: [CTCReading]) -> [String] {
        readings.map { $0.characters.map { alphabet[$0.index] }.joined() }
    }

    func testRepeatedStepsAreOneCharacterAndABlankSeparatesTwo() {
        let a: [Float] = [0, 1, 0, 0, 0], none: [Float] = [1, 0, 0, 0, 0], b: [Float] = [0, 0, 1, 0, 0]
        for (steps, text) in [
            ([a, a, a], "a"), ([a, none, a], "aa"), ([none, a, b, b, none], "ab"), ([none, none], ""), ([], ""),
        ] {
            XCTAssertEqual(texts(CTCDecoder().readings(of: lattice(steps), count: 3)).first, text)
        }
    }

    func testTheMostProbableTextIsThatOfAllAlignmentsTogether() {
        // The best single path is empty (.6 × .6 = .36); “a” is shown by three paths: .4 × .4 + 2 × .24 = .64.
        let readings = CTCDecoder().readings(of: lattice([[0.6, 0.4], [0.6, 0.4]]), count: 2)
        XCTAssertEqual(texts(readings), ["a", ""])
        XCTAssertEqual(exp(readings[0].logProbability), 0.64, accuracy: 1e-6)
        XCTAssertEqual(exp(readings[1].logProbability), 0.36, accuracy: 1e-6)
    }

    /// All texts of short random lattices, against the sum over every path.
    func testProbabilitiesOfRandomLatticesAreExact() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<30 {
            let steps = (0..<4).map { _ in
                let values = (0..<3).map { _ in Float(random.unit()) + 0.05 }
                return values.map { $0 / values.reduce(0, +) }
            }
            var sums: [[Int]: Double] = [:]
            for path in 0..<81 {
                let classes = [path % 3, path / 3 % 3, path / 9 % 3, path / 27]
                let probability = zip(classes, steps).reduce(1.0) { $0 * Double($1.1[$1.0]) }
                var text: [Int] = []
                for (index, number) in classes.enumerated()
                where number != 0 && (index == 0 || classes[index - 1] != number) { text.append(number) }
                sums[text, default: 0] += probability
            }
            var decoder = CTCDecoder()
            decoder.beamWidth = 100
            for reading in decoder.readings(of: lattice(steps), count: 100) {
                XCTAssertEqual(
                    exp(reading.logProbability), sums[reading.characters.map(\.index)] ?? -1, accuracy: 1e-6)
            }
        }
    }

    func testEachCharacterStandsWhereItIsMostProbable() {
        let readings = CTCDecoder().readings(
            of: lattice([
                [1, 0, 0, 0, 0], [0.5, 0.5, 0, 0, 0], [0.1, 0.9, 0, 0, 0], [0.4, 0.6, 0, 0, 0], [0, 0, 0.8, 0.2, 0],
            ]), count: 2)
        XCTAssertEqual(texts(readings), ["ab", "ac"])
        XCTAssertEqual(readings[0].characters.map(\.step), [2, 4])
    }

    func testStepsThatShowNothingAllowedDoNotEndTheReading() {
        var lattice = CTCLattice()
        for values in [[0, 1, 0], [0, 0, 1], [0, 1, 0]] as [[Float]] {
            values.withUnsafeBufferPointer { lattice.appendStep($0, isAllowed: [true, true, false]) }
        }
        XCTAssertEqual(texts(CTCDecoder().readings(of: lattice, count: 2)).first, "aa")
    }

    func testLongUncertainLinesDoNotUnderflow() throws {
        // A thousand steps whose best class has the probability .1: the product is 10⁻¹⁰⁰⁰.
        let one: [Float] = [0.02, 0.1, 0.05, 0.01, 0], other: [Float] = [0.02, 0.01, 0.1, 0.05, 0]
        let readings = CTCDecoder().readings(of: lattice((0..<1000).map { $0 % 2 == 0 ? one : other }), count: 3)
        XCTAssertEqual(readings.count, 3)
        let best = try XCTUnwrap(readings.first)
        XCTAssertGreaterThan(best.characters.count, 500)
        XCTAssertTrue(best.logProbability.isFinite)
        XCTAssertLessThan(best.logProbability, -1500)
    }

    func testClassesThatAreNotAllowedAreLeftOut() {
        var lattice = CTCLattice()
        let values: [Float] = [0.1, 0.7, 0.2, 0, 0]
        values.withUnsafeBufferPointer { lattice.appendStep($0, isAllowed: [false, false, true, true, true]) }
        XCTAssertEqual(texts(CTCDecoder().readings(of: lattice, count: 5)), ["b", ""])
        XCTAssertEqual(lattice.probability(of: 1, step: 0), 0)
        XCTAssertEqual(lattice.probability(of: 2, step: 0), 0.2)
    }

    func testAPriorRaisesTheOddsOfAClass() {
        var lattice = CTCLattice()
        let steps: [[Float]] = [[0, 1, 0, 0, 0], [0.8, 0, 0, 0, 0.2], [0, 0, 1, 0, 0], [1, 0, 0, 0, 0]]
        for step in steps {
            step.withUnsafeBufferPointer { lattice.appendStep($0, prior: .init(index: 4, odds: 8)) }
        }
        // Odds of 0.2 : 0.8 become 1.6 : 0.8; where the class is impossible nothing changes.
        XCTAssertEqual(lattice.probability(of: 4, step: 1), 2.0 / 3, accuracy: 1e-6)
        XCTAssertEqual(lattice.probability(of: 0, step: 1), 1.0 / 3, accuracy: 1e-6)
        XCTAssertEqual(lattice.best(ofStep: 3).probability, 1)
        XCTAssertEqual(texts(CTCDecoder().readings(of: lattice, count: 1)), ["a b"])
        XCTAssertEqual(texts(CTCDecoder().readings(of: self.lattice(steps), count: 1)), ["ab"])
    }

    func testTheEndsOfALineBelongToItsFirstAndLastCharacter() throws {
        func spans(_ steps: [Int]) -> [ClosedRange<Double>] {
            let characters = steps.map { CTCReading.Character(index: 1, step: $0, probability: 1) }
            return TextLineReading(
                CTCReading(characters: characters, logProbability: 0), alphabet: alphabet, stepLength: 0.05, offset: 0
            ).spans
        }
        // A digit alone fills its line.
        XCTAssertEqual(spans([9]), [0...1])
        // What was not read is not part of a character: here the second half of a line.
        XCTAssertEqual(try XCTUnwrap(spans([1, 3, 5]).last).upperBound, 0.325, accuracy: 1e-9)
    }

    func testASpanOfTheTextIsWhereItsCharactersStand() throws {
        // Steps 1, 3, 5 and 7 of ten show “ab c” with the space at 5.
        let characters = [(1, 1), (2, 3), (4, 5), (3, 7)].map {
            CTCReading.Character(index: $0.0, step: $0.1, probability: 0.9)
        }
        let reading = TextLineReading(
            CTCReading(characters: characters, logProbability: 0), alphabet: alphabet, stepLength: 0.1, offset: 0)
        XCTAssertEqual(reading.text, "ab c")
        func span(_ bytes: Range<Int>) throws -> [Double] {
            let span = try XCTUnwrap(reading.span(ofBytes: bytes))
            return [span.lowerBound, span.upperBound]
        }
        for (bytes, wanted) in [
            (0..<1, [0, 0.25]), (1..<2, [0.25, 0.45]), (0..<2, [0, 0.45]), (3..<4, [0.65, 1]),
        ] {
            for (a, b) in zip(try span(bytes), wanted) { XCTAssertEqual(a, b, accuracy: 1e-9, "\(bytes)") }
        }
        XCTAssertNil(reading.span(ofBytes: 1..<1))
        XCTAssertNil(reading.span(ofBytes: 9..<12))
    }

    func testCustomWordsReplaceWhatResemblesThem() throws {
        let letters = ["", "c", "a", "t", "o", "d", " "]
        let classes = Dictionary(uniqueKeysWithValues: letters.enumerated().map { ($1, $0) })
        // “cot”, where the second letter is an “a” almost as likely.
        let steps: [[Float]] = [
            [0, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0], [0, 0, 0.4, 0, 0.6, 0, 0], [1, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 1, 0, 0, 0],
        ]
        let lattice = lattice(steps)
        let best = try XCTUnwrap(CTCDecoder().readings(of: lattice, count: 1).first)
        func applied(_ words: [String], _ lattice: CTCLattice) -> String? {
            CustomWords(words).applied(
                to: best, of: lattice, classes: classes, alphabet: letters, space: 6
            )?.characters.map { letters[$0.index] }.joined()
        }
        XCTAssertEqual(applied(["cat"], lattice), "cat")
        XCTAssertNil(applied(["dad"], lattice), "too different")
        XCTAssertNil(applied(["cxt"], lattice), "not in the alphabet")
        XCTAssertNil(applied([], lattice))
        var clear = steps
        clear[2] = [0, 0, 0, 0, 1, 0, 0]
        XCTAssertNil(applied(["cat"], self.lattice(clear)), "the image clearly shows another word")
    }
}
