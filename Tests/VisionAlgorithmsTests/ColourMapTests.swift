import VisionImage
import XCTest

@testable import VisionAlgorithms

final class ColourMapTests: XCTestCase {
    private func noise(width: Int, height: Int, format: Raster.Format) throws -> Raster {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return try Raster(width: width, height: height, format: format) { pixels, rowBytes in
            for row in 0..<height {
                for byte in 0..<width * format.bytesPerPixel {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    pixels.storeBytes(of: UInt8(state >> 56), toByteOffset: row * rowBytes + byte, as: UInt8.self)
                }
            }
        }
    }

    func testViewsTakeTheSameColoursFromTheMapAsFromTheFrame() throws {
        for format in [Raster.Format.bgra8, .rgba8, .argb8] {
            for (width, height) in [(97, 71), (1, 1), (33, 200), (2, 3)] {
                let frame = try noise(width: width, height: height, format: format)
                let window = ColourWindow(pixels: frame, x: 0, y: 0)
                var maps: [Int: ColourMap] = [:]
                for step in [0.01, 0.9, 1.7, 2.9, 3, 3.2, 4.99, 7, 8.3, 14.9] {
                    for (x, y) in [(3.3, 4.9), (-40.2, -0.01), (60.5, 50), (1e9, -1e9), (-.infinity, .infinity)] {
                        let direct = try ColourView(cells: 12), shared = try ColourView(cells: 12)
                        try direct.sample(window, x: x, y: y, length: step * 24)
                        try shared.sample(window, x: x, y: y, length: step * 24) { block in
                            guard ColourMap.covers(format, block: block) else { return nil }
                            let map = try maps[block] ?? ColourMap(frame, block: block)
                            maps[block] = map
                            return map
                        }
                        XCTAssertEqual(
                            shared.points, direct.points, "\(format) \(width)x\(height) step \(step) at \(x), \(y)")
                    }
                }
                XCTAssertEqual(maps.keys.sorted(), [1, 2, 4], "a size of block was not tried")
            }
        }
    }

    func testThereAreMapsOfPixelsOfFourBytesAndOfBlocksThatNeedNoDivision() throws {
        for format in [Raster.Format.bgra8, .rgba8, .argb8] {
            XCTAssertEqual((0...5).filter { ColourMap.covers(format, block: $0) }, [1, 2, 4])
        }
        for format in [Raster.Format.grey8, .rgb8, .bgr8, .planarRGBFloat, .greyFloat] {
            XCTAssertFalse(ColourMap.covers(format, block: 1))
        }
        XCTAssertThrowsError(try ColourMap(noise(width: 4, height: 4, format: .rgb8), block: 1))
        XCTAssertThrowsError(try ColourMap(noise(width: 4, height: 4, format: .bgra8), block: 3))
    }

    func testThreadsThatReadAtOnceSeeTheSame() throws {
        let frame = try noise(width: 320, height: 400, format: .bgra8)
        @Sendable func read(_ map: ColourMap, _ number: Int) -> [UInt16] {
            var points = [UInt16](repeating: 0, count: 40 * 40)
            points.withUnsafeMutableBufferPointer {
                map.read(into: $0, side: 40, x: Double(number * 7), y: Double(number * 11), step: 5)
            }
            return points
        }
        let alone = try ColourMap(frame, block: 2), map = try ColourMap(frame, block: 2)
        let wanted = (0..<24).map { read(alone, $0) }
        let all = Locked<[Int: [UInt16]]>([:])
        DispatchQueue.concurrentPerform(iterations: 24) { number in
            let points = read(map, number)
            all.withLock { $0[number] = points }
        }
        for number in 0..<24 { XCTAssertEqual(all.withLock { $0[number] }, wanted[number]) }
    }
}
