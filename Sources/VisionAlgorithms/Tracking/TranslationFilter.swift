import Foundation
import VisionImage

/// Where the target is: a correlation filter on gradient directions, over a square window around the target.
///
/// The filter is learnt from all shifts of the window, its background included, but may only use what lies on the target
/// itself: Kiani Galoogahi, Fagg, Lucey, "Learning background-aware correlation filters for visual tracking" (2017), here
/// with two solutions and one crop between them instead of a longer iteration. The model of the target is a running mean
/// of its spectra, from which the filter is solved anew.
final class TranslationFilter {
    struct Settings {
        /// Cells along a side of the window.
        var cells: Int
        /// Side of the window, in square roots of the target's area.
        var padding: Double
        var learningRate: Float
        /// Cells around the peak that are not another place.
        var peakReach: Int
        var colours: Colours?

        /// How colours count, in the filter and by their histograms.
        struct Colours {
            var learningRate: Float
            /// Of the mean likelihood of the target's box, which is added to the response.
            var weight: Float
            /// Of the filter's response.
            var responseScale: Float
            /// Part of the box along both axes whose likelihood counts.
            var inner: Double
        }

        /// With the cell of margin on both sides, rows are a power of two.
        static let fast = Settings(cells: 30, padding: 5, learningRate: 0.02, peakReach: 2)
        static let accurate = Settings(
            cells: 40, padding: 4, learningRate: 0.025, peakReach: 3,
            colours: Colours(learningRate: 0.03, weight: 0.25, responseScale: 7.5, inner: 0.8))
    }

    /// Width of the wanted peak, in square roots of the target's area.
    static let peakWidth = 1.0 / 16
    /// Weight of the prior, first without one, then with the cropped filter; per cell of the window.
    static let penalties: (first: Float, second: Float) = (1, 10)

    struct Response {
        /// Offset of the best place, in window sides.
        var x = 0.0
        var y = 0.0
        /// The best value, by which places in different windows are compared.
        var top: Float = -.infinity
        /// What the filter answers there.
        var peak: Float = 0
        /// The filter's highest answer elsewhere, as a part of that.
        var second: Float = 1
        /// Mean likelihood of the box there by its colours, 0 ... 1.
        var likelihood: Float = 0
    }

    /// Side of the window in pixels, at the target's first size.
    let side: Double
    private let settings: Settings
    private let width: Double
    private let height: Double
    private let channels: Int
    private let transform: TrackingTransform
    private let colours: ColourView?
    private let window: FloatBlock
    private let patch: PatchFeatures
    private let features: FloatBlock
    private let spectra: ComplexBlock
    private let model: ComplexBlock
    private let filter: ComplexBlock
    private let wanted: FloatBlock
    private let crop: FloatBlock
    private let sum: ComplexBlock
    private let response: FloatBlock
    /// The response with the likelihood of colours.
    private let merged: FloatBlock
    private let work: FloatBlock
    /// 1 on the target, 0 around it.
    private let mask: FloatBlock
    /// Features of the target when it was first compared, and at present.
    private var first: FloatBlock?
    private var onTarget: FloatBlock?
    private var isLearnt = false

