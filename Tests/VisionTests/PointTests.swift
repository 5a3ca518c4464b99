import Vision
import XCTest

/// Points, vectors and circles: arithmetic, equality, archives.
final class PointTests: XCTestCase {
    func testPointsMeasureDistancesAndMove() {
        let (a, b) = (VNPoint(x: 0.1, y: 0.2), VNPoint(location: CGPoint(x: 0.4, y: 0.6)))
        XCTAssertTrue(abs(a.distance(b) - 0.5) < 1e-12)
        XCTAssertTrue(VNPoint.distance(a, b) == a.distance(b))
        let moved = VNPoint.apply(VNVector(vectorHead: b, tail: a), to: a)
        XCTAssertTrue(abs(moved.x - b.x) < 1e-12 && abs(moved.y - b.y) < 1e-12)
        XCTAssertTrue(VNPoint.zero == VNPoint(x: 0, y: 0) && a != b)
    }

    func testVectorsAddScaleAndTurn() {
        let (a, b) = (VNVector(xComponent: 3, yComponent: 4), VNVector(r: 2, theta: .pi / 2))
        XCTAssertTrue(a.length == 5 && a.r == 5 && a.squaredLength == 25)
        XCTAssertTrue(abs(b.x) < 1e-12 && abs(b.y - 2) < 1e-12 && abs(b.theta - .pi / 2) < 1e-12)
        XCTAssertTrue(VNVector(byAdding: a, to: a) == VNVector(byMultiplying: a, byScalar: 2))
        XCTAssertTrue(VNVector(bySubtracting: a, from: a) == .zero)
        XCTAssertTrue(VNVector.unitVector(for: a) == VNVector(xComponent: 3 * (1.0 / 5), yComponent: 4 * (1.0 / 5)))
        XCTAssertTrue(VNVector.unitVector(for: .zero) == .zero)
        XCTAssertTrue(VNVector.dotProduct(of: a, vector: VNVector(xComponent: -4, yComponent: 3)) == 0)
    }

    func testCirclesContainTheirRing() {
        let circle = VNCircle(center: VNPoint(x: 1, y: 1), diameter: 4)
        XCTAssertTrue(circle.radius == 2 && circle.diameter == 4)
        XCTAssertTrue(circle.contains(VNPoint(x: 3, y: 1)) && !circle.contains(VNPoint(x: 3.1, y: 1)))
        XCTAssertTrue(circle.contains(VNPoint(x: 3.1, y: 1), inCircumferentialRingOfWidth: 0.25))
        XCTAssertTrue(!circle.contains(VNPoint(x: 1, y: 1), inCircumferentialRingOfWidth: 0.25))
        XCTAssertTrue(circle == VNCircle(center: VNPoint(x: 1, y: 1), radius: 2) && circle != .zero)
    }

    func testArchivesKeepTheValues() throws {
        let circle = VNCircle(center: VNPoint(x: 0.25, y: 0.75), radius: 0.125)
        let circleData = try NSKeyedArchiver.archivedData(withRootObject: circle, requiringSecureCoding: true)
        XCTAssertTrue(try NSKeyedUnarchiver.unarchivedObject(ofClass: VNCircle.self, from: circleData) == circle)
        let vector = VNVector(xComponent: -1, yComponent: 2)
        let vectorData = try NSKeyedArchiver.archivedData(withRootObject: vector, requiringSecureCoding: true)
        XCTAssertTrue(try NSKeyedUnarchiver.unarchivedObject(ofClass: VNVector.self, from: vectorData) == vector)
    }
}
