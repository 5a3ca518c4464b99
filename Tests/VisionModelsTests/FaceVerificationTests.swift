import Foundation
import VisionImage
import VisionInference
import XCTest

@testable import VisionModels

final class FaceVerificationTests: XCTestCase {
    /// A flat oval of as many points as a mesh has, symmetric as the points' partners are, with eyes.
    private func mesh(at centre: SIMD2<Double>, size: Double, roll: Double = 0) -> FaceMesh {
        let axis = SIMD2(cos(roll), -sin(roll))
        var positions = [SIMD2<Double>](repeating: .zero, count: FaceMesh.pointCount)
        for index in positions.indices where FaceMeshMirror.partner[index] >= index {
            let angle = Double(index) * 0.7
            let radius = 0.2 + 0.3 * Double(index % 7) / 6
            let isMiddle = FaceMeshMirror.partner[index] == index
            positions[index] = SIMD2(isMiddle ? 0 : -abs(cos(angle)) * radius, sin(angle) * radius)
            positions[FaceMeshMirror.partner[index]] = SIMD2(-positions[index].x, positions[index].y)
        }
        for (right, x) in [(33, -0.25), (133, -0.1)] {
            positions[right] = SIMD2(x, -0.1)
            positions[FaceMeshMirror.partner[right]] = SIMD2(-x, -0.1)
        }
        let points = positions.map { position in
            let offset = position * size
            return SIMD3(
                centre.x + axis.x * offset.x - axis.y * offset.y, centre.y + axis.y * offset.x + axis.x * offset.y,
                position.y * size / 3)
        }
        return FaceMesh(
            points: points, presence: 1, crop: ImagePatch(centre: centre, side: 1.5 * size, axis: axis, size: 192))
    }

    private func candidate(at centre: SIMD2<Double>, size: Double, roll: Double = 0) -> FaceCandidate {
        let eye = SIMD2(cos(roll), -sin(roll)) * size / 5
        return FaceCandidate(
            centre: centre, size: SIMD2(size, size),
            points: [centre - eye, centre + eye, centre, centre, centre - 2 * eye, centre + 2 * eye], score: 0.99)
    }

    private func face(_ x: Double, _ y: Double, _ size: Double, roll: Double = 0) -> DetectedFace {
        DetectedFace(
            candidate: candidate(at: SIMD2(x, y), size: size, roll: roll),
            mesh: mesh(at: SIMD2(x, y), size: size, roll: roll), confidence: 0.9)
    }

    func testAFaceExcludesOneUpsideDownThatLiesHalfOverIt() {
        let found = face(100, 100, 60)
        XCTAssertTrue(found.excludes(face(130, 125, 60, roll: .pi - 0.2)))
        XCTAssertTrue(found.excludes(face(100, 140, 60, roll: .pi)))
        // Small within it, in any direction.
        XCTAssertTrue(found.excludes(face(115, 85, 18)))
    }

    func testAFaceDoesNotExcludeItsNeighbours() {
        let found = face(100, 100, 60)
        XCTAssertFalse(found.excludes(face(150, 110, 60)))
        XCTAssertFalse(found.excludes(face(100, 165, 60, roll: .pi)))
        XCTAssertFalse(found.excludes(face(155, 100, 60, roll: .pi / 2)))
    }

    func testConfidenceGrowsWithEachOfItsFeatures() {
        func value(_ verifier: Double, _ score: Double, _ presence: Double) -> Double {
            var one = candidate(at: .zero, size: 50)
            one.score = score
            let mesh = self.mesh(at: .zero, size: 50)
            return FaceConfidence.value(
                verifierScore: verifier, FaceProposal(face: one, alike: [one], all: [one]),
                FaceMesh(points: mesh.points, presence: presence, crop: mesh.crop))
        }
        XCTAssertLessThan(value(0, 0.8, 0.8), value(1, 0.8, 0.8))
        XCTAssertLessThan(value(0, 0.7, 0.8), value(0, 0.8, 0.8))
        XCTAssertLessThan(value(0, 0.8, 0.7), value(0, 0.8, 0.8))
        XCTAssertEqual(value(.nan, 0.8, 0.8), 0)
        XCTAssertTrue((0...1).contains(value(1e9, 1, 1)))
    }

    /// What all other networks are certain of must still pass the verifier.
    func testWhatDoesNotLookLikeAFaceIsNone() throws {
        let verifier = try FaceVerifier()
        let proposed = candidate(at: SIMD2(80, 80), size: 60)
        let proposal = FaceProposal(face: proposed, alike: [proposed], all: [proposed])
        var state: UInt32 = 1
        // A wheel: rings about a hub; noise; a plain wall.
        let images: [(String, (Int, Int) -> UInt8)] = [
            (
                "wheel",
                { x, y in
                    let radius = (Double((x - 32) * (x - 32) + (y - 34) * (y - 34))).squareRoot()
                    return radius > 22 ? 120 : radius > 16 ? 25 : Int(radius) % 6 < 3 ? 190 : 60
                }
            ),
            (
                "noise",
                { _, _ in
                    state = state &* 1_664_525 &+ 1_013_904_223
                    return UInt8(state >> 24)
                }
            ),
            ("wall", { _, _ in 130 }),
        ]
        for (name, value) in images {
            let confidence = try verifier.confidence(
                of: proposal, mesh(at: SIMD2(80, 80), size: 60), threads: 1
            ) { crop in
                XCTAssertEqual(crop.columns, FaceVerifier.side)
                return try raster(crop.columns, value)
            }
            XCTAssertLessThan(confidence, FaceDetector.Settings.anyOrientation.leastConfidence, name)
        }
    }

