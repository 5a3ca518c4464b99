import Foundation
import VisionImage

/// The parts of an image that altered views are made of: windows of several cells with the texture of a code.
///
/// The gradients of such a window share one direction for linear barcodes, or two perpendicular ones in about equal
/// parts for 2-D barcodes. The limits for large images are stricter than those of `BarcodeTexture`, because views of a
/// large image cost the most, and because a code that fills a large image is clear in one of the reduced copies.
struct BarcodeRegions {
    /// A band whose gradients all run along it.
    struct Band {
        /// The smallest upright box around it, in pixels of the image.
        var box: PixelRegion
        var centre: SIMD2<Double>
        /// Half of its length along the gradients, and half of what it measures across.
        var halfSize: SIMD2<Double>
        /// The direction of the gradients in radians, from -π/2 to π/2.
        var angle: Double
    }

    /// Regions of 2-D barcodes, the clearest first.
    private(set) var matrix: [PixelRegion] = []
    /// The regions with clear texture; for a large image all.
    private(set) var clearMatrix: [PixelRegion] = []
    /// Linear barcodes, the clearest first.
    private(set) var bands: [Band] = []

    /// The longest side of the image that is examined, in pixels; larger images are reduced.
    static let longestSide = 960
    /// The maximum number of regions of a kind.
    private static let mostRegions = 2

    /// The limits of the statistics of a window.
    private struct Limits {
        var cells: [(rows: Int, columns: Int)]
        /// The lowest share of gradients along one axis, or along two perpendicular ones.
        var share: Float
        /// The highest share of gradients along one axis in a 2-D barcode.
        var alongOne: Float
        var deviation: Float
        var changes: Float

        static let largeMatrix = Limits(cells: [(5, 5)], share: 0.4, alongOne: 0.4, deviation: 24, changes: 7)
        static let matrix = Limits(cells: [(4, 4)], share: 0.35, alongOne: 0.55, deviation: 20, changes: 5)
        static let clearMatrix = Limits(cells: [(4, 4)], share: 0.45, alongOne: 0.5, deviation: 24, changes: 6)
        static let largeBands = Limits(
            cells: [(3, 6), (6, 3), (4, 4)], share: 0.93, alongOne: 1, deviation: 12, changes: 9)
        static let bands = Limits(cells: [(2, 5), (5, 2), (4, 4)], share: 0.85, alongOne: 1, deviation: 8, changes: 7)
    }

    private struct Candidate {
        var region: PixelRegion
        var windows: Int
        var band: Band?
    }

    /// Returns a copy of an image, reduced to `longestSide`.
    ///
    /// - Throws: `ImageError` where there is no memory.
    static func reduced(_ image: Raster) throws -> Raster {
        let scale = Double(longestSide) / Double(max(image.width, image.height))
        guard scale < 1 else { return image }
        return try image.resized(
            width: max(1, Int((Double(image.width) * scale).rounded())),
            height: max(1, Int((Double(image.height) * scale).rounded())), filter: .area)
    }

    /// - Parameters:
    ///   - reduced: The result of `reduced` for the image.
    ///   - isLarge: Whether only clear regions are returned.
    /// - Precondition: the image is `grey8`.
    /// - Throws: `ImageError` where there is no memory.
    init(of image: Raster, reduced: Raster, isLarge: Bool) throws {
        var (matrix, clear, bands): ([Candidate], [Candidate], [Candidate]) = ([], [], [])
        var view = reduced
        var scale = min(1, Double(Self.longestSide) / Double(max(image.width, image.height)))
        while true {
            let width = Int((Double(image.width) * scale).rounded())
            let height = Int((Double(image.height) * scale).rounded())
            guard min(width, height) >= 3 * TextureCells.side, max(width, height) >= 6 * TextureCells.side else {
                break
            }
            if width != view.width || height != view.height {
                view = try view.resized(width: width, height: height, filter: .area)
            }
            let cells = Cells(of: view, unit: Double(TextureCells.side) * Double(image.width) / Double(width))
            matrix += cells.candidates(isLarge ? .largeMatrix : .matrix) { $0.isMatrix($1) }
            if !isLarge { clear += cells.candidates(.clearMatrix) { $0.isMatrix($1) } }
            bands += cells.candidates(isLarge ? .largeBands : .bands, areBands: true) { $0.isBand($1) }
            scale /= 2
        }
        self.matrix = Self.clearest(matrix).map { Self.withMargin($0.region, in: image) }
        clearMatrix = isLarge ? self.matrix : Self.clearest(clear).map { Self.withMargin($0.region, in: image) }
        self.bands = Self.clearest(bands).compactMap(\.band)
    }

    /// Returns the largest of overlapping candidates.
    private static func clearest(_ candidates: [Candidate]) -> [Candidate] {
        var chosen: [Candidate] = []
        for candidate in candidates.sorted(by: { ($0.windows, $0.region.width) > ($1.windows, $1.region.width) })
        where chosen.count < mostRegions {
            if chosen.contains(where: { $0.region.overlaps(candidate.region) }) { continue }
            chosen.append(candidate)
        }
        return chosen
    }

