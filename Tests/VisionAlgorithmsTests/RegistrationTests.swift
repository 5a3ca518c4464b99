import Foundation
import VisionAlgorithms
import VisionImage
import XCTest

/// Textures are sums of soft spots, so that they can be had at any shift without resampling.
final class RegistrationTests: XCTestCase {
    func testWholePixelShiftsAreExact() throws {
        let texture = Texture(seed: 1)
        let correlator = try PhaseCorrelator(width: 160, height: 120)
        let reference = try correlator.spectrum(of: texture.raster(width: 160, height: 120))
        for (x, y) in [(0, 0), (1, 0), (0, -1), (5, -3), (-17, 11), (40, 30), (-40, 30), (-40, -30), (39, -29)] {
            let moved = try correlator.spectrum(
                of: texture.raster(width: 160, height: 120, movedBy: (Double(x), Double(y))))
            let found = try correlator.translation(reference: reference, floating: moved)
            XCTAssertEqual(found.dx, Double(-x), "content moved by \(x), \(y)")
            XCTAssertEqual(found.dy, Double(-y), "content moved by \(x), \(y)")
            XCTAssertGreaterThan(found.confidence, 0.9)
        }
    }

    func testSubpixelShiftsWithNoiseAreFoundWithinThreeHundredths() throws {
        for (seed, size) in [(2, (200, 150)), (3, (256, 192)), (4, (131, 97))] as [(UInt64, (Int, Int))] {
            let texture = Texture(seed: seed)
            var random = Random(seed: seed)
            let correlator = try PhaseCorrelator(width: size.0, height: size.1)
            let reference = try correlator.spectrum(
                of: texture.raster(width: size.0, height: size.1, noise: 2, noiseSeed: 100 + seed))
            for turn in 0..<6 {
                let x = random.uniform(-0.25, 0.25) * Double(size.0)
                let y = random.uniform(-0.25, 0.25) * Double(size.1)
                let moved = try correlator.spectrum(
                    of: texture.raster(
                        width: size.0, height: size.1, movedBy: (x, y), noise: 2, noiseSeed: UInt64(turn) + 7 * seed))
                let found = try correlator.translation(reference: reference, floating: moved)
                XCTAssertEqual(found.dx, -x, accuracy: 0.03)
                XCTAssertEqual(found.dy, -y, accuracy: 0.03)
                XCTAssertGreaterThan(found.confidence, 0.9)
            }
        }
    }

    func testImagesOfSixteenBySixteen() throws {
        let texture = Texture(seed: 5, radii: 1...4)
        let correlator = try PhaseCorrelator(width: 16, height: 16)
        let reference = try correlator.spectrum(of: texture.raster(width: 16, height: 16))
        for (x, y) in [(0, 0), (1, 2), (-3, 2), (3, -3)] {
            let moved = try correlator.spectrum(
                of: texture.raster(width: 16, height: 16, movedBy: (Double(x), Double(y))))
            let found = try correlator.translation(reference: reference, floating: moved)
            XCTAssertEqual(found.dx, Double(-x))
            XCTAssertEqual(found.dy, Double(-y))
            XCTAssertGreaterThan(found.confidence, 0.3)
        }
    }

    func testSizesWithoutATransformOfTheirOwnAreNotBiased() throws {
        for (width, height) in [(127, 83), (61, 101), (211, 17), (33, 49)] {
            let texture = Texture(seed: UInt64(width), radii: 1...6)
            let correlator = try PhaseCorrelator(width: width, height: height)
            let reference = try correlator.spectrum(of: texture.raster(width: width, height: height))
            let moved = try correlator.spectrum(of: texture.raster(width: width, height: height, movedBy: (-6, 3)))
            let found = try correlator.translation(reference: reference, floating: moved)
            XCTAssertEqual(found.dx, 6, "\(width) x \(height)")
            XCTAssertEqual(found.dy, -3, "\(width) x \(height)")
        }
    }

    func testFlatImagesGiveNoShiftAndNoConfidence() throws {
        for (width, height) in [(64, 48), (16, 16), (1, 1), (2, 3), (5, 200)] {
            let correlator = try PhaseCorrelator(width: width, height: height)
            let grey = try correlator.spectrum(of: makeRaster(width: width, height: height) { _, _ in 90 })
            let white = try correlator.spectrum(of: makeRaster(width: width, height: height) { _, _ in 255 })
            let textured = try correlator.spectrum(of: Texture(seed: 6).raster(width: width, height: height))
            XCTAssertEqual(try correlator.translation(reference: grey, floating: grey), .none)
            XCTAssertEqual(try correlator.translation(reference: grey, floating: white), .none)
            for (a, b) in [(grey, textured), (textured, white)] {
                let found = try correlator.translation(reference: a, floating: b)
                XCTAssertEqual(found.confidence, 0)
                XCTAssertTrue(found.dx.isFinite && found.dy.isFinite)
            }
        }
    }