    func testLandmarksOfAMirrorImageAreMirrored() throws {
        let refiner = try FaceLandmarkRefiner.shared()
        let side = 160
        let seen: (Int, Int) -> UInt8 = { x, y in UInt8(128 + 100 * sin(Double(x) / 5) * cos(Double(x + 2 * y) / 9)) }
        let upright = mesh(at: SIMD2(80, 80), size: 80)
        let moved = FaceMesh(
            points: upright.points.enumerated().map { index, point in
                point + SIMD3(sin(Double(index)), cos(Double(index)), 0)
            }, presence: 1, crop: upright.crop)
        let mirrored = FaceMesh(
            points: FaceMeshMirror.partner.map { index in
                let point = moved.points[index]
                return SIMD3(160 - point.x, point.y, point.z)
            }, presence: 1, crop: upright.crop)
        let start = FaceLandmarkSet.points68(of: moved)
        let other = FaceLandmarkWeights.mirror.map { SIMD2(160 - start[$0].x, start[$0].y) }
        let one = refiner.points(start, of: moved, pixels: try raster(side, seen))
        let two = refiner.points(other, of: mirrored, pixels: try raster(side) { seen(side - 1 - $0, $1) })
        var largest = 0.0
        for index in one.indices {
            let partner = FaceLandmarkWeights.mirror[index]
            XCTAssertEqual(two[index].x, 160 - one[partner].x, accuracy: 0.01)
            XCTAssertEqual(two[index].y, one[partner].y, accuracy: 0.01)
            largest = max(largest, abs(one[index].x - start[index].x), abs(one[index].y - start[index].y))
        }
        XCTAssertGreaterThan(largest, 0.1)
    }

    func testMirroredHistogramsAreThoseOfTheMirrorImage() throws {
        let side = 160
        let seen: (Int, Int) -> UInt8 = { x, y in UInt8(128 + 100 * sin(Double(x) / 5) * cos(Double(x + 2 * y) / 9)) }
        let one = FaceGradients(try raster(side, seen))
        let two = FaceGradients(try raster(side) { seen(side - 1 - $0, $1) })
        let steps = [0.6, 1.2, 2.2]
        for point in [SIMD2(80.0, 80), SIMD2(41.3, 97.7), SIMD2(3, 158)] {
            let histograms = one.histograms(around: point, steps: steps)
            let mirrored = two.histograms(around: SIMD2(Double(side) - point.x, point.y), steps: steps)
            XCTAssertEqual(histograms.count, steps.count * FaceGradients.count)
            for (value, expected) in zip(FaceGradients.mirrored(histograms), mirrored) {
                XCTAssertEqual(value, expected, accuracy: 1e-3)
            }
        }
    }

    /// A stage measures the image around the points that it is given, which the stage before it has moved.
    func testAStageMeasuresAroundThePointsThatItIsGiven() throws {
        let steps = [0.6, 1.2]
        let inputs = 68 * (32 + 2) + 3 * FaceLandmarkWeights.nearest.count
        // No weights but the bias, which moves all points down by 0.5.
        let table = try BinaryTable(
            tableData([
                ("3.basis", [Float](repeating: 0, count: 32 * steps.count * FaceGradients.count)),
                ("3.inner", [Float](repeating: 0, count: 64 * inputs)),
                ("3.outer", [Float](repeating: 0, count: 136 * 64)),
                ("3.bias", (0..<136).map { $0 % 2 == 0 ? 0 : 0.5 }),
            ]))
        let stage = try FaceLandmarkStage(table, index: 3, steps: steps, usesPoints: true)
        let points = (0..<68).map { SIMD2(Double($0) / 68, Double($0 % 7) / 7) }
        var measured: [SIMD2<Double>] = []
        let shape = mesh(at: .zero, size: 1).points
        let offsets = stage.offsets(of: points, shape) { point, scales in
            XCTAssertEqual(scales, steps)
            measured.append(point)
            return [Float](repeating: 0.1, count: scales.count * FaceGradients.count)
        }
        XCTAssertEqual(measured, points)
        XCTAssertEqual(offsets, [SIMD2<Double>](repeating: SIMD2(0, 0.5), count: 68))
    }

    func testOtherNetworksAndTablesAreRefused() throws {
        XCTAssertThrowsError(try FaceVerifier(.rectangleVerifier)) {
            guard ($0 as? ModelError)?.kind == .invalid else { return XCTFail("\($0)") }
        }
        XCTAssertThrowsError(try FaceLandmarkRefiner(BinaryTable(builtIn: "print-1.table")))
        let all = try XCTUnwrap(BuiltInFile.data(named: "face-landmarks.table"))
        XCTAssertThrowsError(try FaceLandmarkRefiner(BinaryTable(all.prefix(all.count / 2))))
        XCTAssertNoThrow(try FaceLandmarkRefiner(BinaryTable(all)))
    }

    private func raster(_ side: Int, _ value: (Int, Int) -> UInt8) throws -> Raster {
        try Raster(width: side, height: side, format: .rgb8) { pixels, rowBytes in
            for y in 0..<side {
                for x in 0..<side {
                    let grey = value(x, y)
                    for channel in 0..<3 {
                        pixels.storeBytes(of: grey, toByteOffset: y * rowBytes + 3 * x + channel, as: UInt8.self)
                    }
                }
            }
        }
    }
}