    /// Returns the region with a margin for quiet zones and weak texture.
    private static func withMargin(_ region: PixelRegion, in image: Raster) -> PixelRegion {
        let margin = 0.3 * max(region.width, region.height)
        let (left, top) = (max(0, region.x - margin), max(0, region.y - margin))
        let right = min(Double(image.width), region.x + region.width + margin)
        let bottom = min(Double(image.height), region.y + region.height + margin)
        return PixelRegion(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
    }

    /// The statistics of the pixels of a window.
    private struct Window {
        var alongOne, alongTwo, deviation, changes: Float

        init(_ sums: SIMD8<Float>, cells: Int) {
            let side = Float(TextureCells.side)
            let count = Float(cells) * side * side
            let energy = sums[0] + count
            alongOne = (sums[1] * sums[1] + 4 * sums[2] * sums[2]).squareRoot() / energy
            alongTwo = (sums[3] * sums[3] + sums[4] * sums[4]).squareRoot() / energy
            let mean = sums[6] / count
            deviation = max(0, sums[7] / count - mean * mean).squareRoot()
            changes = sums[5] / count * 2 * side / (deviation + 2)
        }

        func isBand(_ limits: Limits) -> Bool {
            alongOne > limits.share && deviation > limits.deviation && changes > limits.changes
        }

        func isMatrix(_ limits: Limits) -> Bool {
            alongTwo > limits.share && alongOne < limits.alongOne && deviation > limits.deviation
                && changes > limits.changes
        }
    }

    private struct Cells {
        let sums: [SIMD8<Float>]
        let rows, columns: Int
        /// Pixels of the image along a cell.
        let unit: Double

        init(of view: Raster, unit: Double) {
            let cells = TextureCells(of: view)
            (sums, rows, columns) = (cells.sums, cells.rows, cells.columns)
            self.unit = unit
        }

        /// Returns the connected areas of cells in windows that pass the limits.
        func candidates(
            _ limits: Limits, areBands: Bool = false, where counts: (Window, Limits) -> Bool
        ) -> [Candidate] {
            var marked = [Int](repeating: 0, count: rows * columns)
            for shape in limits.cells where rows >= shape.rows && columns >= shape.columns {
                for y in 0...(rows - shape.rows) {
                    for x in 0...(columns - shape.columns) {
                        var sum = SIMD8<Float>.zero
                        for row in y..<(y + shape.rows) {
                            for column in x..<(x + shape.columns) { sum += sums[row * columns + column] }
                        }
                        guard counts(Window(sum, cells: shape.rows * shape.columns), limits) else { continue }
                        for row in y..<(y + shape.rows) {
                            for column in x..<(x + shape.columns) { marked[row * columns + column] += 1 }
                        }
                    }
                }
            }
            return areas(&marked, areBands: areBands)
        }

        private func areas(_ marked: inout [Int], areBands: Bool) -> [Candidate] {
            var found: [Candidate] = []
            for start in marked.indices where marked[start] > 0 {
                var (left, right, top, bottom, windows) = (columns, 0, rows, 0, 0)
                var open = [start]
                var area: [Int] = []
                windows += marked[start]
                marked[start] = 0
                while let cell = open.popLast() {
                    let (x, y) = (cell % columns, cell / columns)
                    if areBands { area.append(cell) }
                    (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
                    for row in max(0, y - 1)...min(rows - 1, y + 1) {
                        for column in max(0, x - 1)...min(columns - 1, x + 1)
                        where marked[row * columns + column] > 0 {
                            windows += marked[row * columns + column]
                            marked[row * columns + column] = 0
                            open.append(row * columns + column)
                        }
                    }
                }
                let box = PixelRegion(
                    x: Double(left) * unit, y: Double(top) * unit, width: Double(right - left + 1) * unit,
                    height: Double(bottom - top + 1) * unit)
                found.append(
                    Candidate(region: box, windows: windows, band: areBands ? band(of: area, box: box) : nil))
            }
            return found
        }

        /// The rectangle around cells whose sides lie along their gradients.
        private func band(of area: [Int], box: PixelRegion) -> Band {
            let sum = area.reduce(SIMD8<Float>.zero) { $0 + sums[$1] }
            let angle = Double(atan2(2 * sum[2], sum[1])) / 2
            let (along, across) = (SIMD2(cos(angle), sin(angle)), SIMD2(-sin(angle), cos(angle)))
            var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
            for cell in area {
                let middle = SIMD2(Double(cell % columns) + 0.5, Double(cell / columns) + 0.5) * unit
                let position = SIMD2((middle * along).sum(), (middle * across).sum())
                low = pointwiseMin(low, position)
                high = pointwiseMax(high, position)
            }
            let middle = (low + high) / 2
            return Band(
                box: box, centre: middle.x * along + middle.y * across, halfSize: (high - low + unit) / 2, angle: angle)
        }
    }
}
