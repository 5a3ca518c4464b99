import Foundation
import VisionImage

/// A texture test for barcodes in an image, cheap compared with reading views.
///
/// At several scales, a linear barcode is a band of blocks whose gradients all run along it and alternate; a 2-D
/// barcode is an area whose gradients run along two perpendicular directions. Both also hold for blurred, rotated and
/// slanted codes. The limits are well below the values of photographs of codes that only altered views read, so many
/// other textures pass as well.
struct BarcodeTexture {
    enum Amount: Int, Comparable {
        case none, some, much

        static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    private(set) var hasBars = false
    private(set) var squares = Amount.none

    /// The side of a cell, in pixels; a block is 2 × 2 cells.
    private static let cell = TextureCells.side
    private static let longestSide = 1280
    /// Images with fewer pixels always pass: the test would save little, and a code may be smaller than a block.
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
            examine(view)
            scale /= 2
        }
    }

    private mutating func examine(_ view: Raster) {
        let cells = TextureCells(of: view)
        let (sums, rows, columns) = (cells.sums, cells.rows, cells.columns)
        guard rows > 1, columns > 1 else { return }
        let blocks = (rows: rows - 1, columns: columns - 1)
        let count = blocks.rows * blocks.columns
        // The length of the band of bars that ends here, for four directions, and the side of the square of 2-D
        // texture, with the low limits and the high ones.
        var bands = [SIMD4<Int32>](repeating: .zero, count: count)
        var areas = [SIMD2<Int32>](repeating: .zero, count: count)
        let before = [(0, -1), (-1, 0), (-1, -1), (1, -1)]
        for x in 0..<blocks.columns {
            for y in 0..<blocks.rows {
                let first = y * columns + x
                let block = Block(sums[first] + sums[first + 1] + sums[first + columns] + sums[first + columns + 1])
                let here = y * blocks.columns + x
                if block.isBars {
                    for (direction, step) in before.enumerated() where block.runs(along: direction) {
                        let (row, column) = (y + step.0, x + step.1)
                        let isInside = (0..<blocks.rows).contains(row) && column >= 0
                        bands[here][direction] = 1 + (isInside ? bands[row * blocks.columns + column][direction] : 0)
                    }
                    if bands[here].max() >= 4 { hasBars = true }
                }
                for (index, isSquare) in [block.isSquares, block.isClearlySquares].enumerated() where isSquare {
                    let isInside = x > 0 && y > 0
                    let neighbours = [here - 1, here - blocks.columns, here - blocks.columns - 1]
                    let least = isInside ? neighbours.map { areas[$0][index] }.min() ?? 0 : 0
                    areas[here][index] = 1 + least
                }
                if areas[here][0] >= 1 { squares = max(squares, .some) }
                if areas[here][1] >= 4 { squares = .much }
            }
        }
    }

    /// The statistics of the pixels of a block.
    private struct Block {
        /// The share of gradients along one axis, and along two perpendicular ones: 0 to 1.
        var alongOne, alongTwo: Float
        /// The direction of the gradients, from -π/2 to π/2.
        var angle: Float
        var deviation: Float
        /// The total variation of the brightness across the block, in standard deviations.
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

        /// Whether the gradients run along a direction: rightwards, downwards, or one of the two diagonals; the ranges
        /// overlap.
        func runs(along direction: Int) -> Bool {
            let axis: Float = [0, .pi / 2, .pi / 4, -.pi / 4][direction]
            let turn = (angle - axis) / .pi
            return abs(turn - turn.rounded()) * .pi < 0.5
        }
    }
}