    init(width: Double, height: Double, settings: Settings) throws {
        self.settings = settings
        self.width = width
        self.height = height
        let cells = settings.cells, plane = cells * cells
        channels = PatchFeatures.channels + (settings.colours == nil ? 0 : ColourView.channels)
        let size = (width * height).squareRoot()
        side = max(size * settings.padding, max(width, height) * 1.5)
        colours = try settings.colours.map { _ in try ColourView(cells: cells) }
        let transform = try TrackingTransform(width: cells, height: cells)
        self.transform = transform
        let hann = (0..<cells).map { Float(0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 0.5) / Double(cells))) }
        patch = try PatchFeatures(columns: cells, rows: cells, patches: 1) { x, y, _ in hann[x] * hann[y] }
        window = try FloatBlock(count: plane)
        for y in 0..<cells { for x in 0..<cells { window[y * cells + x] = hann[x] * hann[y] } }
        features = try FloatBlock(count: plane * channels)
        spectra = try ComplexBlock(count: transform.frequencies * channels)
        model = try ComplexBlock(count: transform.frequencies * channels)
        filter = try ComplexBlock(count: transform.frequencies * channels)
        sum = try ComplexBlock(count: transform.frequencies)
        response = try FloatBlock(count: plane)
        merged = try FloatBlock(count: plane)
        work = try FloatBlock(count: max(transform.workCount, 3 * transform.frequencies))

        let sigma = Self.peakWidth * size / side * Double(cells)
        let cellsPerPixel = Double(cells) / side, outside = -Self.penalties.first / Self.penalties.second
        let halfWidth = max(width * cellsPerPixel, 3) / 2, halfHeight = max(height * cellsPerPixel, 3) / 2
        crop = try FloatBlock(count: plane)
        mask = try FloatBlock(count: plane)
        for y in 0..<cells {
            for x in 0..<cells {
                let dx = Double(x < cells / 2 ? x : x - cells), dy = Double(y < cells / 2 ? y : y - cells)
                response[y * cells + x] = Float(exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)))
                let fromMiddleX = abs(Double(x) + 0.5 - Double(cells) / 2)
                let fromMiddleY = abs(Double(y) + 0.5 - Double(cells) / 2)
                let isOnTarget = fromMiddleX <= halfWidth && fromMiddleY <= halfHeight
                // What the second solution starts from is the cropped filter, pushed away from what was cut off.
                crop[y * cells + x] = isOnTarget ? 1 : outside
                mask[y * cells + x] = isOnTarget ? 1 : 0
            }
        }
        // The peak is symmetric about the origin, so its spectrum is real.
        transform.forward(response, to: sum, count: 1, work: work)
        wanted = try FloatBlock(count: transform.frequencies)
        wanted.copy(from: sum.real)
    }

    /// How the window around a point answers.
    func respond(to frame: FramePixels, x: Double, y: Double, scale: Double) throws -> Response {
        try transformWindow(of: frame, x: x, y: y, scale: scale)
        filter.respond(to: spectra, channels: channels, into: sum)
        transform.inverse(sum, to: response, count: 1, work: work)
        merged.copy(from: response)
        if let colours, let how = settings.colours {
            colours.findLikelihoods()
            let perPixel = Double(colours.side) / side * how.inner
            colours.merge(
                into: merged, width: width * perPixel, height: height * perPixel, scale: how.responseScale,
                weight: how.weight)
        }
        return response.withUnsafeFloats { response in
            merged.withUnsafeFloats { merged in
                analyse(
                    UnsafeBufferPointer(start: response, count: self.response.count),
                    merged: UnsafeBufferPointer(start: merged, count: self.response.count))
            }
        }
    }

    /// Looks at the window around a point, which `learn` then takes as the target's.
    func look(at frame: FramePixels, x: Double, y: Double, scale: Double) throws {
        try transformWindow(of: frame, x: x, y: y, scale: scale)
    }

    /// How like the target in the window that was looked at is to that of the first one: the cosine of their features.
    func likenessToFirst() throws -> Float {
        let onTarget = try self.onTarget ?? FloatBlock(count: features.count)
        self.onTarget = onTarget
        onTarget.copy(from: features)
        onTarget.weigh(by: mask, planes: channels)
        guard let first else {
            let copy = try FloatBlock(count: features.count)
            copy.copy(from: onTarget)
            first = copy
            return 1
        }
        let product = onTarget.dot(first)
        let energy = onTarget.dot(onTarget) * first.dot(first)
        return energy > 0 ? product / energy.squareRoot() : 0
    }

    /// Takes the window that was looked at as the target's.
    func learn() {
        if let colours, let how = settings.colours {
            let perPixel = Double(colours.side) / side
            colours.learn(
                width: width * perPixel, height: height * perPixel, rate: isLearnt ? how.learningRate : 1)
        }
        if isLearnt {
            model.blend(with: spectra, rate: settings.learningRate)
        } else {
            model.copy(from: spectra)
            isLearnt = true
        }
        let perCell = Float(settings.cells * settings.cells)
        filter.clear()
        filter.solve(
            model, wanted: wanted, channels: channels, penalty: Self.penalties.first * perCell, work: work)
        transform.inverse(filter, to: features, count: channels, work: work)
        features.weigh(by: crop, planes: channels)
        transform.forward(features, to: filter, count: channels, work: work)
        filter.solve(
            model, wanted: wanted, channels: channels, penalty: Self.penalties.second * perCell, work: work)
    }

    private func transformWindow(of frame: FramePixels, x: Double, y: Double, scale: Double) throws {
        let side = side * scale, left = x - side / 2, top = y - side / 2
        patch.sample(frame.grey, box: PixelRegion(x: left, y: top, width: side, height: side), patch: 0)
        patch.features(into: features)
        if let colours, let pixels = frame.colour {
            try colours.sample(pixels, x: left, y: top, length: side)
            colours.describe(into: features, fromPlane: PatchFeatures.channels, window: window)
        }
        transform.forward(features, to: spectra, count: channels, work: work)
    }

    /// `merged` says where the best place is, the filter's own response how good it is.
    private func analyse(_ response: UnsafeBufferPointer<Float>, merged: UnsafeBufferPointer<Float>) -> Response {
        let cells = settings.cells
        var best = 0
        for index in 1..<merged.count where merged[index] > merged[best] { best = index }
        let x = best % cells, y = best / cells, top = merged[best]
        var result = Response()
        result.top = top
        result.peak = response[best]
        if let how = settings.colours { result.likelihood = (top - how.responseScale * result.peak) / how.weight }
        guard result.peak > 0, top > 0 else { return result }

        let near = settings.peakReach
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
            merged[(row + cells) % cells * cells + (column + cells) % cells]
        }
        // The peak is meant to be a Gaussian narrower than a cell, whose logarithm is the parabola.
        func height(_ column: Int, _ row: Int) -> Float { log(max(value(column, row) / top, 0.01)) }
        let dx = vertex(height(x - 1, y), 0, height(x + 1, y))
        let dy = vertex(height(x, y - 1), 0, height(x, y + 1))
        result.x = (Double(x < cells / 2 ? x : x - cells) + dx) / Double(cells)
        result.y = (Double(y < cells / 2 ? y : y - cells) + dy) / Double(cells)
        return result
    }
}

/// What the filters of a tracker need of a frame.
struct FramePixels {
    let grey: Raster
    /// Only for filters that look at colours.
    var colour: ColourWindow?
}

/// Where the parabola through three neighbouring values, the middle one the highest, has its top: -0.5 ... 0.5.
func vertex(_ before: Float, _ top: Float, _ after: Float) -> Double {
    let bend = before + after - 2 * top
    guard bend < 0 else { return 0 }
    return Double(max(-0.5, min(0.5, 0.5 * (before - after) / bend)))
}
