import Foundation
import VisionImage

/// The tiles of a region in which a network detects faces that are too small in the whole region.
enum FaceTiles {
    /// The maximum number of tiles, which limits the time: in larger images the smallest faces that are detected grow
    /// with the image.
    static let limit = 400.0
    /// The ratio of two scales. A face that the tiles of one scale may cut is large enough for those of the next.
    private static let step = 3.0
    /// The overlap of neighbouring tiles as a share of a tile: nearly twice the smallest face.
    private static let overlap = 0.09

    /// Returns overlapping squares that cover the region, at each scale between that of the smallest faces and the
    /// whole; none where the scale of the whole nearly suffices. Tiles are clipped to the region.
    ///
    /// - Parameters:
    ///   - finest: The side of the tiles for the smallest faces, in pixels of the image.
    ///   - networkSide: The side of the network's input, in pixels.
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

    /// Returns the sides of the tiles of each scale. No face is larger than the short side of the region, so the scales
    /// end there.
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

    /// Returns the origins of the tiles along an axis, at whole pixels of the network's input where there is room.
    private static func starts(_ length: Double, _ tile: Double, _ step: Double) -> [Double] {
        let steps = steps(length, tile)
        guard steps >= 1 else { return [0] }
        return (0...Int(steps)).map {
            min(((length - tile) * Double($0) / steps / step).rounded() * step, length - tile)
        }
    }
}
