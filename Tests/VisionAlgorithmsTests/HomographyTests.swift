import XCTest

@testable import VisionAlgorithms

final class HomographyTests: XCTestCase {
    private let quad = PlanarQuad(
        topLeft: PlanarPoint(x: 12, y: 7), topRight: PlanarPoint(x: 96, y: 20),
        bottomRight: PlanarPoint(x: 80, y: 77), bottomLeft: PlanarPoint(x: 5, y: 60))

    func testTheSquareMapsToTheQuadAndBack() throws {
        let map = try XCTUnwrap(Homography(squareTo: quad))
        XCTAssertLessThan(map.quad.largestDistance(to: quad), 1e-9)
        let back = try XCTUnwrap(map.inverse)
        for (x, y) in [(-1.0, -1.0), (0.3, -0.7), (0, 0), (1, 1)] {
            let point = back.apply(map.apply(x, y))
            XCTAssertEqual(point.x, x, accuracy: 1e-9)
            XCTAssertEqual(point.y, y, accuracy: 1e-9)
        }
    }

    func testTheCentreMapsToTheCrossingOfTheDiagonals() throws {
        // Perspective preserves lines: the centre of the square maps to the crossing of the diagonals.
        let map = try XCTUnwrap(Homography(squareTo: quad))
        let middle = map.apply(0, 0)
        XCTAssertEqual((quad.bottomRight - quad.topLeft).cross(middle - quad.topLeft), 0, accuracy: 1e-6)
        XCTAssertEqual((quad.bottomLeft - quad.topRight).cross(middle - quad.topRight), 0, accuracy: 1e-6)
    }

    func testMapsAreComposed() throws {
        let map = try XCTUnwrap(Homography(squareTo: quad))
        let both = Homography.translation(x: 3, y: -4) * map
        XCTAssertEqual(both.apply(0.5, 0.5).x, map.apply(0.5, 0.5).x + 3, accuracy: 1e-9)
        XCTAssertEqual(both.apply(0.5, 0.5).y, map.apply(0.5, 0.5).y - 4, accuracy: 1e-9)
    }

    func testTheAffineApproximationAgreesAtTheCentre() throws {
        let map = try XCTUnwrap(Homography(squareTo: quad))
        let (exact, affine) = (map.apply(0.001, -0.002), map.affine.apply(0.001, -0.002))
        XCTAssertEqual(exact.x, affine.x, accuracy: 1e-3)
        XCTAssertEqual(exact.y, affine.y, accuracy: 1e-3)
        XCTAssertEqual(map.affine.row2.x, 0)
    }

    func testQuadsThatAreNotConvexHaveNoMap() {
        var crossed = quad
        swap(&crossed.topRight, &crossed.bottomRight)
        XCTAssertNil(Homography(squareTo: crossed))
        var dented = quad
        dented.bottomRight = PlanarPoint(x: 30, y: 30)
        XCTAssertNil(Homography(squareTo: dented))
    }

    func testEquationsOfPointsAreSolved() throws {
        // A small known move, given by its points: its first-order terms are the solution.
        let wanted = [0.01, -0.02, 0.03, 0.015, -0.01, 0.02, 0.005, -0.004]
        let map = Homography.identity.moved(by: wanted)
        var current = Homography.identity
        for _ in 0..<6 {
            var system = PlanarSystem()
            for x in stride(from: -1.0, through: 1, by: 0.5) {
                for y in stride(from: -1.0, through: 1, by: 0.5) {
                    let back = try XCTUnwrap(current.inverse)
                    let there = back.apply(map.apply(x, y))
                    system.add(x: x, y: y, normalX: 1, normalY: 0, distance: there.x - x, weight: 1)
                    system.add(x: x, y: y, normalX: 0, normalY: 1, distance: there.y - y, weight: 1)
                }
            }
            current = current.moved(by: try XCTUnwrap(system.solution()))
        }
        XCTAssertLessThan(current.quad.largestDistance(to: map.quad), 1e-9)
    }

    func testSingularEquationsHaveNoSolution() {
        var system = PlanarSystem()
        XCTAssertNil(system.solution())
        system.add(x: 0, y: 0, normalX: 1, normalY: 0, distance: 1, weight: 1)
        XCTAssertNil(system.solution())
    }
}
