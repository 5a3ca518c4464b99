import VisionImage
import XCTest

@testable import VisionAlgorithms

final class HomographyEstimationTests: XCTestCase {
    private let map = Homography([1.2, 0.1, -40], [-0.15, 0.9, 30], [2e-4, -1e-4, 1])

    private func pairs(_ count: Int, noise: Double, seed: UInt64) -> [PointPair] {
        var random = PlanarRandom(state: seed)
        return (0..<count).map { _ in
            let from = PlanarPoint(x: random.unit() * 800, y: random.unit() * 600)
            let to = map.apply(from)
            return PointPair(
                from: from,
                to: PlanarPoint(x: to.x + noise * (random.unit() - 0.5), y: to.y + noise * (random.unit() - 0.5)),
                ratio: random.unit())
        }
    }

    private func largestError(_ found: Homography) -> Double {
        let corners = [(0.0, 0.0), (800, 0), (800, 600), (0, 600)]
        return corners.map { found.apply($0.0, $0.1).distance(to: map.apply($0.0, $0.1)) }.max() ?? .infinity
    }

    func testFourExactPairsGiveTheMap() throws {
        let corners = [(0.0, 0.0), (800, 0), (800, 600), (0, 600)].map { x, y in
            PointPair(from: PlanarPoint(x: x, y: y), to: map.apply(x, y), ratio: 0)
        }
        XCTAssertLessThan(largestError(try XCTUnwrap(HomographyFit.direct(corners))), 1e-6)
    }

    func testCollinearPairsGiveNoMapOrAFiniteOne() {
        let line = (0..<10).map { i in
            PointPair(from: PlanarPoint(x: Double(i), y: 2), to: PlanarPoint(x: Double(i), y: 3), ratio: 0)
        }
        XCTAssertNil(HomographyEstimator(limit: 3).estimate(line))
        XCTAssertTrue(HomographyFit.direct(line)?.isFinite ?? true)
        let point = (0..<10).map { _ in PointPair(from: PlanarPoint(x: 1, y: 1), to: PlanarPoint(x: 2, y: 2), ratio: 0)
        }
        XCTAssertNil(HomographyFit.direct(point))
        XCTAssertNil(HomographyEstimator(limit: 3).estimate(point))
    }

    func testTheMapIsFoundWithMoreOutliersThanInliers() throws {
        var random = PlanarRandom(state: 3)
        let right = pairs(60, noise: 1, seed: 4)
        let wrong = (0..<240).map { _ in
            PointPair(
                from: PlanarPoint(x: random.unit() * 800, y: random.unit() * 600),
                to: PlanarPoint(x: random.unit() * 800, y: random.unit() * 600), ratio: random.unit())
        }
        let all = (right + wrong).sorted { $0.ratio < $1.ratio }
        let found = try XCTUnwrap(HomographyEstimator(limit: 3).estimate(all))
        XCTAssertLessThan(largestError(found.map), 2)
        XCTAssertGreaterThanOrEqual(found.fitting, 60)
        XCTAssertLessThan(found.fitting, 75)
        let refined = try XCTUnwrap(HomographyFit.refined(found.map, all, limit: 3))
        XCTAssertLessThan(largestError(refined), 1)
    }

    func testRandomPairsHaveFewInliers() throws {
        var random = PlanarRandom(state: 9)
        let wrong = (0..<300).map { _ in
            PointPair(
                from: PlanarPoint(x: random.unit() * 800, y: random.unit() * 600),
                to: PlanarPoint(x: random.unit() * 800, y: random.unit() * 600), ratio: random.unit())
        }
        if let found = HomographyEstimator(limit: 3).estimate(wrong) { XCTAssertLessThan(found.fitting, 12) }
    }

    func testExtremeCoordinatesDoNotTrap() {
        let huge = (0..<20).map { i in
            PointPair(
                from: PlanarPoint(x: Double(i) * 1e300, y: 1e308), to: PlanarPoint(x: -1e308, y: Double(i % 3) * 1e200),
                ratio: 0.5)
        }
        _ = HomographyEstimator(limit: 3).estimate(huge)
        XCTAssertNil(HomographyFit.direct(huge))
        XCTAssertNil(LinearAlgebra.smallestEigenvector(of: [.nan, 0, 0, 1], size: 2))
        XCTAssertNil(LinearAlgebra.solution(of: [0, 0, 0, 0], [1, 1]))
    }

    func testSmallSystemsAreSolved() throws {
        let x = try XCTUnwrap(LinearAlgebra.solution(of: [4, 1, 1, 3], [1, 2]))
        XCTAssertEqual(x[0], 1.0 / 11, accuracy: 1e-12)
        XCTAssertEqual(x[1], 7.0 / 11, accuracy: 1e-12)
        let v = try XCTUnwrap(LinearAlgebra.smallestEigenvector(of: [2, 1, 1, 2], size: 2))
        XCTAssertEqual(abs(v[0]), 0.5.squareRoot(), accuracy: 1e-12)
        XCTAssertEqual(v[0], -v[1], accuracy: 1e-12)
    }
}

/// A small deterministic random number generator.
private struct PlanarRandom {
    var state: UInt64

    mutating func unit() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53)
    }
}
