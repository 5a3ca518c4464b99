import VisionImage
import XCTest

final class SupportTests: XCTestCase {
    func testSplitMix64GivesThePublishedNumbers() {
        // The first numbers for the seed 1234567, as other implementations of the algorithm give them.
        var random = SplitMix64(seed: 1_234_567)
        XCTAssertEqual(
            (0..<3).map { _ in random.next() },
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423])
    }

    func testUnitIsFromZeroToBelowOne() {
        var random = SplitMix64(seed: 1)
        let values = (0..<1000).map { _ in random.unit() }
        XCTAssertTrue(values.allSatisfy { (0..<1).contains($0) })
        XCTAssertEqual(values.reduce(0, +) / 1000, 0.5, accuracy: 0.05)
    }

    func testStableSortKeepsTheOrderOfEqualElements() {
        let pairs = (0..<500).map { (key: $0 * 7 % 5, index: $0) }
        let sorted = pairs.stablySorted { $0.key > $1.key }
        for (a, b) in zip(sorted, sorted.dropFirst()) {
            XCTAssertTrue(a.key > b.key || a.key == b.key && a.index < b.index)
        }
    }

    func testIntersectionOverUnion() {
        let a = PixelRegion(x: 0, y: 0, width: 10, height: 10), b = PixelRegion(x: 5, y: 0, width: 10, height: 10)
        XCTAssertEqual(a.intersectionOverUnion(with: b), 50.0 / 150)
        XCTAssertEqual(a.intersectionOverUnion(with: a), 1)
        XCTAssertEqual(a.intersectionOverUnion(with: PixelRegion(x: 20, y: 0, width: 1, height: 1)), 0)
        XCTAssertEqual(a.intersectionOverUnion(with: PixelRegion(x: .nan, y: 0, width: 1, height: 1)), 0)
        XCTAssertEqual(a.centreDistance(to: b), 5)
        XCTAssertEqual(a.centreDistance(to: PixelRegion(x: .nan, y: 0, width: 1, height: 1)), .infinity)
    }
}
