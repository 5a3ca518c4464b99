import VisionImage
import XCTest

@testable import VisionAlgorithms

final class InstanceMasksTests: XCTestCase {
    private let masks = InstanceMasks(
        width: 4, height: 2, labels: [0, 1, 1, 2, 0, 3, 2, 2], coverage: [0, 255, 127, 255, 0, 51, 128, 255])

    func testTheMaskOfSomeObjectsIsTheirCoverage() {
        XCTAssertEqual(masks.instances, [1, 2])
        XCTAssertEqual(masks.solidLabels, [0, 1, 0, 2, 0, 0, 2, 2])
        XCTAssertEqual(masks.mask(of: [1]).values, [0, 1, Float(127) / 255, 0, 0, 0, 0, 0])
        XCTAssertEqual(masks.mask(of: []).values, [Float](repeating: 0, count: 8))
        let background = masks.mask(of: [0]).values
        for (value, wanted) in zip(background, [1, 0, 128.0 / 255, 0, 1, 0.8, 127.0 / 255, 0]) {
            XCTAssertEqual(value, Float(wanted), accuracy: 1e-6)
        }
        // Everything together is everywhere.
        for value in masks.mask(of: [0, 1, 2, 3]).values { XCTAssertEqual(value, 1, accuracy: 1e-6) }
    }

    func testSmallObjectsAreLeftOutAndOthersNumberedAgain() {
        let kept = masks.without(smallerThan: 2)
        XCTAssertEqual(kept.labels, [0, 0, 0, 1, 0, 0, 1, 1])
        XCTAssertEqual(kept.coverage, [0, 0, 0, 255, 0, 0, 128, 255])
        XCTAssertEqual(masks.largestFirst().labels, [0, 2, 2, 1, 0, 0, 1, 1])
    }

    /// Two blobs of a map with a saddle between them.
    private func map(saddle: Float) -> [Float] {
        var values = [Float](repeating: 0, count: 20 * 20)
        for y in 6..<14 {
            for x in 2..<9 { values[y * 20 + x] = 0.95 }
            for x in 9..<11 { values[y * 20 + x] = saddle }
            for x in 11..<18 { values[y * 20 + x] = 0.9 }
        }
        return values
    }

    func testPartsThatAreApartAreObjectsOfTheirOwn() throws {
        for (saddle, count) in [(Float(0.1), 2), (0.4, 2), (0.9, 1)] {
            let objects = ForegroundInstances(objectness: map(saddle: saddle), columns: 20)
            let found = try objects.instances(on: (80, 60), people: nil) { $0 }
            XCTAssertEqual(found.instances.count, count, "saddle \(saddle)")
            let (left, right) = (found.labels[30 * 80 + 20], found.labels[30 * 80 + 60])
            XCTAssertEqual(left == right, count == 1)
            XCTAssertNotEqual(left, 0)
            XCTAssertEqual(found.labels[0], 0)
        }
    }

    func testWhereNothingStandsOutThereIsNoObject() throws {
        let objects = ForegroundInstances(objectness: map(saddle: 0).map { $0 * 0.5 }, columns: 20)
        XCTAssertFalse(objects.hasObjects)
        XCTAssertEqual(try objects.instances(on: (8, 6), people: nil) { $0 }.instances, [])
    }

    func testPeopleInTheForegroundAreObjects() throws {
        // A person in the left blob, another one where nothing stands out.
        var labels = [UInt8](repeating: 0, count: 80 * 60)
        for y in 20..<40 {
            for x in 10..<20 { labels[y * 80 + x] = 1 }
            for x in 72..<79 { labels[y * 80 + x] = 2 }
        }
        let people = InstanceMasks(width: 80, height: 60, labels: labels, coverage: labels.map { $0 > 0 ? 255 : 0 })
        let found = try ForegroundInstances(objectness: map(saddle: 0), columns: 20)
            .instances(on: (80, 60), people: people) { $0 }
        let person = found.labels[30 * 80 + 15]
        XCTAssertNotEqual(person, 0)
        XCTAssertEqual(found.labels[30 * 80 + 75], 0)
        XCTAssertNotEqual(found.labels[30 * 80 + 60], person)
    }

    func testTheCoverageOfAQuadIsItsArea() {
        let quad = PlanarQuad(
            topLeft: PlanarPoint(x: 10.3, y: 5.1), topRight: PlanarPoint(x: 50.7, y: 12),
            bottomRight: PlanarPoint(x: 44, y: 38.2), bottomLeft: PlanarPoint(x: -6, y: 30))
        let sum = quad.coverage(width: 64, height: 48).reduce(0) { $0 + Double($1) / 255 }
        // A corner of it lies outside the image.
        let clipped = PlanarQuad(
            topLeft: PlanarPoint(x: 0, y: 0), topRight: PlanarPoint(x: 64, y: 0),
            bottomRight: PlanarPoint(x: 64, y: 48), bottomLeft: PlanarPoint(x: 0, y: 48)
        ).commonArea(with: quad)
        XCTAssertEqual(sum, clipped, accuracy: 3)
        let reversed = PlanarQuad(
            topLeft: quad.topLeft, topRight: quad.bottomLeft, bottomRight: quad.bottomRight, bottomLeft: quad.topRight)
        XCTAssertEqual(reversed.coverage(width: 64, height: 48), quad.coverage(width: 64, height: 48))
    }
}
