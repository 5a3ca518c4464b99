import VisionImage
import XCTest

@testable import VisionModels

final class FaceTilesTests: XCTestCase {
    private func tiles(_ width: Double, _ height: Double) -> [PixelRegion] {
        FaceTiles.tiles(of: PixelRegion(x: 7, y: 11, width: width, height: height), finest: 384, networkSide: 192)
    }

    /// Whether a square at each of many positions lies wholly in a tile in which it is at least as large as the
    /// networks need.
    private func missed(_ tiles: [PixelRegion], _ width: Double, _ height: Double, size: Double) -> Int {
        var missed = 0
        for column in 0...40 {
            for row in 0...30 {
                let x = 7 + (width - size) * Double(column) / 40
                let y = 11 + (height - size) * Double(row) / 30
                let isSeen = tiles.contains { tile in
                    x >= tile.x - 1e-6 && y >= tile.y - 1e-6 && x + size <= tile.x + tile.width + 1e-6
                        && y + size <= tile.y + tile.height + 1e-6 && size >= max(tile.width, tile.height) / 19.3
                }
                if !isSeen { missed += 1 }
            }
        }
        return missed
    }

    func testFacesOfTwentyPixelsAreWhollyInSomeTileWhereverTheyAre() {
        for (width, height) in [(1920.0, 1080.0), (4000, 3000), (900, 2500), (800, 600), (1283, 977)] {
            let tiles = tiles(width, height)
            XCTAssertEqual(missed(tiles, width, height, size: 20), 0, "\(width) × \(height)")
            XCTAssertEqual(missed(tiles, width, height, size: 34), 0, "\(width) × \(height)")
        }
    }

    func testTilesLieWithinTheRegion() {
        for (width, height) in [(1920.0, 1080.0), (481, 3), (5000, 100), (100, 5000), (65536, 65536)] {
            for tile in tiles(width, height) {
                XCTAssertGreaterThanOrEqual(tile.x, 7)
                XCTAssertGreaterThanOrEqual(tile.y, 11)
                XCTAssertLessThanOrEqual(tile.x + tile.width, 7 + width + 1e-6)
                XCTAssertLessThanOrEqual(tile.y + tile.height, 11 + height + 1e-6)
            }
        }
    }

    func testNoPictureHasMoreTilesThanTheLimit() {
        XCTAssertGreaterThan(tiles(4000, 3000).count, 100)
        for (width, height) in [(8000.0, 6000.0), (16384, 16384), (65536, 4096), (1, 268_435_456), (1e15, 1e15)] {
            let count = tiles(width, height).count
            XCTAssertLessThanOrEqual(Double(count), FaceTiles.limit, "\(width) × \(height)")
            XCTAssertGreaterThan(count, 200, "\(width) × \(height)")
        }
    }

    func testSmallPicturesAreSeenInTheWholeOnly() {
        XCTAssertEqual(tiles(480, 480), [])
        XCTAssertEqual(tiles(1, 1), [])
    }
}
