import ModelTestSupport
import VisionAlgorithms
import VisionImage
import VisionModels
import XCTest

/// The recogniser in 8 bits, and when the one in floats reads again.
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

    private func readings(decisiveScore: Float) throws -> [ReadTextLine] {
        var settings = TextReader.Settings()
        settings.decisiveScore = decisiveScore
        let line = RotatedBox(centre: SIMD2(190, 30), axis: SIMD2(1, 0), length: 270, height: 34)
        let region = PixelRegion(x: 0, y: 0, width: 380, height: 60)
        return try TextReader(settings).read([line], in: TextPyramid(page(), region: region)) { _ in }
    }

    func testBytesReadWhatFloatsRead() throws {
        let network = try requireModel { try TextRecognitionNetwork(.small, usesBytes: true) }
        XCTAssertTrue(network.hasBytes)
        XCTAssertFalse(try TextRecognitionNetwork(.small, usesBytes: false).hasBytes)
        // 48 rows, as the recogniser takes them.
        let strips = [try page().cropped(x: 0, y: 6, width: 380, height: 48)]
        let floats = try network.lattices(of: strips, columns: 384)
        let bytes = try network.lattices(of: strips, columns: 384, inBytes: true)
        XCTAssertNotEqual(bytes, floats, "the network in 8 bits has run")
        func text(_ lattice: CTCLattice) -> String {
            let best = CTCDecoder().readings(of: lattice, count: 1).first
            return best.map { $0.characters.map { network.alphabet[$0.index] }.joined() } ?? ""
        }
        XCTAssertEqual(text(floats[0]), "NORTH LANE")
        XCTAssertEqual(text(bytes[0]), "NORTH LANE")
        for step in 0..<floats[0].stepCount {
            let (index, probability) = floats[0].best(ofStep: step)
            XCTAssertEqual(bytes[0].probability(of: index, step: step), probability, accuracy: 0.2, "step \(step)")
        }
        XCTAssertEqual(
            try network.lattices(of: strips, columns: 384, inBytes: true, threads: 1), bytes, "threads change nothing")
    }

    func testDoubtfulLinesAreReadAgainInFloats() throws {
        let network = try requireModel { try TextRecognitionNetwork.shared(.small) }
        try XCTSkipUnless(network.hasBytes, "the processor has no fast products of bytes")
        let (never, always) = (try readings(decisiveScore: 0), try readings(decisiveScore: 2))
        let usual = try readings(decisiveScore: TextReader.Settings().decisiveScore)
        XCTAssertEqual(never.first?.readings.first?.text, "NORTH LANE")
        XCTAssertEqual(always.first?.readings.first?.text, "NORTH LANE")
        XCTAssertNotEqual(never.first?.readings, always.first?.readings, "one is read in bytes, the other in floats")
        XCTAssertEqual(usual.first?.readings, never.first?.readings, "a clear line needs no floats")
    }
}
