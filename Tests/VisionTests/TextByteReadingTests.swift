import Foundation
import ModelTestSupport
import VisionAlgorithms
import VisionImage
import VisionInference
import VisionModels
import XCTest

/// The networks in 8 bits, and when the recogniser in floats reads again.
final class TextByteReadingTests: XCTestCase {
    private static let drawn = DrawnText(text: "NORTH LANE", x: 190, y: 30, height: 30)

    private func page() throws -> Raster {
        let frame = DrawnText.frame([Self.drawn], width: 380, height: 60)
        return try Raster(width: 380, height: 60, format: .rgb8) { pixels, rowBytes in
            for row in 0..<60 {
                for column in 0..<380 {
                    for channel in 0..<3 {
                        pixels.storeBytes(
                            of: frame[column, row], toByteOffset: row * rowBytes + 3 * column + channel, as: UInt8.self)
                    }
                }
            }
        }
    }

    private func readings(doubtful: Range<Float>) throws -> [ReadTextLine] {
        var settings = TextReader.Settings()
        settings.doubtfulScores = doubtful
        let line = RotatedBox(centre: SIMD2(190, 30), axis: SIMD2(1, 0), length: 270, height: 34)
        let region = PixelRegion(x: 0, y: 0, width: 380, height: 60)
        return try TextReader(settings).read([line], in: TextPyramid(page(), region: region)) { _ in }
    }

    func testBytesReadWhatFloatsRead() throws {
        for size in TextNetworkSize.allCases {
            try checkReading(by: requireModel { try TextRecognitionNetwork(size, usesBytes: true) })
            XCTAssertFalse(try TextRecognitionNetwork(size, usesBytes: false).hasBytes)
        }
    }

    private func checkReading(by network: TextRecognitionNetwork) throws {
        XCTAssertTrue(network.hasBytes)
        // 48 rows, as the recogniser takes them.
        let strips = [try page().cropped(x: 0, y: 6, width: 380, height: 48)]
        let floats = try network.lattices(of: strips, columns: 384)
        let bytes = try network.lattices(of: strips, columns: 384, inBytes: true)
        XCTAssertNotEqual(bytes, floats, "the network in 8 bits has run")
        func text(_ lattice: CTCLattice) -> String {
            let best = CTCDecoder().readings(of: lattice, count: 1).first
            let text = best.map { $0.characters.map { network.alphabet[$0.index] }.joined() } ?? ""
            return text.trimmingCharacters(in: .whitespaces)
        }
        XCTAssertEqual(text(floats[0]), "NORTH LANE")
        XCTAssertEqual(text(bytes[0]), "NORTH LANE")
        let differences = (0..<floats[0].stepCount).map { step in
            let (index, probability) = floats[0].best(ofStep: step)
            return abs(bytes[0].probability(of: index, step: step) - probability)
        }
        XCTAssertLessThan(differences.reduce(0, +) / Float(differences.count), 0.05)
        XCTAssertLessThan(try XCTUnwrap(differences.max()), 0.5)
        XCTAssertEqual(
            try network.lattices(of: strips, columns: 384, inBytes: true, threads: 1), bytes, "threads change nothing")
    }

    func testDoubtfulLinesAreReadAgainInFloats() throws {
        let network = try requireModel { try TextRecognitionNetwork.shared(.small) }
        try XCTSkipUnless(network.hasBytes, "the processor has no fast products of bytes")
        let (never, always) = (try readings(doubtful: 0..<0), try readings(doubtful: 0..<2))
        let usual = try readings(doubtful: TextReader.Settings().doubtfulScores)
        XCTAssertEqual(never.first?.readings.first?.text, "NORTH LANE")
        XCTAssertEqual(always.first?.readings.first?.text, "NORTH LANE")
        XCTAssertNotEqual(never.first?.readings, always.first?.readings, "one is read in bytes, the other in floats")
        XCTAssertEqual(usual.first?.readings, never.first?.readings, "a clear line needs no floats")
        let hopeless = try readings(doubtful: 1.5..<2)
        XCTAssertEqual(hopeless.first?.readings, never.first?.readings, "floats would not make it better")
    }

    func testDetectorsInBytesFindWhatThoseInFloatsFind() throws {
        for size in TextNetworkSize.allCases {
            let (floats, bytes) = try requireModel {
                (try TextNetwork.shared(size), try TextNetwork.shared(size, inBytes: true))
            }
            XCTAssertTrue(try TextNetwork.shared(size, inBytes: true) === bytes)
            XCTAssertFalse(try TextNetwork.shared(size) === bytes)
            let image = try page()
            let (a, b) = (try floats.map(of: image), try bytes.map(of: image))
            XCTAssertNotEqual(a.values, b.values, "the network in 8 bits has run")
            let differences = zip(a.values, b.values).map { abs($0 - $1) }
            XCTAssertLessThan(differences.reduce(0, +) / Float(differences.count), 0.02)
            XCTAssertGreaterThan(a.values.count { $0 > 0.5 }, 1000)
            XCTAssertEqual(try bytes.map(of: image, threads: 1).values, b.values, "threads change nothing")
        }
    }

    func testWhatPrefersBytesFindsLinesInThemWhereTheyAreFast() throws {
        _ = try requireModel { try TextNetwork.shared() }
        let image = try page()
        func lines(_ prefersBytes: Bool) throws -> [FoundTextLine] {
            var settings = TextDetector.Settings()
            settings.prefersBytes = prefersBytes
            return try TextDetector(settings).lines(in: PixelRegion(width: 380, height: 60)) { _ in image }
        }
        let (floats, bytes) = (try lines(false), try lines(true))
        XCTAssertEqual(floats.count, 1)
        XCTAssertEqual(bytes.count, 1)
        XCTAssertEqual(floats.map(\.score) != bytes.map(\.score), ByteProducts.areFast)
        XCTAssertEqual(floats[0].box.centre.x, bytes[0].box.centre.x, accuracy: 3)
        XCTAssertEqual(floats[0].box.length, bytes[0].box.length, accuracy: 8)
    }
}
