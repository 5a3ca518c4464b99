import BarcodeTestSupport
import Foundation
import VisionImage
import XCTest

@testable import VisionAlgorithms

/// The work of reading barcodes is bounded, whatever an image shows and whatever its shape. It is counted in pixels
/// that are given to the library, not in seconds.
final class BarcodeWorkTests: XCTestCase {
    private func raster(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> UInt8) throws -> Raster {
        try Raster(width: width, height: height, format: .grey8) { address, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    address.storeBytes(of: pixel(x, y), toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
    }

    private func noise(_ x: Int, _ y: Int) -> UInt8 {
        var state = UInt64(truncatingIfNeeded: x &* 0x9E37_79B9 &+ y &* 0x85EB_CA6B) &+ 1
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        state = state &* 0x2545_F491_4F6C_DD1D
        return UInt8(truncatingIfNeeded: state >> 33)
    }

    private func work(_ image: Raster) throws -> BarcodeWork {
        try BarcodeScanner(image: image, formats: .all, readsAddOns: true, threads: 2).read().work
    }

    func testStripsOfNoiseCostLittle() throws {
        for (width, height) in [(8000, 3), (3, 8000), (5000, 10), (10, 5000), (20_000, 1), (1, 20_000), (30_000, 12)] {
            let work = try work(raster(width, height, noise))
            // Each view is within a small multiple of the image; turned ones of long strips are left out.
            XCTAssertLessThan(work.pixels, 16_000_000 + 40 * width * height, "\(width) × \(height)")
        }
    }

    func testHostileTexturesStayWithinTheBudget() throws {
        let textures: [(String, (Int, Int) -> UInt8)] = [
            ("noise", noise), ("noise in blocks", { self.noise($0 / 4, $1 / 4) < 128 ? 0 : 255 }),
            ("checkerboard", { ($0 / 6 + $1 / 6) % 2 == 0 ? 20 : 230 }),
            ("stripes", { x, _ in x / 3 % 2 == 0 ? 20 : 230 }),
            (
                "rings",
                { x, y in (((x % 64 - 32) * (x % 64 - 32) + (y % 64 - 32) * (y % 64 - 32)) / 90) % 2 == 0 ? 20 : 230 }
            ),
        ]
        for (name, pixel) in textures {
            for (width, height) in [(320, 240), (1024, 768), (1400, 1000)] {
                let limit = BarcodePlan.laterLimit(width: width, height: height)
                let work = try work(raster(width, height, pixel))
                // The image itself in two polarities, its rows, and what the budget allows on top.
                let bound = 4 * width * height + limit.matrix + limit.linear + 8_000_000
                XCTAssertLessThanOrEqual(work.pixels, bound, "\(name), \(width) × \(height)")
            }
        }
    }

    func testNoViewOfAnyShapeIsLarge() {
        let sides = [1, 2, 3, 7, 8, 15, 60, 240, 500, 1080, 4000, 12_000, 32_767]
        for width in sides {
            for height in sides {
                let isLarge = width * height > BarcodePlan.largeImage
                let stages =
                    isLarge
                    ? [BarcodePlan.wholeStage(for: .all, width: width, height: height)]
                    : BarcodePlan.stages(for: .all, width: width, height: height)
                for pass in stages.joined() where pass.isWorthwhile(width: width, height: height) {
                    let pixels = pass.pixels(width: width, height: height)
                    XCTAssertLessThanOrEqual(pixels, 11_000_000, "\(pass) of \(width) × \(height)")
                }
            }
        }
    }

    func testALargePlainImageIsReadOnce() throws {
        // A frame without a code: the image and a copy at a third of its size, the rows of both in two directions,
        // DataBar in several rows in the copy, and no other view.
        let work = try work(raster(1920, 1080) { x, y in UInt8(truncatingIfNeeded: 60 + x / 20 + y / 30) })
        XCTAssertLessThanOrEqual(work.views, 7)
        XCTAssertLessThanOrEqual(work.pixels, 6 * 1920 * 1080)
    }

    /// Bands of bars in a large image: no turned views, and few rows of each view.
    func testBandsInLargeImagesCostLittle() throws {
        let image = try raster(1920, 1080) { x, y in
            let isBand = x > 300 && x < 1500 && y > 300 && y < 700
            return isBand ? ((x + Int(self.noise(x / 7, 1)) % 3) / 7 % 2 == 0 ? 90 : 150) : 120
        }
        var schedule = BarcodeSchedule(image: image, formats: .linear)
        var count = 0
        for number in 0..<BarcodeSchedule.stageCount {
            for job in try schedule.stage(number, hasLines: false) where number > 0 {
                count += 1
                XCTAssertEqual(job.pass.view.turn, 0)
                XCTAssertEqual(job.pass.mostRows, BarcodePlan.mostRowsOfPart)
            }
        }
        XCTAssertGreaterThan(count, 0)
        XCTAssertLessThanOrEqual(
            BarcodePlan.Pass(kind: .rows, view: BarcodeView(), mostRows: 100).pixels(width: 700, height: 900), 113 * 700
        )
    }

    func testCodesInLargeImagesAreReadInTheirPart() throws {
        // Light on dark: only a view that is inverted shows it.
        let code = try DrawnCode(.qr, "in a part of a large image")
        let image = try raster(1920, 1080) { x, y in
            let (u, v) = ((Double(x) - 1200) / 8, (Double(y) - 500) / 8)
            guard u > -4, v > -4, u < Double(code.width + 4), v < Double(code.height + 4) else { return 90 }
            return code.isDark(u, v) ? 235 : 25
        }
        let found = try BarcodeScanner(image: image, formats: .all, threads: 1).codes()
        XCTAssertEqual(found.map(\.text), ["in a part of a large image"])
        XCTAssertEqual(found.first?.isInverted, true)
        if let centre = found.first?.centre {
            XCTAssertEqual(centre.x, 1200 + 4 * Double(code.width), accuracy: 6)
            XCTAssertEqual(centre.y, 500 + 4 * Double(code.height), accuracy: 6)
        }
    }

    /// Many finder patterns: the library would form all triples of them, for minutes.
    func testManyFinderPatternsAreNotCombined() throws {
        let (module, side) = (2, 1800)
        let image = try raster(side, side) { x, y in
            let ring = max(abs(x / module % 9 - 4), abs(y / module % 9 - 4))
            return ring <= 1 || ring == 3 ? 20 : 235
        }
        XCTAssertEqual(try BarcodeReader.codes(in: image, .init(formats: .qr)), [])
        // A sheet of codes has fewer, and is read.
        let codes = try (10..<40).map { try DrawnCode(.qr, "one of many: \($0)") }
        let pitch = 3 * (codes[0].width + 8)
        let sheet = try raster(6 * pitch, 5 * pitch) { x, y in
            codes[y / pitch * 6 + x / pitch].isDark(Double(x % pitch) / 3 - 4, Double(y % pitch) / 3 - 4) ? 20 : 235
        }
        XCTAssertFalse(try BarcodeReader.codes(in: sheet, .init(formats: .qr)).isEmpty)
    }

    func testTheViewsOfMediumImagesAreFewerThanThoseOfSmallOnes() {
        let small = BarcodePlan.laterLimit(width: 400, height: 300)
        let medium = BarcodePlan.laterLimit(width: 640, height: 480)
        XCTAssertLessThan(medium.matrix, small.matrix)
        XCTAssertLessThan(medium.linear, small.linear)
    }

    /// Between small and large images, altered views are made of the parts that have the texture of a code.
    func testMediumImagesAreReadInTheirParts() throws {
        for turn in [0.0, 30, 90, 118] {
            let code = try DrawnCode(.ean13, "5901234123457")
            let (c, s) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
            let image = try raster(700, 600) { x, y in
                let (dx, dy) = ((Double(x) - 480) / 2, (Double(y) - 200) / 2)
                let (u, v) = (c * dx + s * dy + Double(code.width) / 2, c * dy - s * dx + Double(code.height) / 2)
                return code.isDark(u, v) ? 60 : 190
            }
            let (found, work) = try BarcodeScanner(image: image, formats: .all, threads: 1).read()
            XCTAssertEqual(found.map(\.text), ["5901234123457"], "\(turn)")
            XCTAssertLessThan(work.pixels, 8_000_000, "\(turn)")
            guard let centre = found.first?.centre else { continue }
            XCTAssertEqual(centre.x, 480, accuracy: 6)
            XCTAssertEqual(centre.y, 200, accuracy: 6)
        }
        // Texture of neither kind: the first stage is all.
        let plain = try work(raster(700, 600) { x, y in UInt8(truncatingIfNeeded: 60 + x / 20 + y / 30) })
        XCTAssertLessThan(plain.pixels, 3_000_000)
    }
}
