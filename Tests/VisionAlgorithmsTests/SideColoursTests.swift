import VisionImage
import XCTest

@testable import VisionAlgorithms

final class SideColoursTests: XCTestCase {
    /// Red grows to the right, green downwards; blue is a step at column 30.
    private func ramps(_ format: Raster.Format = .rgb8) throws -> Raster {
        try Raster(width: 60, height: 50, format: .rgb8) { pixels, rowBytes in
            for y in 0..<50 {
                for x in 0..<60 {
                    for (channel, value) in [4 * x, 5 * y, x < 30 ? 20 : 220].enumerated() {
                        pixels.storeBytes(
                            of: UInt8(value), toByteOffset: y * rowBytes + 3 * x + channel, as: UInt8.self)
                    }
                }
            }
        }.converted(to: format)
    }

    private func point(_ x: Double, _ y: Double) -> PlanarPoint { PlanarPoint(x: x, y: y) }

    func testSamplesAreOrderedFromLeftToRightAcrossASide() throws {
        let colours = try SideColours(try ramps())
        // Downwards: smaller columns are to the right of the direction.
        let band = colours.across(from: point(20, 10), to: point(20, 30), positions: 4, ends: 0.1, samples: 5, step: 2)
        for position in 0..<4 {
            for sample in 0..<5 {
                let (x, y) = (20 - 2 * Double(sample - 2), 10 + 20 * (0.1 + 0.8 * (Double(position) + 0.5) / 4))
                let colour = band.colour(position, sample)
                XCTAssertEqual(colour.x, Float(4 * (x - 0.5)), accuracy: 1e-3)
                XCTAssertEqual(colour.y, Float(5 * (y - 0.5)), accuracy: 1e-3)
            }
        }
    }

    func testTheImageBorderIsReplicated() throws {
        let colours = try SideColours(try ramps())
        let band = colours.across(
            from: point(-500, -900), to: point(-500, 900), positions: 3, ends: 0, samples: 3, step: 1)
        for sample in 0..<3 {
            XCTAssertEqual(band.colour(0, sample), SIMD3(0, 0, 20))
            XCTAssertEqual(band.colour(2, sample), SIMD3(0, 245, 20))
        }
    }

    func testColoursOfAllFormatsChangeAlike() throws {
        let side = (point(22.3, 40.1), point(47.9, 11.2))
        func values(_ format: Raster.Format) throws -> [Float] {
            let band = try SideColours(try ramps(format)).across(
                from: side.0, to: side.1, positions: 20, ends: 0.05, samples: 21, step: 0.7)
            return (0..<20).flatMap { position in
                (0..<21).map { (band.colour(position, $0) * band.colour(position, $0)).sum() }
            }
        }
        let wanted = try values(.rgb8)
        for format in [Raster.Format.bgr8, .rgba8, .bgra8, .argb8] {
            XCTAssertEqual(
                zip(wanted, try values(format)).map { abs($0 - $1) }.max() ?? 1, 0, accuracy: 0.1, "\(format)")
        }
    }

    func testAQuadIsClearIfColoursChangeAcrossItsSides() throws {
        let quad = PlanarQuad(
            topLeft: point(12.5, 9), topRight: point(44, 14.5), bottomRight: point(40, 38), bottomLeft: point(9, 33.2))
        let raster = try Raster(width: 60, height: 50, format: .grey8) { pixels, rowBytes in
            for y in 0..<50 {
                for x in 0..<60 {
                    let inside = (0..<4).allSatisfy { index in
                        let (a, b) = (quad.corners[index], quad.corners[(index + 1) % 4])
                        return (b - a).cross(point(Double(x) + 0.5, Double(y) + 0.5) - a) > 0
                    }
                    pixels.storeBytes(of: inside ? 200 : 60, toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
        let clarity = QuadClarity(image: try SideColours(raster))
        XCTAssertGreaterThan(clarity.clarity(of: quad).least, 0.95)
        var shifted = quad
        shifted.topLeft.y -= 6
        shifted.topRight.y -= 6
        let found = clarity.clarity(of: shifted)
        XCTAssertLessThan(found.least, 0.05)
        XCTAssertEqual(found.mean, 0.75, accuracy: 0.08)
        var lost = quad
        lost.topLeft.x = .nan
        XCTAssertEqual(clarity.clarity(of: lost).mean, 0)
        lost.topLeft.x = 1e300
        XCTAssertTrue(clarity.clarity(of: lost).mean.isFinite)
    }
}
