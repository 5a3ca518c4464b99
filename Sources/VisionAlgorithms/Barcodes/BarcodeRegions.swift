import VisionImage

/// The parts of a large image that altered views are made of: where the texture of a code fills a window of several cells.
///
/// A window counts where its gradients share their directions throughout: one for linear barcodes, two at right angles in
/// about equal parts for 2-D barcodes. The limits are stricter than those of `BarcodeTexture`, because views of a large image
/// cost the most, and because a code that fills a large image is seen clearly in one of the smaller copies.
struct BarcodeRegions {
    /// In pixels of the image, the clearest first.
    private(set) var matrix: [PixelRegion] = []
    private(set) var lines: [PixelRegion] = []

    private static let longestSide = 960
    /// The most regions of a kind.
    private static let mostRegions = 2

    private struct Candidate {
        var region: PixelRegion
        var windows: Int
    }

    /// - Precondition: the image is `grey8`.
    /// - Throws: `ImageError` where there is no memory.
    init(of image: Raster) throws {
        var (matrix, lines): ([Candidate], [Candidate]) = ([], [])
        var view = image
        var scale = min(1, Double(Self.longestSide) / Double(max(image.width, image.height)))
        while true {
            let width = Int((Double(image.width) * scale).rounded())
            let height = Int((Double(image.height) * scale).rounded())
            guard min(width, height) >= 3 * BarcodeTexture.cell, max(width, height) >= 6 * BarcodeTexture.cell else {
                break
            }
            if width != view.width || height != view.height {
                view = try view.resized(width: width, height: height, filter: .area)
            }
            let cells = Cells(of: view)
            let unit = Double(BarcodeTexture.cell) * Double(image.width) / Double(width)
            matrix += cells.candidates([(5, 5)], unit: unit) { $0.isMatrix }
            lines += cells.candidates([(3, 6), (6, 3)], unit: unit) { $0.isLines }
            scale /= 2
        }
        self.matrix = Self.clearest(matrix, in: image)
        self.lines = Self.clearest(lines, in: image)
    }

    /// The largest of what overlaps, with a margin for quiet zones and for what hardly counted.
    private static func clearest(_ candidates: [Candidate], in image: Raster) -> [PixelRegion] {
        var chosen: [PixelRegion] = []
        for candidate in candidates.sorted(by: { ($0.windows, $0.region.width) > ($1.windows, $1.region.width) })
        where chosen.count < mostRegions {
            if chosen.contains(where: { $0.overlaps(candidate.region) }) { continue }
            let region = candidate.region
            let margin = 0.3 * max(region.width, region.height)
            let (left, top) = (max(0, region.x - margin), max(0, region.y - margin))
            let right = min(Double(image.width), region.x + region.width + margin)
            let bottom = min(Double(image.height), region.y + region.height + margin)
            guard right - left >= 1, bottom - top >= 1 else { continue }
            chosen.append(PixelRegion(x: left, y: top, width: right - left, height: bottom - top))
        }
        return chosen
    }

    /// What the pixels of a window have in common.
    private struct Window {
        var alongOne, alongTwo, deviation, changes: Float

        init(_ sums: SIMD8<Float>, cells: Int) {
            let side = Float(BarcodeTexture.cell)
            let count = Float(cells) * side * side
            let energy = sums[0] + count
            alongOne = (sums[1] * sums[1] + 4 * sums[2] * sums[2]).squareRoot() / energy
            alongTwo = (sums[3] * sums[3] + sums[4] * sums[4]).squareRoot() / energy
            let mean = sums[6] / count
            deviation = max(0, sums[7] / count - mean * mean).squareRoot()
            changes = sums[5] / count * 2 * side / (deviation + 2)
        }

        var isLines: Bool { alongOne > 0.93 && deviation > 12 && changes > 9 }
        var isMatrix: Bool { alongTwo > 0.4 && alongOne < 0.4 && deviation > 24 && changes > 7 }
    }

    private struct Cells {
        let sums: [SIMD8<Float>]
        let rows, columns: Int

        init(of view: Raster) { (sums, rows, columns) = BarcodeTexture.cells(of: view) }

        /// Areas of cells that lie in windows that count, each joined with its neighbours.
        func candidates(
            _ shapes: [(rows: Int, columns: Int)], unit: Double, where counts: (Window) -> Bool
        ) -> [Candidate] {
            var marked = [Int](repeating: 0, count: rows * columns)
            for shape in shapes where rows >= shape.rows && columns >= shape.columns {
                for y in 0...(rows - shape.rows) {
                    for x in 0...(columns - shape.columns) {
                        var sum = SIMD8<Float>.zero
                        for row in y..<(y + shape.rows) {
                            for column in x..<(x + shape.columns) { sum += sums[row * columns + column] }
                        }
                        guard counts(Window(sum, cells: shape.rows * shape.columns)) else { continue }
                        for row in y..<(y + shape.rows) {
                            for column in x..<(x + shape.columns) { marked[row * columns + column] += 1 }
                        }
                    }
                }
            }
            return areas(&marked, unit: unit)
        }

        private func areas(_ marked: inout [Int], unit: Double) -> [Candidate] {
            var found: [Candidate] = []
            for start in marked.indices where marked[start] > 0 {
                var (left, right, top, bottom, windows) = (columns, 0, rows, 0, 0)
                var open = [start]
                windows += marked[start]
                marked[start] = 0
                while let cell = open.popLast() {
                    let (x, y) = (cell % columns, cell / columns)
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
                found.append(
                    Candidate(
                        region: PixelRegion(
                            x: Double(left) * unit, y: Double(top) * unit, width: Double(right - left + 1) * unit,
                            height: Double(bottom - top + 1) * unit), windows: windows))
            }
            return found
        }
    }
}
