import Foundation
import Vision
import XCTest

final class HorizonRequestTests: XCTestCase {
    // MARK: Scenes

    /// A number from 0 to 1 for a position, the same for each run.
    private static func noise(_ x: Int, _ y: Int) -> Double {
        var hash = UInt64(bitPattern: Int64(x &* 73_856_093 ^ y &* 19_349_663)) &* 0x9E37_79B9_7F4A_7C15
        hash = (hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9
        return Double((hash ^ hash >> 32) & 0xFFFF) / 65535
    }

    /// Waves that run in every direction alike.
    private static func clouds(_ x: Double, _ y: Double) -> UInt8 {
        var sum = 128.0
        for wave in 0..<40 {
            let direction = Double(wave) * .pi / 40
            let phase = 2 * .pi * noise(wave, 7)
            sum += 12 * sin((cos(direction) * x + sin(direction) * y) * (0.2 + 0.2 * noise(wave, 9)) + phase)
        }
        return UInt8(min(255, max(0, sum)))
    }

    /// The image of a camera that is rotated by so many degrees: `scene` by pixels to the right of and below the
    /// image's centre, as they would be in a level image. The horizon's right end becomes the higher one.
    private func rotated(
        by degrees: Double, width: Int = 320, height: Int = 240, noise: Double = 6,
        _ scene: (_ x: Double, _ y: Double) -> Double
    ) -> GreyFrame {
        let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        return GreyFrame(width: width, height: height) { column, row in
            var sum = 0.0
            for sample in 0..<4 {
                let x = Double(column) + 0.25 + 0.5 * Double(sample % 2) - Double(width) / 2
                let y = Double(row) + 0.25 + 0.5 * Double(sample / 2) - Double(height) / 2
                sum += scene(c * x - s * y, s * x + c * y)
            }
            return UInt8(min(255, max(0, sum / 4 + noise * (Self.noise(column, row) - 0.5))))
        }
    }

    /// Walls with windows; `pitch` makes the upright lines meet, as for a camera that points up.
    private func house(_ x: Double, _ y: Double, pitch: Double = 0) -> Double {
        let depth = 1 - pitch * y
        let (u, v) = (x / depth / 40, y / depth / 48)
        let (inX, inY) = (u - u.rounded(.down), v - v.rounded(.down))
        return (0.3...0.7).contains(inX) && (0.25...0.8).contains(inY) ? 70 : 170
    }

    /// A sea below a sky, with waves.
    private func sea(_ x: Double, _ y: Double) -> Double {
        guard y > 20 else { return 200 + y / 10 }
        return 110 + 40 * (Self.noise(Int(x / 12) &+ 1000, Int((y - 20) / 3)) - 0.5) * min(1, (y - 20) / 40)
    }

    private func horizon(
        of frame: GreyFrame, region: CGRect = VNNormalizedIdentityRect, orientation: CGImagePropertyOrientation = .up
    ) throws -> VNHorizonObservation? {
        let request = VNDetectHorizonRequest()
        request.regionOfInterest = region
        try VNImageRequestHandler(cvPixelBuffer: frame.greyPixelBuffer(), orientation: orientation).perform([request])
        let results = try XCTUnwrap(request.results)
        XCTAssertLessThanOrEqual(results.count, 1)
        return results.first
    }

    private func assertFinds(
        _ degrees: Double, in frame: GreyFrame, accuracy: Double = 0.3, file: StaticString = #filePath,
        line: UInt = #line
    ) throws {
        let found = try horizon(of: frame)
        guard let found else { return XCTFail("\(degrees)° is not found", file: file, line: line) }
        XCTAssertEqual(Double(found.angle) * 180 / .pi, degrees, accuracy: accuracy, file: file, line: line)
        XCTAssertGreaterThan(found.confidence, 0.5, file: file, line: line)
        XCTAssertLessThanOrEqual(found.confidence, 1, file: file, line: line)
    }

    // MARK: Angles

    func testRotatedHousesAreFoundWithinThreeTenthsOfADegree() throws {
        for degrees in [0.0, -1.3, 5, -12, 21, -33, 40] {
            try assertFinds(degrees, in: rotated(by: degrees) { self.house($0, $1) })
        }
    }

    func testHousesWhoseUprightLinesMeetAreFound() throws {
        for degrees in [0.0, -4, 11, -25] {
            try assertFinds(degrees, in: rotated(by: degrees) { self.house($0, $1, pitch: 0.0015) }, accuracy: 0.5)
        }
    }

    func testTheLineBetweenSeaAndSkyIsFound() throws {
        for degrees in [0.0, 2.5, -8, 17, -28] {
            try assertFinds(degrees, in: rotated(by: degrees) { self.sea($0, $1) })
        }
    }

    func testTheAngleIsAboveZeroWhereTheRightEndIsTheHigherOne() throws {
        // In the right half of the image the sea begins at a higher row.
        let frame = GreyFrame(width: 300, height: 200) { x, y in Double(y) > 120 - Double(x) / 10 ? 60 : 200 }
        let found = try XCTUnwrap(try horizon(of: frame))
        XCTAssertEqual(Double(found.angle), atan(0.1), accuracy: 0.005)
    }

    func testBothTransformsLevelTheImage() throws {
        let (width, height) = (300, 200)
        let frame = GreyFrame(width: width, height: height) { x, y in Double(y) > 120 - Double(x) / 10 ? 60 : 200 }
        let found = try XCTUnwrap(try horizon(of: frame))
        // The ends of the horizon, y up.
        let (left, right) = (CGPoint(x: 0, y: 80), CGPoint(x: 300, y: 110))
        for transform in [found.transform, found.transform(forImageWidth: width, height: height)] {
            XCTAssertEqual(left.applying(transform).y, right.applying(transform).y, accuracy: 1)
            XCTAssertGreaterThan(right.applying(transform).x, left.applying(transform).x)
        }
        let middle = CGPoint(x: 150, y: 100).applying(found.transform(forImageWidth: width, height: height))
        XCTAssertEqual(middle.x, 150, accuracy: 1e-9)
        XCTAssertEqual(middle.y, 100, accuracy: 1e-9)
    }

    func testTheAngleIsThatOfTheUprightImage() throws {
        let upright = rotated(by: 7) { self.house($0, $1) }
        for orientation in [CGImagePropertyOrientation.right, .down, .leftMirrored] {
            let found = try XCTUnwrap(try horizon(of: upright.stored(for: orientation), orientation: orientation))
            XCTAssertEqual(Double(found.angle) * 180 / .pi, 7, accuracy: 0.3, "\(orientation)")
        }
    }

    func testOnlyTheRegionOfInterestIsSearched() throws {
        let (left, right) = (rotated(by: 6) { self.house($0, $1) }, rotated(by: -10) { self.house($0, $1) })
        let both = GreyFrame(width: 640, height: 240) { x, y in x < 320 ? left[x, y] : right[x - 320, y] }
        for (x, degrees) in [(0.0, 6.0), (0.5, -10)] {
            let found = try XCTUnwrap(try horizon(of: both, region: CGRect(x: x, y: 0, width: 0.5, height: 1)))
            XCTAssertEqual(Double(found.angle) * 180 / .pi, degrees, accuracy: 0.3)
        }
    }

    func testTheSameImageGivesTheSameBits() throws {
        let frame = rotated(by: 3) { self.house($0, $1) }
        let (first, second) = (try XCTUnwrap(try horizon(of: frame)), try XCTUnwrap(try horizon(of: frame)))
        XCTAssertEqual(first.angle.bitPattern, second.angle.bitPattern)
        XCTAssertEqual(first.confidence.bitPattern, second.confidence.bitPattern)
    }

    // MARK: Nothing to find

    func testImagesWithoutStraightEdgesHaveNoHorizon() throws {
        let frames = [
            GreyFrame(width: 320, height: 240) { _, _ in 0 },
            GreyFrame(width: 320, height: 240) { _, _ in 255 },
            GreyFrame(width: 320, height: 240) { x, y in UInt8(255 * Self.noise(x, y)) },
            GreyFrame(width: 320, height: 240) { x, y in Self.clouds(Double(x), Double(y)) },
            // Rings.
            GreyFrame(width: 320, height: 240) { x, y in
                UInt8(128 + 100 * sin(hypot(Double(x) - 160, Double(y) - 120) / 6))
            },
            // A smooth gradient.
            GreyFrame(width: 320, height: 240) { x, y in UInt8(x / 3 + y / 3) },
        ]
        for (number, frame) in frames.enumerated() {
            XCTAssertNil(try horizon(of: frame), "frame \(number)")
        }
    }

    func testTinyAndNarrowImagesHaveNoHorizon() throws {
        for (width, height) in [(1, 1), (2, 2), (3, 3), (1, 500), (500, 1), (2, 4000), (9, 9)] {
            let frame = GreyFrame(width: width, height: height) { x, y in (x + y) % 2 == 0 ? 0 : 255 }
            XCTAssertNil(try horizon(of: frame), "\(width) × \(height)")
        }
    }

    func testAVeryLargeImageOfNoiseIsSearched() throws {
        let (width, height) = (7680, 4320)
        var made: CVPixelBuffer?
        CVPixelBufferCreate(kCFAllocatorDefault, width, height, kCVPixelFormatType_OneComponent8, nil, &made)
        let buffer = try XCTUnwrap(made)
        CVPixelBufferLockBaseAddress(buffer, [])
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        let count = CVPixelBufferGetBytesPerRow(buffer) * height / 8
        var state: UInt64 = 1
        for index in 0..<count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            base.storeBytes(of: state ^ state >> 31, toByteOffset: index * 8, as: UInt64.self)
        }
        CVPixelBufferUnlockBaseAddress(buffer, [])
        let request = VNDetectHorizonRequest()
        try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
        XCTAssertEqual(request.results?.count, 0)
    }

    // MARK: The observation

    func testSizesOfEveryKindHaveATransform() throws {
        let horizon = HorizonObservation(
            try XCTUnwrap(try horizon(of: rotated(by: -9) { self.house($0, $1) })))
        let half = horizon.transform(for: CGSize(width: 100.5, height: 50))
        XCTAssertEqual(CGPoint(x: 50.25, y: 25).applying(half).x, 50.25, accuracy: 1e-9)
        for size in [CGSize(width: CGFloat.infinity, height: 1), CGSize(width: CGFloat.nan, height: 1e300)] {
            XCTAssertFalse(horizon.transform(for: size).tx.isFinite)
        }
    }

    func testAnObservationSurvivesAnArchive() throws {
        let found = try XCTUnwrap(try horizon(of: rotated(by: -9) { self.house($0, $1) }))
        let data = try NSKeyedArchiver.archivedData(withRootObject: found, requiringSecureCoding: true)
        let back = try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: VNHorizonObservation.self, from: data))
        XCTAssertEqual(back, found)
        XCTAssertEqual(back.angle, found.angle)
        XCTAssertEqual(back.confidence, found.confidence)
    }
}
