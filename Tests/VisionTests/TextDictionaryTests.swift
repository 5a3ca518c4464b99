import Foundation
import ModelTestSupport
import Vision
import VisionAlgorithms
import VisionImage
import VisionModels
import XCTest

/// Words that are corrected by dictionaries, which the tests write, on a line with a letter between E and F.
final class TextDictionaryTests: XCTestCase {
    private var folder = URL(fileURLWithPath: "/")

    override func setUpWithError() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() { try? FileManager.default.removeItem(at: folder) }

    private func write(_ language: String, _ words: [String]) throws {
        try Data("SET UTF-8\n".utf8).write(to: folder.appendingPathComponent(language + ".aff"))
        try Data("\(words.count)\n\(words.joined(separator: "\n"))\n".utf8)
            .write(to: folder.appendingPathComponent(language + ".dic"))
    }

    /// A mean of two lines, "HOTEL LANE" and "HOTFL LANE", weighted so that the network finds both likely.
    private func page() throws -> Raster {
        let frames = ["HOTEL LANE", "HOTFL LANE"].map {
            DrawnText.frame([DrawnText(text: $0, x: 190, y: 30, height: 30)], width: 380, height: 60)
        }
        return try Raster(width: 380, height: 60, format: .rgb8) { pixels, rowBytes in
            for row in 0..<60 {
                for column in 0..<380 {
                    let mean = (13 * Int(frames[0][column, row]) + 87 * Int(frames[1][column, row])) / 100
                    for channel in 0..<3 {
                        pixels.storeBytes(
                            of: UInt8(mean), toByteOffset: row * rowBytes + 3 * column + channel, as: UInt8.self)
                    }
                }
            }
        }
    }

    /// The readings of the line, which is read three times, so that there are words enough to know a language by.
    private func read(_ languages: [String]) throws -> [[TextLineReading]] {
        var settings = TextReader.Settings()
        settings.dictionaryLanguages = languages
        let line = RotatedBox(centre: SIMD2(190, 30), axis: SIMD2(1, 0), length: 270, height: 34)
        let region = PixelRegion(x: 0, y: 0, width: 380, height: 60)
        return try TextReader(settings, lexicons: Lexicons(folders: [folder.path])).read(
            [line, line, line], in: TextPyramid(page(), region: region)
        ) { _ in }.map(\.readings)
    }

    func testTheDictionaryDecidesBetweenLikelyReadings() throws {
        _ = try requireModel { try TextRecognitionNetwork.shared(.small) }
        try write("aa_AA", ["hotel", "lane"])
        try write("bb_BB", ["hotfl", "lane"])
        try write("cc_CC", ["motel", "lane"])
        for (language, text, other) in [("aa-AA", "HOTEL LANE", "HOTFL LANE"), ("bb-BB", "HOTFL LANE", "HOTEL LANE")] {
            let lines = try read([language])
            XCTAssertEqual(lines.count, 3)
            for readings in lines {
                XCTAssertEqual(readings.first?.text, text)
                // What was corrected stays a candidate, and none is there twice.
                XCTAssertTrue(readings.dropFirst().contains { $0.text == other })
                XCTAssertEqual(Set(readings.map(\.text)).count, readings.count)
                XCTAssertEqual(readings.map(\.confidence), readings.map(\.confidence).sorted(by: >))
            }
        }
        // The line stays as the network reads it without a dictionary, and where that has nothing like it.
        let plain = try read([])
        XCTAssertEqual(try read(["dd-DD", "zh-Hans"]), plain)
        XCTAssertEqual(try read(["cc-CC"]), plain)
    }
}
