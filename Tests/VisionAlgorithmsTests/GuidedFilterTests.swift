import VisionImage
import XCTest

@testable import VisionAlgorithms

final class GuidedFilterTests: XCTestCase {
    /// Grey columns: dark left of a column, bright from there on.
    private func step(at column: Int, width: Int, height: Int) throws -> Raster {
        try Raster(width: width, height: height, format: .rgba8) { pixels, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    let value: UInt8 = x < column ? 40 : 200
                    let pixel = (pixels + y * rowBytes + 4 * x).assumingMemoryBound(to: UInt8.self)
                    (pixel[0], pixel[1], pixel[2], pixel[3]) = (value, value, value, 255)
                }
            }
        }
    }

    private func ramp(from first: Int, to last: Int, width: Int, height: Int) -> FloatMap {
        FloatMap(
            width: width, height: height,
            values: (0..<width * height).map { index in
                Float(min(max(Double(index % width - first) / Double(last - first), 0), 1))
            })
    }

    func testAnEdgeMovesToThatOfTheImage() throws {
        // The mask rises slowly from column 12 to 27; the image has its edge between 159 and 160 of 320.
        let mask = ramp(from: 12, to: 27, width: 40, height: 30)
        let refined = try GuidedFilter(radius: 4, epsilon: 1e-4).refined(
            mask, by: step(at: 160, width: 320, height: 240))
        XCTAssertEqual([refined.width, refined.height], [320, 240])
        let row = (0..<320).map { refined[$0, 120] }
        XCTAssertGreaterThan(row[162] - row[157], 4 * (mask[20, 15] - mask[19, 15]), "the jump at the image's edge")
        XCTAssertTrue(refined.values.allSatisfy { (0...1).contains($0) })
    }

    func testAConstantMaskStays() throws {
        for value in [Float(0), 0.25, 1] {
            let mask = FloatMap(width: 17, height: 9, values: [Float](repeating: value, count: 17 * 9))
            let refined = try GuidedFilter(radius: 3, epsilon: 1e-4).refined(
                mask, by: step(at: 30, width: 100, height: 700))
            for found in refined.values { XCTAssertEqual(found, value, accuracy: 1e-3) }
        }
    }

    func testBandsJoinWithoutSeams() throws {
        // Higher than a band: a mask that changes from row to row over an even image is only scaled.
        let mask = FloatMap(width: 4, height: 300, values: (0..<1200).map { Float($0 / 4) / 300 })
        let refined = try GuidedFilter(radius: 1, epsilon: 1e-2).refined(mask, by: step(at: 0, width: 4, height: 900))
        for y in 30..<870 {
            XCTAssertEqual(refined[2, y], Float(Double(y) + 0.5 - 1.5) / 900, accuracy: 2e-3, "row \(y)")
        }
    }

    func testOddSizes() throws {
        for (width, height) in [(1, 1), (1, 50), (50, 1), (3, 2)] {
            for (columns, rows) in [(1, 1), (7, 5)] {
                let mask = FloatMap(
                    width: columns, height: rows, values: [Float](repeating: 0.5, count: columns * rows))
                let refined = try GuidedFilter(radius: 9, epsilon: 1e-3).refined(
                    mask, by: step(at: 1, width: width, height: height))
                XCTAssertEqual([refined.width, refined.height], [width, height])
                XCTAssertTrue(refined.values.allSatisfy { abs($0 - 0.5) < 1e-3 })
            }
        }
    }
}
