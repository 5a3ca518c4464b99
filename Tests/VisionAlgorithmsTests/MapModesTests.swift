@testable import VisionAlgorithms
import VisionImage
import XCTest

final class MapModesTests: XCTestCase {
    private let finder = MapModes(floor: 0.1, saddle: 0.7, extent: 0.5, leastShare: 0.05)
    private static let side = 40

    /// The largest of some bells with a standard deviation of 3 positions.
    private func map(_ bells: [(x: Double, y: Double, height: Float)]) -> [Float] {
        (0..<Self.side * Self.side).map { position in
            let (x, y) = (Double(position % Self.side), Double(position / Self.side))
            return bells.map { bell in
                let square = (x - bell.x) * (x - bell.x) + (y - bell.y) * (y - bell.y)
                return bell.height * Float(exp(-square / 18))
            }.max() ?? 0
        }
    }

    func testEachSeparatePeakIsAModeTheLargestFirst() {
        let modes = finder.modes(
            of: map([(x: 8, y: 10, height: 0.6), (x: 30, y: 28, height: 0.9)]), columns: Self.side)
        XCTAssertEqual(modes.map(\.peak), [0.9, 0.6])
        // Half the height of a bell lies 3.53 positions from its middle.
        XCTAssertEqual(
            modes.map(\.box),
            [
                PixelRegion(x: 27, y: 25, width: 7, height: 7), PixelRegion(x: 5, y: 7, width: 7, height: 7),
            ])
    }

    func testAPeakThatIsHardlySeparateBelongsToTheHigherOne() {
        // The saddle between bells at this distance is at exp(-9 / 18) = .61 of their height, then at .80.
        let apart = map([(x: 17, y: 20, height: 0.8), (x: 23, y: 20, height: 0.9)])
        XCTAssertEqual(finder.modes(of: apart, columns: Self.side).count, 2)
        let near = map([(x: 18, y: 20, height: 0.88), (x: 22, y: 20, height: 0.9)])
        let modes = finder.modes(of: near, columns: Self.side)
        XCTAssertEqual(modes.count, 1)
        XCTAssertEqual(modes.first?.box.width, 11)
    }

    func testPositionsBelowTheFloorAndSmallModesAreLeftOut() {
        XCTAssertEqual(finder.modes(of: map([(x: 20, y: 20, height: 0.09)]), columns: Self.side), [])
        var values = map([(x: 20, y: 20, height: 0.9)])
        values[3] = 0.8
        XCTAssertEqual(finder.modes(of: values, columns: Self.side).count, 1)
        var all = finder
        all.leastShare = 0
        XCTAssertEqual(all.modes(of: values, columns: Self.side).count, 2)
    }

    func testOddMaps() {
        XCTAssertEqual(finder.modes(of: [], columns: 5), [])
        XCTAssertEqual(finder.modes(of: [1, 1, 1], columns: 0), [])
        XCTAssertEqual(finder.modes(of: [1, 1, 1], columns: 2), [])
        XCTAssertEqual(finder.modes(of: [.nan, .infinity, -1, 0], columns: 2), [])
        let plain = [Float](repeating: 0.5, count: 12)
        XCTAssertEqual(
            finder.modes(of: plain, columns: 4),
            [MapMode(peak: 0.5, sum: 6, box: PixelRegion(x: 0, y: 0, width: 4, height: 3))])
    }

    /// The modes of random maps against the definition: two peaks are separate if every path between them passes below
    /// the saddle's share of the lower one.
    func testModesOfRandomMapsFollowTheDefinition() {
        var random = SplitMix64(seed: 4)
        let side = 9
        for _ in 0..<200 {
            let values = (0..<side * side).map { _ in Float(random.next() % 1000) / 1000 }
            var all = finder
            all.leastShare = 0
            let expected = values.indices.filter { peak in
                values[peak] >= finder.floor && !reachesHigher(from: peak, values, side)
            }
            XCTAssertEqual(
                all.modes(of: values, columns: side).map(\.peak).sorted(), expected.map { values[$0] }.sorted())
        }
    }

    /// Whether a position is connected to a higher one, or an earlier one of the same height, by positions that are at
    /// least the saddle's share of it.
    private func reachesHigher(from start: Int, _ values: [Float], _ side: Int) -> Bool {
        let level = max(finder.saddle * values[start], finder.floor)
        var (seen, open) = (Set([start]), [start])
        while let position = open.popLast() {
            for row in max(0, position / side - 1)...min(side - 1, position / side + 1) {
                for column in max(0, position % side - 1)...min(side - 1, position % side + 1) {
                    let next = row * side + column
                    guard values[next] >= level, seen.insert(next).inserted else { continue }
                    if (values[next], -next) > (values[start], -start) { return true }
                    open.append(next)
                }
            }
        }
        return false
    }
}
