import Foundation
import VisionImage

/// Where the target is: a correlation filter on gradient directions, over a square window around the target.
///
/// The filter is learnt from all shifts of the window, its background included, but may only use what lies on the target
/// itself: Kiani Galoogahi, Fagg, Lucey, "Learning background-aware correlation filters for visual tracking" (2017), here
/// with two solutions and one crop between them instead of a longer iteration. The model of the target is a running mean
/// of its spectra, from which the filter is solved anew.
final class TranslationFilter {
    /// Cells along a side of the window. With the cell of margin on both sides, rows are a power of two.
    static let cells = 30
    /// Side of the window, in square roots of the target's area.
    static let padding = 5.0
    /// Width of the wanted peak, in square roots of the target's area.
    static let peakWidth = 1.0 / 16
    static let learningRate: Float = 0.02
    /// Weight of the prior, first without one, then with the cropped filter; per cell of the window.
    static let penalties: (first: Float, second: Float) = (1, 10)

    struct Response {
        /// Offset of the peak, in window sides.
        var x = 0.0
        var y = 0.0
        var peak: Float = 0
        /// The highest value outside of the peak, as a part of it.
        var second: Float = 1
    }

    /// Side of the window in pixels, at the target's first size.
    let side: Double
    private let transform: TrackingTransform
    private let patch: PatchFeatures
    private let features: FloatBlock
    private let spectra: ComplexBlock
    private let model: ComplexBlock
    private let filter: ComplexBlock
    private let wanted: FloatBlock
    private let crop: FloatBlock
    private let sum: ComplexBlock
    private let response: FloatBlock
    private let work: FloatBlock
    private var isLearnt = false

    init(width: Double, height: Double) throws {
        let cells = Self.cells, channels = PatchFeatures.channels, plane = cells * cells
        let size = (width * height).squareRoot()
        side = max(size * Self.padding, max(width, height) * 1.5)
        let transform = try TrackingTransform(width: cells, height: cells)
        self.transform = transform
        let hann = (0..<cells).map { Float(0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 0.5) / Double(cells))) }
        patch = try PatchFeatures(columns: cells, rows: cells, patches: 1) { x, y, _ in hann[x] * hann[y] }
        features = try FloatBlock(count: plane * channels)
        spectra = try ComplexBlock(count: transform.frequencies * channels)
        model = try ComplexBlock(count: transform.frequencies * channels)
        filter = try ComplexBlock(count: transform.frequencies * channels)
        sum = try ComplexBlock(count: transform.frequencies)
        response = try FloatBlock(count: plane)
        work = try FloatBlock(count: max(transform.workCount, 3 * transform.frequencies))

        let sigma = Self.peakWidth * size / side * Double(cells)
        let cellsPerPixel = Double(cells) / side, outside = -Self.penalties.first / Self.penalties.second
        let halfWidth = max(width * cellsPerPixel, 3) / 2, halfHeight = max(height * cellsPerPixel, 3) / 2
        crop = try FloatBlock(count: plane)
        for y in 0..<cells {
            for x in 0..<cells {
                let dx = Double(x < cells / 2 ? x : x - cells), dy = Double(y < cells / 2 ? y : y - cells)
                response[y * cells + x] = Float(exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)))
                let fromMiddleX = abs(Double(x) + 0.5 - Double(cells) / 2)
                let fromMiddleY = abs(Double(y) + 0.5 - Double(cells) / 2)
                let isOnTarget = fromMiddleX <= halfWidth && fromMiddleY <= halfHeight
                // What the second solution starts from is the cropped filter, pushed away from what was cut off.
                crop[y * cells + x] = isOnTarget ? 1 : outside
            }
        }
        // The peak is symmetric about the origin, so its spectrum is real.
        transform.forward(response, to: sum, count: 1, work: work)
        wanted = try FloatBlock(count: transform.frequencies)
        wanted.copy(from: sum.real)
    }

    /// How the window around a point answers.
    func respond(to frame: Raster, x: Double, y: Double, scale: Double) -> Response {
        transformWindow(of: frame, x: x, y: y, scale: scale)
        filter.respond(to: spectra, channels: PatchFeatures.channels, into: sum)
        transform.inverse(sum, to: response, count: 1, work: work)
        return response.withUnsafeFloats { Self.analyse(UnsafeBufferPointer(start: $0, count: response.count)) }
    }

    /// Takes the window around a point as the target's.
    func learn(_ frame: Raster, x: Double, y: Double, scale: Double) {
        transformWindow(of: frame, x: x, y: y, scale: scale)
        if isLearnt {
            model.blend(with: spectra, rate: Self.learningRate)
        } else {
            model.copy(from: spectra)
            isLearnt = true
        }
        let channels = PatchFeatures.channels, perCell = Float(Self.cells * Self.cells)
        filter.clear()
        filter.solve(
            model, wanted: wanted, channels: channels, penalty: Self.penalties.first * perCell, work: work)
        transform.inverse(filter, to: features, count: channels, work: work)
        features.weigh(by: crop, planes: channels)
        transform.forward(features, to: filter, count: channels, work: work)
        filter.solve(
            model, wanted: wanted, channels: channels, penalty: Self.penalties.second * perCell, work: work)
    }

    private func transformWindow(of frame: Raster, x: Double, y: Double, scale: Double) {
        let side = side * scale
        patch.sample(frame, box: PixelRegion(x: x - side / 2, y: y - side / 2, width: side, height: side), patch: 0)
        patch.features(into: features)
        transform.forward(features, to: spectra, count: PatchFeatures.channels, work: work)
    }

    private static func analyse(_ response: UnsafeBufferPointer<Float>) -> Response {
        let cells = cells
        var best = 0
        for index in 1..<response.count where response[index] > response[best] { best = index }
        let x = best % cells, y = best / cells
        var result = Response()
        result.peak = response[best]
        guard result.peak > 0 else { return result }

        let near = 2
        var second = -Float.infinity
        for row in 0..<cells {
            let dy = min(abs(row - y), cells - abs(row - y))
            for column in 0..<cells {
                let dx = min(abs(column - x), cells - abs(column - x))
                if dx <= near && dy <= near { continue }
                second = max(second, response[row * cells + column])
            }
        }
        result.second = max(0, second / result.peak)

        func value(_ column: Int, _ row: Int) -> Float {
            response[(row + cells) % cells * cells + (column + cells) % cells]
        }
        // The peak is meant to be a Gaussian narrower than a cell, whose logarithm is the parabola.
        func height(_ column: Int, _ row: Int) -> Float { log(max(value(column, row) / result.peak, 0.01)) }
        let dx = vertex(height(x - 1, y), 0, height(x + 1, y))
        let dy = vertex(height(x, y - 1), 0, height(x, y + 1))
        result.x = (Double(x < cells / 2 ? x : x - cells) + dx) / Double(cells)
        result.y = (Double(y < cells / 2 ? y : y - cells) + dy) / Double(cells)
        return result
    }
}

/// Where the parabola through three neighbouring values, the middle one the highest, has its top: -0.5 ... 0.5.
func vertex(_ before: Float, _ top: Float, _ after: Float) -> Double {
    let bend = before + after - 2 * top
    guard bend < 0 else { return 0 }
    return Double(max(-0.5, min(0.5, 0.5 * (before - after) / bend)))
}
