import Foundation
import VisionImage

/// Histograms of oriented gradients of a crop of a face (Dalal and Triggs, 2005).
struct FaceGradients {
    private static let directions = 8
    private static let cells = 4
    private static let patch = 20
    /// The side of a cell, and the step between cells, in pixels of the patch.
    private static let cell = 6
    private static let stride = 4
    /// The numbers of a histogram at one scale.
    static let count = directions * cells * cells
    private static let axes = (0..<directions).map { index in
        let angle = 2 * Double.pi * Double(index) / Double(directions)
        return SIMD2(Float(cos(angle)), Float(sin(angle)))
    }
    private static let axesX = SIMD8<Float>(axes.map(\.x))
    private static let axesY = SIMD8<Float>(axes.map(\.y))

    private let width: Int
    private let height: Int
    /// The mean of the three colours, from -1 to 1.
    private let grey: [Float]

    init(_ raster: Raster) {
        let (width, height) = (raster.width, raster.height)
        (self.width, self.height) = (width, height)
        grey = raster.withUnsafePixels { pixels in
            (0..<width * height).map { index in
                let offset = index / width * raster.rowBytes + 3 * (index % width)
                let sum = (0..<3).reduce(0) { $0 + Int(pixels.load(fromByteOffset: offset + $1, as: UInt8.self)) }
                return Float(sum) / 382.5 - 1
            }
        }
    }

    /// Returns histograms of gradient strength by scale, direction, row and column of cells, normalised to about unit
    /// length.
    ///
    /// - Parameters:
    ///   - point: A point, in pixels of the crop.
    ///   - steps: The distance of two pixels of the patch at each scale, in pixels of the crop.
    func histograms(around point: SIMD2<Double>, steps: [Double]) -> [Float] {
        let result = steps.flatMap { Self.histograms(of: patch(around: point, step: $0)) }
        let length = result.reduce(0) { $0 + $1 * $1 }.squareRoot() + 0.3
        return result.map { $0 / length }
    }

    /// Returns the histograms of the mirrored patch.
    ///
    /// Cells and directions are symmetric, so this is a permutation.
    static func mirrored(_ histograms: [Float]) -> [Float] {
        histograms.indices.map { index in
            let (column, row) = (index % cells, index / cells % cells)
            let (direction, scale) = (index / (cells * cells) % directions, index / count)
            let opposite = (directions + directions / 2 - direction) % directions
            return histograms[((scale * directions + opposite) * cells + row) * cells + cells - 1 - column]
        }
    }

    private static func histograms(of values: [Float]) -> [Float] {
        let side = patch - 2
        var strengths = [SIMD8<Float>](repeating: .zero, count: side * side)
        for row in 0..<side {
            for column in 0..<side {
                let middle = (row + 1) * patch + column + 1
                let (x, y) = (values[middle + 1] - values[middle - 1], values[middle + patch] - values[middle - patch])
                let along = pointwiseMax(axesX * x + axesY * y, .zero)
                let squares = along * along
                strengths[row * side + column] = squares / (squares.sum() + 1e-4).squareRoot()
            }
        }
        var result = [Float](repeating: 0, count: directions * cells * cells)
        for row in 0..<cells {
            for column in 0..<cells {
                var sum = SIMD8<Float>.zero
                for y in row * stride..<row * stride + cell {
                    for x in column * stride..<column * stride + cell { sum += strengths[y * side + x] }
                }
                for direction in 0..<directions {
                    result[(direction * cells + row) * cells + column] = sum[direction] / Float(cell * cell)
                }
            }
        }
        return result
    }

    /// Returns a patch by bilinear interpolation; beyond the crop its edge repeats.
    private func patch(around point: SIMD2<Double>, step: Double) -> [Float] {
        func positions(_ middle: Double, _ count: Int) -> [(low: Int, high: Int, share: Float)] {
            (0..<Self.patch).map { index in
                let position = middle - 0.5 + (Double(index) - Double(Self.patch - 1) / 2) * step
                let inside = position.isFinite ? min(max(position, 0), Double(count - 1)) : 0
                let low = Int(inside)
                return (low, min(low + 1, count - 1), Float(inside - Double(low)))
            }
        }
        let columns = positions(point.x, width)
        return grey.withUnsafeBufferPointer { grey in
            positions(point.y, height).flatMap { row in
                columns.map { column in
                    let (top, bottom) = (row.low * width, row.high * width)
                    let upper = grey[top + column.low] * (1 - column.share) + grey[top + column.high] * column.share
                    let lower =
                        grey[bottom + column.low] * (1 - column.share) + grey[bottom + column.high] * column.share
                    return upper * (1 - row.share) + lower * row.share
                }
            }
        }
    }
}
