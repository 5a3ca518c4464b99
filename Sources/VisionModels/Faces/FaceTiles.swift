import Foundation
import VisionImage

/// The parts of a region in which a network looks for faces that are too small for it in the whole.
enum FaceTiles {
    /// More tiles than this are not looked at: in larger pictures the smallest faces that are looked for grow with the
    /// picture, so that no picture takes longer than this many runs.
    static let limit = 400.0
    /// From a scale to the next. A face that the tiles of one scale may cut is large enough for those of the next.
    private static let step = 3.0
    /// The share of a tile that its neighbours see as well: nearly twice the smallest face.
    private static let overlap = 0.09

    /// Squares that cover the region and overlap, at each scale between that of the smallest faces and the whole; none
    /// where the whole shows nearly as much. Tiles are cut where the region ends.
    ///
    /// - Parameters:
    ///   - finest: pixels of the image along a tile in which the smallest faces are seen.
    ///   - networkSide: pixels along an edge of what the network sees.
    static func tiles(of region: PixelRegion, finest: Double, networkSide: Double) -> [PixelRegion] {
        let whole = max(region.width, region.height)
        var finest = finest
        while whole > 1.25 * finest {
            let sides = sides(of: region, finest: finest)
            if sides.reduce(0.0, { $0 + count(of: region, side: $1) }) <= limit {
                return sides.flatMap { squares(of: region, side: $0, step: finest / networkSide) }
            }
            finest *= 1.1
        }
        return []
    }

    /// No face is larger than the short side of the region, so that is where the scales end.
    private static func sides(of region: PixelRegion, finest: Double) -> [Double] {
        let (short, whole) = (min(region.width, region.height), max(region.width, region.height))
        guard whole > step * finest, short > 1.25 * finest else { return [finest] }
        let steps = (log(short / finest) / log(step)).rounded(.up)
        let sides = (0...Int(steps)).map { finest * pow(short / finest, Double($0) / steps) }
        return whole > 1.25 * short ? sides : sides.dropLast()
    }

    private static func squares(of region: PixelRegion, side: Double, step: Double) -> [PixelRegion] {
        let (width, height) = (min(side, region.width), min(side, region.height))
        return starts(region.height, height, step).flatMap { y in
            starts(region.width, width, step).map { x in
                PixelRegion(x: region.x + x, y: region.y + y, width: width, height: height)
            }
        }
    }

    private static func count(of region: PixelRegion, side: Double) -> Double {
        (steps(region.width, min(side, region.width)) + 1) * (steps(region.height, min(side, region.height)) + 1)
    }

    private static func steps(_ length: Double, _ tile: Double) -> Double {
        max((length - tile) / (tile * (1 - overlap)), 0).rounded(.up)
    }

    /// At whole pixels of what the network sees, where there is room.
    private static func starts(_ length: Double, _ tile: Double, _ step: Double) -> [Double] {
        let steps = steps(length, tile)
        guard steps >= 1 else { return [0] }
        return (0...Int(steps)).map {
            min(((length - tile) * Double($0) / steps / step).rounded() * step, length - tile)
        }
    }
}
