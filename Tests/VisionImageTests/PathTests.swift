import Foundation
import VisionImage
import XCTest

final class PathTests: XCTestCase {
    private func elements(_ path: CGPath) -> [String] {
        var list: [String] = []
        path.applyWithBlock { element in
            let type = element.pointee.type
            let count = [CGPathElementType.closeSubpath: 0, .addQuadCurveToPoint: 2, .addCurveToPoint: 3][type] ?? 1
            let points = (0..<count).map { "\(element.pointee.points[$0].x),\(element.pointee.points[$0].y)" }
            list.append("\(type.rawValue) \(points.joined(separator: " "))")
        }
        return list
    }

    func testElementsComeInOrder() {
        let path = CGMutablePath()
        XCTAssertTrue(path.isEmpty)
        XCTAssertTrue(path.boundingBox.isNull)
        // Without a current point nothing is added.
        path.addLine(to: CGPoint(x: 1, y: 1))
        path.closeSubpath()
        XCTAssertTrue(path.isEmpty)
        path.move(to: CGPoint(x: 1, y: 2))
        path.addLine(to: CGPoint(x: 3, y: 4))
        path.addQuadCurve(to: CGPoint(x: 5, y: 6), control: CGPoint(x: 7, y: 8))
        path.addCurve(to: CGPoint(x: 0, y: 1), control1: CGPoint(x: 2, y: 3), control2: CGPoint(x: 4, y: 5))
        XCTAssertEqual(path.currentPoint, CGPoint(x: 0, y: 1))
        path.closeSubpath()
        XCTAssertEqual(path.currentPoint, CGPoint(x: 1, y: 2))
        XCTAssertEqual(
            elements(path), ["0 1.0,2.0", "1 3.0,4.0", "2 7.0,8.0 5.0,6.0", "3 2.0,3.0 4.0,5.0 0.0,1.0", "4 "])
        let copy = path.copy()
        XCTAssertEqual(copy, path)
        path.addLines(between: [CGPoint(x: 9, y: 9), CGPoint(x: 8, y: 8)])
        XCTAssertNotEqual(copy, path)
        XCTAssertEqual(copy?.mutableCopy()?.currentPoint, CGPoint(x: 1, y: 2))
    }

    func testBoxesOfCurvesAreThoseOfTheirPoints() {
        let path = CGMutablePath()
        path.move(to: .zero)
        path.addQuadCurve(to: CGPoint(x: 2, y: 0), control: CGPoint(x: 1, y: 2))
        XCTAssertEqual(path.boundingBox, CGRect(x: 0, y: 0, width: 2, height: 2))
        XCTAssertEqual(path.boundingBoxOfPath.height, 1, accuracy: 1e-9)
        let circle = CGPath(ellipseIn: CGRect(x: -1, y: -1, width: 2, height: 2), transform: nil)
        XCTAssertEqual(circle.boundingBoxOfPath.width, 2, accuracy: 1e-9)
        for degrees in stride(from: 0.0, to: 360, by: 15) {
            let (x, y) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
            XCTAssertTrue(circle.contains(CGPoint(x: 0.999 * x, y: 0.999 * y)), "\(degrees)")
            XCTAssertFalse(circle.contains(CGPoint(x: 1.001 * x, y: 1.001 * y)), "\(degrees)")
        }
    }

    func testRulesAndTransformsDecideWhatIsInside() {
        let path = CGMutablePath()
        path.addRect(CGRect(x: 0, y: 0, width: 10, height: 10))
        path.addRect(CGRect(x: 2, y: 2, width: 4, height: 4))
        XCTAssertTrue(path.contains(CGPoint(x: 3, y: 3)))
        XCTAssertFalse(path.contains(CGPoint(x: 3, y: 3), using: .evenOdd))
        XCTAssertTrue(path.contains(CGPoint(x: 8, y: 8), using: .evenOdd))
        XCTAssertFalse(path.contains(CGPoint(x: 11, y: 8)))
        XCTAssertTrue(path.contains(CGPoint(x: 16, y: 8), transform: CGAffineTransform(scaleX: 0.5, y: 1)))
        var transform = CGAffineTransform(translationX: 100, y: 0)
        XCTAssertEqual(path.copy(using: &transform)?.boundingBox.minX, 100)
        var rect = CGRect.zero
        XCTAssertTrue(CGPath(rect: CGRect(x: 1, y: 2, width: 3, height: 4), transform: nil).isRect(&rect))
        XCTAssertEqual(rect, CGRect(x: 1, y: 2, width: 3, height: 4))
        XCTAssertFalse(path.isRect(nil))
    }

    func testArcsAndRoundCorners() {
        let arc = CGMutablePath()
        arc.addArc(center: .zero, radius: 2, startAngle: 0, endAngle: .pi / 2, clockwise: false)
        XCTAssertEqual(arc.currentPoint.x, 0, accuracy: 1e-9)
        XCTAssertEqual(arc.currentPoint.y, 2, accuracy: 1e-9)
        XCTAssertEqual(arc.boundingBoxOfPath.minX, 0, accuracy: 1e-9)
        let other = CGMutablePath()
        other.addArc(center: .zero, radius: 2, startAngle: 0, endAngle: .pi / 2, clockwise: true)
        XCTAssertEqual(other.boundingBoxOfPath.minX, -2, accuracy: 1e-9)
        let corner = CGMutablePath()
        corner.move(to: .zero)
        corner.addArc(tangent1End: CGPoint(x: 10, y: 0), tangent2End: CGPoint(x: 10, y: 10), radius: 3)
        XCTAssertEqual(corner.currentPoint.x, 10, accuracy: 1e-9)
        XCTAssertEqual(corner.currentPoint.y, 3, accuracy: 1e-9)
        XCTAssertEqual(corner.boundingBoxOfPath.maxX, 10, accuracy: 1e-6)
        let round = CGPath(
            roundedRect: CGRect(x: 0, y: 0, width: 20, height: 10), cornerWidth: 4, cornerHeight: 4, transform: nil)
        XCTAssertFalse(round.contains(CGPoint(x: 0.5, y: 0.5)))
        XCTAssertTrue(round.contains(CGPoint(x: 1.5, y: 1.5)))
        XCTAssertEqual(round.boundingBoxOfPath, CGRect(x: 0, y: 0, width: 20, height: 10))
        for delta in [5 * CGFloat.pi, -5 * .pi, 41 * .pi] {
            let turns = CGMutablePath()
            turns.addRelativeArc(center: .zero, radius: 1, startAngle: 0, delta: delta)
            XCTAssertEqual(turns.currentPoint.x, -1, accuracy: 1e-9)
            XCTAssertEqual(turns.currentPoint.y, 0, accuracy: 1e-9)
        }
        // More than a full turn, and what is not a number, end.
        arc.addRelativeArc(center: .zero, radius: 1, startAngle: 0, delta: 1e300)
        arc.addArc(center: .zero, radius: 1, startAngle: .nan, endAngle: .infinity, clockwise: true)
        XCTAssertFalse(arc.boundingBoxOfPath.isNull)
    }
}
