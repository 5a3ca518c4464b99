import Foundation
import VisionImage

/// What in a picture could be a code, by its texture alone: cheap to look at beside the views that are read.
///
/// Seen at several sizes, a code of lines is a band of places whose gradients all run along it, up and down again and
/// again; one of two dimensions an area whose gradients run along two directions at right angles. Blurred, turned and
/// slanted codes are both still. The limits lie well below what photographs of codes have that no plain look reads, so
/// that many things that are no codes pass as well.
struct BarcodeTexture {
    enum Amount: Int, Comparable {
        case none, some, much

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    private(set) var hasBars = false
    private(set) var squares = Amount.none

    /// The side of a cell; a place is 2 × 2 cells.
    private static let cell = TextureCells.side
    private static let longestSide = 1280
    /// Pictures with fewer pixels are looked at in full: little is to be gained, and a code may be smaller than a
    /// place.
    private static let fewestPixels = 1 << 14

    /// - Precondition: the image is `grey8`.
    /// - Throws: `ImageError` where there is no memory.
    init(of image: Raster) throws {
        guard image.width * image.height >= Self.fewestPixels, min(image.width, image.height) >= 48 else {
            (hasBars, squares) = (true, .much)
            return
        }
        var scale = min(1, Double(Self.longestSide) / Double(max(image.width, image.height)))
        while !hasBars || squares < .much {
            let width = Int((Double(image.width) * scale).rounded())
            let height = Int((Double(image.height) * scale).rounded())
            guard min(width, height) >= 2 * Self.cell, max(width, height) >= 5 * Self.cell else { return }
            let view =
                scale < 1 ? try image.resized(width: width, height: height, filter: .antialiasedBilinear) : image
            look(at: view)
            scale /= 2
        }
    }

    private mutating func look(at view: Raster) {
        let cells = TextureCells(of: view)
        let (sums, rows, columns) = (cells.sums, cells.rows, cells.columns)
        guard rows > 1, columns > 1 else { return }
        let places = (rows: rows - 1, columns: columns - 1)
        let count = places.rows * places.columns
        // How far a band of bars reaches up to here, for four directions, and a square of squares, with low limits and
        // high ones.
        var bands = [SIMD4<Int32>](repeating: .zero, count: count)
        var areas = [SIMD2<Int32>](repeating: .zero, count: count)
        let before = [(0, -1), (-1, 0), (-1, -1), (1, -1)]
        for x in 0..<places.columns {
            for y in 0..<places.rows {
                let first = y * columns + x
                let place = Place(sums[first] + sums[first + 1] + sums[first + columns] + sums[first + columns + 1])
                let here = y * places.columns + x
                if place.isBars {
                    for (direction, step) in before.enumerated() where place.runs(along: direction) {
                        let (row, column) = (y + step.0, x + step.1)
                        let isInside = (0..<places.rows).contains(row) && column >= 0
                        bands[here][direction] = 1 + (isInside ? bands[row * places.columns + column][direction] : 0)
                    }
                    if bands[here].max() >= 4 { hasBars = true }
                }
                for (index, isSquare) in [place.isSquares, place.isClearlySquares].enumerated() where isSquare {
                    let isInside = x > 0 && y > 0
                    let neighbours = [here - 1, here - places.columns, here - places.columns - 1]
                    let least = isInside ? neighbours.map { areas[$0][index] }.min() ?? 0 : 0
                    areas[here][index] = 1 + least
                }
                if areas[here][0] >= 1 { squares = max(squares, .some) }
                if areas[here][1] >= 4 { squares = .much }
            }
        }
    }

    /// What the pixels of a place have in common.
    private struct Place {
        /// How much of the gradients runs along one axis, and along two at right angles: 0 to 1.
        var alongOne, alongTwo: Float
        /// The direction of the gradients, from -π/2 to π/2.
        var angle: Float
        var deviation: Float
        /// How far the brightness goes up and down on the way through the place, in deviations.
        var changes: Float

        init(_ sums: SIMD8<Float>) {
            let count = Float(4 * cell * cell)
            let energy = sums[0] + count
            alongOne = (sums[1] * sums[1] + 4 * sums[2] * sums[2]).squareRoot() / energy
            alongTwo = (sums[3] * sums[3] + sums[4] * sums[4]).squareRoot() / energy
            angle = atan2(2 * sums[2], sums[1]) / 2
            let mean = sums[6] / count
            deviation = max(0, sums[7] / count - mean * mean).squareRoot()
            changes = sums[5] / count * Float(2 * cell) / (deviation + 2)
        }

        var isBars: Bool { alongOne > 0.8 && deviation > 6 && changes > 7 }
        var isSquares: Bool { alongTwo > 0.2 && deviation > 8 && changes > 5 }
        var isClearlySquares: Bool { alongTwo > 0.3 && deviation > 24 && changes > 5 }

        /// Whether the gradients run along a direction: rightwards, downwards, and the two between; they overlap.
        func runs(along direction: Int) -> Bool {
            let axis: Float = [0, .pi / 2, .pi / 4, -.pi / 4][direction]
            let turn = (angle - axis) / .pi
            return abs(turn - turn.rounded()) * .pi < 0.5
        }
    }
}