    /// As dirt on the lens or the pattern of a sensor does.
    func testAFaintPatternThatStaysDoesNotHideTheShift() throws {
        let texture = Texture(seed: 30)
        let correlator = try PhaseCorrelator(width: 160, height: 120)
        let images = try [(0.0, 0.0), (9.0, -6.0)].map {
            try correlator.spectrum(
                of: texture.raster(width: 160, height: 120, movedBy: $0, noise: 2, noiseSeed: 5))
        }
        let found = try correlator.translation(reference: images[0], floating: images[1])
        XCTAssertEqual(found.dx, -9, accuracy: 0.1)
        XCTAssertEqual(found.dy, 6, accuracy: 0.1)
    }

    func testUnrelatedImagesHaveLittleConfidence() throws {
        let correlator = try PhaseCorrelator(width: 160, height: 120)
        for seed in 10..<16 as Range<UInt64> {
            let textures = try [seed, seed + 100].map {
                try correlator.spectrum(of: Texture(seed: $0).raster(width: 160, height: 120, noise: 2, noiseSeed: $0))
            }
            let found = try correlator.translation(reference: textures[0], floating: textures[1])
            XCTAssertLessThan(found.confidence, 0.2)
            var random = Random(seed: seed)
            let noise = try (0..<2).map { _ in
                try correlator.spectrum(of: makeRaster(width: 160, height: 120) { _, _ in UInt8(random.next() >> 56) })
            }
            XCTAssertLessThan(try correlator.translation(reference: noise[0], floating: noise[1]).confidence, 0.05)
        }
    }

    func testBrightnessAndContrastMayChange() throws {
        let texture = Texture(seed: 20)
        let correlator = try PhaseCorrelator(width: 160, height: 120)
        let reference = try correlator.spectrum(of: texture.raster(width: 160, height: 120))
        let moved = try correlator.spectrum(
            of: texture.raster(width: 160, height: 120, movedBy: (12.4, -7.3), gain: 0.7, offset: 30))
        let found = try correlator.translation(reference: reference, floating: moved)
        XCTAssertEqual(found.dx, -12.4, accuracy: 0.03)
        XCTAssertEqual(found.dy, 7.3, accuracy: 0.03)
        XCTAssertGreaterThan(found.confidence, 0.9)
    }

    func testTheSameImagesGiveTheSameBits() throws {
        let texture = Texture(seed: 21)
        let images = try [(0.0, 0.0), (3.3, -8.7)].map {
            try texture.raster(width: 150, height: 110, movedBy: $0, noise: 2, noiseSeed: 3)
        }
        let results = try (0..<3).map { _ in
            let correlator = try PhaseCorrelator(width: 150, height: 110)
            return try correlator.translation(
                reference: correlator.spectrum(of: images[0]), floating: correlator.spectrum(of: images[1]))
        }
        XCTAssertEqual(results[0], results[1])
        XCTAssertEqual(results[0], results[2])
    }

    func testASequenceUsesItsMemoryAgain() throws {
        let correlator = try PhaseCorrelator(width: 64, height: 64)
        let image = try Texture(seed: 22).raster(width: 64, height: 64)
        var previous = try correlator.spectrum(of: image)
        var planes: Set<ObjectIdentifier> = [ObjectIdentifier(previous.planes)]
        for _ in 0..<10 {
            let next = try correlator.spectrum(of: image)
            _ = try correlator.translation(reference: previous, floating: next)
            previous = next
            planes.insert(ObjectIdentifier(previous.planes))
        }
        XCTAssertEqual(planes.count, 2)
    }

    func testCropsOfALargerRasterAreReadInPlace() throws {
        let whole = try Texture(seed: 23).raster(width: 200, height: 160)
        let correlator = try PhaseCorrelator(width: 120, height: 90)
        let found = try correlator.translation(
            reference: correlator.spectrum(of: whole.cropped(x: 20, y: 30, width: 120, height: 90)),
            floating: correlator.spectrum(of: whole.cropped(x: 33, y: 21, width: 120, height: 90)))
        XCTAssertEqual(found.dx, 13)
        XCTAssertEqual(found.dy, -9)
    }

