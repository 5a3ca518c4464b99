import ModelTestSupport
import VisionImage
import XCTest

@testable import VisionModels

final class FaceSearchTests: XCTestCase {
    private func candidate(
        _ x: Double, _ y: Double, _ size: Double, roll: Double = 0, score: Double = 0.9
    ) -> FaceCandidate {
        let eye = SIMD2(cos(roll), -sin(roll)) * size / 5
        let centre = SIMD2(x, y)
        return FaceCandidate(
            centre: centre, size: SIMD2(size, size),
            points: [centre - eye, centre + eye, centre, centre, centre - 2 * eye, centre + 2 * eye], score: score)
    }

    func testCandidatesOfOneFaceBecomeTheirWeightedMean() {
        let merged = FaceMerging.merged([
            candidate(100, 100, 40, score: 0.6), candidate(104, 100, 40, score: 0.9),
            candidate(300, 100, 40, score: 0.7),
        ])
        XCTAssertEqual(merged.map(\.face.score), [0.9, 0.7])
        XCTAssertEqual(merged[0].face.centre.x, (100 * 0.6 + 104 * 0.9) / 1.5, accuracy: 1e-9)
    }

    func testCandidatesThatSeeTheFaceTurnedOtherwiseDoNotMoveIt() {
        let merged = FaceMerging.merged([
            candidate(100, 100, 40, score: 0.9), candidate(110, 100, 40, roll: .pi, score: 0.8),
        ])
        XCTAssertEqual(merged.count, 1)
        XCTAssertEqual(merged[0].face.centre.x, 100, accuracy: 1e-9)
    }

    func testBoxesWithoutAreaEnd() {
        let flat = FaceCandidate(
            centre: .zero, size: .zero, points: [SIMD2<Double>](repeating: .zero, count: 6), score: 0.5)
        XCTAssertEqual(FaceMerging.merged([flat, flat]).count, 2)
    }

    /// A white dot is where the view says it is, however the view is turned.
    func testViewsLeadBackToTheImage() throws {
        let (width, height) = (200, 120)
        let dot = SIMD2(150.5, 40.5)
        let image = try Raster(width: width, height: height, format: .rgb8) { pixels, rowBytes in
            for y in 0..<height {
                for x in 0..<3 * width {
                    let near = abs(Double(x / 3) + 0.5 - dot.x) < 4 && abs(Double(y) + 0.5 - dot.y) < 4
                    pixels.storeBytes(of: near ? 255 : 0, toByteOffset: y * rowBytes + x, as: UInt8.self)
                }
            }
        }
        let source = ImageSource(cgImage: CGImage(raster: image))
        let searchImage = try FaceSearchImage(PixelRegion(width: width, height: height), reduction: 1) {
            try source.derivative($0)
        }
        for turns in 0..<4 {
            let view = FaceView(region: searchImage.region, side: 100, turns: turns)
            let peak = try brightest(searchImage.pixels(of: view))
            let back = view.imagePoint(peak)
            XCTAssertEqual(back.x, dot.x, accuracy: 2.1, "\(turns)")
            XCTAssertEqual(back.y, dot.y, accuracy: 2.1, "\(turns)")
        }
        for angle in [0, 0.7, 2, -2.5] {
            let crop = ImagePatch(centre: SIMD2(140, 50), side: 60, axis: SIMD2(cos(angle), sin(angle)), size: 90)
            let back = crop.imagePoint(try brightest(searchImage.pixels(of: crop)))
            XCTAssertEqual(back.x, dot.x, accuracy: 1, "\(angle)")
            XCTAssertEqual(back.y, dot.y, accuracy: 1, "\(angle)")
        }
    }

    func testASearchEndsAtTheRunBeforeWhichItIsStopped() throws {
        struct Stop: Error {}
        let detector: FaceDetector
        detector = try requireModel { try FaceDetector(.anyOrientation) }
        let image = try Raster(width: 1000, height: 700, format: .rgb8) { pixels, rowBytes in
            for byte in 0..<rowBytes * 700 { pixels.storeBytes(of: 120, toByteOffset: byte, as: UInt8.self) }
        }
        let source = ImageSource(cgImage: CGImage(raster: image))
        let region = PixelRegion(width: 1000, height: 700)
        var runs = 0
        XCTAssertEqual(
            try detector.faces(in: region, beforeRun: { runs += 1 }, pixels: { try source.derivative($0) }), [])
        // Four turns for two networks, and the tiles.
        XCTAssertGreaterThan(runs, 12)
        runs = 0
        XCTAssertThrowsError(
            try detector.faces(
                in: region,
                beforeRun: {
                    runs += 1
                    if runs == 5 { throw Stop() }
                }, pixels: { try source.derivative($0) })
        ) { XCTAssert($0 is Stop) }
        XCTAssertEqual(runs, 5)
    }

    /// The centre of what is bright.
    private func brightest(_ raster: Raster) throws -> SIMD2<Double> {
        let grey = try raster.converted(to: .grey8)
        var (sum, weight) = (SIMD2<Double>.zero, 0.0)
        grey.withUnsafePixels { pixels in
            for y in 0..<grey.height {
                for x in 0..<grey.width {
                    let value = Double(pixels.load(fromByteOffset: y * grey.rowBytes + x, as: UInt8.self))
                    sum += SIMD2(Double(x) + 0.5, Double(y) + 0.5) * value
                    weight += value
                }
            }
        }
        return sum / weight
    }
}
