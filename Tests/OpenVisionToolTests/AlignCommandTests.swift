import ModelTestSupport
import Foundation
import Vision
import VisionImage
import VisionVideo
import XCTest

@testable import openvision

/// Runs `openvision align` as its users do, with synthetic images.
final class AlignCommandTests: XCTestCase {
    /// Rectangles of many sizes, moved by whole pixels.
    private func write(_ name: String, movedRight dx: Int, down dy: Int, width: Int = 200, in scratch: Scratch) throws
        -> String
    {
        let buffer = try CVPixelBuffer.make(width: width, height: 150, format: kCVPixelFormatType_32BGRA, path: "test")
        var random = SplitMix64(seed: 8)
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: width, height: 150), Colour(red: 90, green: 120, blue: 60))
            for _ in 0..<60 {
                let colour = Colour(
                    red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
                    blue: .random(in: 0...255, using: &random))
                canvas.fill(
                    PixelRectangle(
                        x: .random(in: -20..<200, using: &random) + dx, y: .random(in: -20..<150, using: &random) + dy,
                        width: .random(in: 5..<60, using: &random), height: .random(in: 5..<40, using: &random)), colour
                )
            }
        }
        let path = scratch.path(name)
        try ImageFile.write(buffer, to: path)
        return path
    }

    func testTheWarpMovesTheSecondImageOntoTheFirst() throws {
        let scratch = try Scratch()
        let reference = try write("a.png", movedRight: 0, down: 0, in: scratch)
        let floating = try write("b.png", movedRight: 6, down: -4, in: scratch)
        let overlay = scratch.path("overlay.png")
        let run = try openvision(["align", reference, floating, "--json", "--render", overlay])
        XCTAssertEqual(run.code, 0, run.errors)
        let record = try run.object(0)
        let result = try XCTUnwrap(try run.results(0).first)
        let warp = try XCTUnwrap(result["transform"] as? [[Double]])
        XCTAssertEqual((record["floating"] as? [String: Any])?["path"] as? String, floating)
        // What lies 6 further right and 4 further up has to go left and down.
        let rows: [[Double]] = [[1, 0, -6], [0, 1, 4], [0, 0, 1]]
        for (row, wanted) in rows.enumerated() {
            for column in 0..<3 {
                XCTAssertEqual(warp[row][column], wanted[column], accuracy: column == 2 ? 0.4 : 0.004)
            }
        }
        XCTAssertGreaterThan(try XCTUnwrap(result["confidence"] as? Double), 0.8)

        // Where both show the same, the overlay is halfway between the reference's grey and its colour.
        let image = try ContactSheet(side: 200).thumbnail(of: Data(contentsOf: URL(fileURLWithPath: overlay)))
        XCTAssertEqual([image.width, image.height], [200, 150])
        let under = try ContactSheet(side: 200).thumbnail(of: Data(contentsOf: URL(fileURLWithPath: reference)))
        func colour(_ raster: Raster, _ x: Int, _ y: Int) -> [Double] {
            raster.withUnsafePixels { pixels in
                (0..<3).map { Double(pixels.load(fromByteOffset: y * raster.rowBytes + x * 4 + $0, as: UInt8.self)) }
            }
        }
        var differences: [Double] = []
        for y in stride(from: 20, to: 130, by: 3) {
            for x in stride(from: 20, to: 180, by: 3) {
                let (below, shown) = (colour(under, x, y), colour(image, x, y))
                let grey = below[0] * 0.114 + below[1] * 0.587 + below[2] * 0.299
                for part in 0..<3 { differences.append(abs(shown[part] - (grey + below[part]) / 2)) }
            }
        }
        differences.sort()
        XCTAssertLessThan(differences[differences.count / 2], 4)
    }

    func testTextNamesTheRowsAndTheConfidence() throws {
        let scratch = try Scratch()
        let reference = try write("a.png", movedRight: 0, down: 0, in: scratch)
        let run = try openvision(["align", reference, reference])
        XCTAssertEqual(run.code, 0, run.errors)
        XCTAssertEqual(run.lines.map { $0.prefix(while: { $0 != " " }) }, ["warp", "warp", "warp", "confidence"])
        XCTAssertEqual(run.lines.last, "confidence 1.000")
    }

    func testImagesOfDifferentSizesAreAligned() throws {
        let scratch = try Scratch()
        let reference = try write("a.png", movedRight: 0, down: 0, in: scratch)
        let wider = try write("wide.png", movedRight: 0, down: 0, width: 220, in: scratch)
        let run = try openvision(["align", reference, wider, "--json"])
        XCTAssertEqual(run.code, 0, run.errors)
        let warp = try XCTUnwrap(try run.results(0).first?["transform"] as? [[Double]])
        for (row, column, value) in [(0, 0, 1.0), (0, 2, 0), (1, 1, 1), (1, 2, 0)] {
            XCTAssertEqual(warp[row][column], value, accuracy: column == 2 ? 0.5 : 0.01, "\(warp)")
        }
    }

    func testWhatCannotBeAlignedIsAnError() throws {
        let scratch = try Scratch()
        let reference = try write("a.png", movedRight: 0, down: 0, in: scratch)
        XCTAssertEqual(try openvision(["align", reference, scratch.path("none.png")]).code, 1)
        XCTAssertEqual(try openvision(["align", reference, reference, "--render", "a.gif"]).code, 64)
    }
}