    func testOtherSizesAndFormatsAreRefused() throws {
        let correlator = try PhaseCorrelator(width: 32, height: 32)
        let other = try PhaseCorrelator(width: 40, height: 32)
        let image = try Texture(seed: 24).raster(width: 40, height: 32)
        XCTAssertThrowsError(try correlator.spectrum(of: image)) {
            XCTAssertEqual($0 as? RegistrationError, .differentSizes(reference: [32, 32], floating: [40, 32]))
        }
        let small = try correlator.spectrum(of: image.cropped(x: 0, y: 0, width: 32, height: 32))
        let large = try other.spectrum(of: image)
        XCTAssertThrowsError(try correlator.translation(reference: small, floating: large)) {
            XCTAssertEqual($0 as? RegistrationError, .differentSizes(reference: [32, 32], floating: [40, 32]))
        }
        let colour = try Raster(width: 32, height: 32, format: .bgra8) { pixels, rowBytes in
            memset(pixels, 0, rowBytes * 32)
        }
        XCTAssertThrowsError(try correlator.spectrum(of: colour)) {
            XCTAssertEqual($0 as? RegistrationError, .unsupportedFormat(.bgra8))
        }
        XCTAssertThrowsError(try PhaseCorrelator(width: 20000, height: 10)) {
            XCTAssertEqual($0 as? RegistrationError, .tooLarge(width: 20000, height: 10, limit: 16384))
        }
    }
}

private func makeRaster(width: Int, height: Int, _ value: (Int, Int) -> UInt8) throws -> Raster {
    try Raster(width: width, height: height, format: .grey8) { pixels, rowBytes in
        for y in 0..<height {
            for x in 0..<width { pixels.storeBytes(of: value(x, y), toByteOffset: y * rowBytes + x, as: UInt8.self) }
        }
    }
}

/// SplitMix64: the same numbers everywhere.
private struct Random {
    var state: UInt64

    init(seed: UInt64) {
        state = seed
        // Seeds that are close together must not give the same numbers a few places on.
        state = next() ^ 0xA076_1D64_78BD_642F
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func uniform(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * Double(next() >> 11) / 9_007_199_254_740_992
    }

    /// Near enough to a normal distribution of deviation 1.
    mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform(0, 1) } }
}

/// Soft spots of many sizes.
private struct Texture {
    private struct Spot {
        var x: Double
        var y: Double
        var radius: Double
        var height: Double
    }
    private var spots: [Spot] = []

    init(seed: UInt64, radii: ClosedRange<Double> = 1.2...9) {
        var random = Random(seed: seed)
        for _ in 0..<2500 {
            spots.append(
                Spot(
                    x: random.uniform(-80, 340), y: random.uniform(-80, 280),
                    radius: exp(random.uniform(log(radii.lowerBound), log(radii.upperBound))),
                    height: random.uniform(-45, 45)))
        }
    }

    func raster(
        width: Int, height: Int, movedBy shift: (Double, Double) = (0, 0), noise: Double = 0, noiseSeed: UInt64 = 0,
        gain: Double = 1, offset: Double = 0
    ) throws -> Raster {
        var values = [Double](repeating: 128, count: width * height)
        for spot in spots {
            let (x, y, reach) = (spot.x + shift.0, spot.y + shift.1, 4.5 * spot.radius)
            let (left, right) = (max(0, Int((x - reach).rounded(.up))), min(width, Int(x + reach) + 1))
            let (top, bottom) = (max(0, Int((y - reach).rounded(.up))), min(height, Int(y + reach) + 1))
            guard left < right, top < bottom else { continue }
            func profile(_ distance: Double) -> Double { exp(-distance * distance / (2 * spot.radius * spot.radius)) }
            let across = (left..<right).map { profile(Double($0) - x) }
            for row in top..<bottom {
                let strength = spot.height * profile(Double(row) - y)
                for column in left..<right { values[row * width + column] += strength * across[column - left] }
            }
        }
        var random = Random(seed: noiseSeed)
        return try makeRaster(width: width, height: height) { x, y in
            let clean = offset + gain * min(max(values[y * width + x], 0), 255)
            let noisy = noise > 0 ? clean + noise * random.normal() : clean
            return UInt8(min(max(noisy.rounded(), 0), 255))
        }
    }
}
