import Foundation
import VisionImage

/// Finds the target's position: a correlation filter on gradient directions, over a square window around the target.
///
/// The filter is learnt from all shifts of the window, background included, but its support is limited to the target:
/// Kiani Galoogahi, Fagg, Lucey, "Learning background-aware correlation filters for visual tracking" (2017), here with
/// two solutions and one crop between them instead of a longer iteration. The target's model is a running mean of its
/// spectra, from which the filter is solved anew.
final class TranslationFilter {
    struct Settings {
        /// The number of cells along a side of the window.
        var cells: Int
        /// The side of the window, in square roots of the target's area.
        var padding: Double
        var learningRate: Float
        /// The radius around the peak, in cells, that does not count as a second peak.
        var peakRadius: Int
        /// Whether colour names are features as well.
        var usesColourNames: Bool
        var colours: Colours

        /// The parameters of the colour histogram model.
        struct Colours {
            var learningRate: Float
            /// The weight of the mean likelihood of the target's box, which is added to the response.
            var weight: Float
            /// The weight of the filter's response.
            var responseScale: Float
            /// The part of the box, along both axes, whose likelihood counts.
            var inner: Double
        }

        /// With the cell of margin on both sides, rows are a power of two.
        static let fast = Settings(
            cells: 30, padding: 5, learningRate: 0.02, peakRadius: 2, usesColourNames: false,
            colours: Colours(learningRate: 0.03, weight: 0.25, responseScale: 25, inner: 0.8))
        static let accurate = Settings(
            cells: 40, padding: 4, learningRate: 0.025, peakRadius: 3, usesColourNames: true,
            colours: Colours(learningRate: 0.03, weight: 0.25, responseScale: 7.5, inner: 0.8))
    }

    /// The standard deviation of the desired peak, in square roots of the target's area.
    static let peakWidth = 1.0 / 16
    /// The regularisation: first towards zero, then towards the cropped filter; per cell of the window.
    static let penalties: (first: Float, second: Float) = (1, 10)

    struct Response {
        /// The offset of the best position, in window sides.
        var x = 0.0
        var y = 0.0
        /// The best merged value, by which positions in different windows are compared.
        var top: Float = -.infinity
        /// The filter's response there.
        var peak: Float = 0
        /// The filter's highest response elsewhere, relative to that.
        var second: Float = 1
        /// The mean colour likelihood of the box there, 0 ... 1.
        var likelihood: Float = 0
    }

    /// The learnt appearance of a target: the mean of its spectra, the filter solved from it, and its colours.
    final class Appearance {
        let model: ComplexBlock
        let filter: ComplexBlock
        let colours: ColourModel

        init(count: Int) throws {
            model = try ComplexBlock(count: count)
            filter = try ComplexBlock(count: count)
            colours = try ColourModel()
        }

        func copy(from other: Appearance) {
            model.copy(from: other.model)
            filter.copy(from: other.filter)
            colours.target.copy(from: other.colours.target)
            colours.around.copy(from: other.colours.around)
        }
    }

    /// Returns an empty model of the same size as this filter's.
    func emptyAppearance() throws -> Appearance { try Appearance(count: appearance.model.count) }

    /// The side of the window in pixels, at the target's first size.
    let side: Double
    /// The buffers for updates.
    let workspaces: WorkspacePool
    private let settings: Settings
    private let width: Double
    private let height: Double
    private let channels: Int
    private let transform: TrackingTransform
    /// The appearance model in use; `TargetFilters.use` may replace it for a while.
    var appearance: Appearance
    private let wanted: FloatBlock
    private let crop: FloatBlock
    /// The cells that the target covers, a rectangle in the middle.
    private let targetColumns: Range<Int>
    private let targetRows: Range<Int>
    /// The features of the target when it was first compared, and in the current window.
    private var first: FloatBlock?
    private var present: FloatBlock?
    private var isLearnt = false

    init(width: Double, height: Double, settings: Settings) throws {
        self.settings = settings
        self.width = width
        self.height = height
        let cells = settings.cells, plane = cells * cells
        channels = PatchFeatures.channels + (settings.usesColourNames ? ColourView.channels : 0)
        let size = (width * height).squareRoot()
        side = max(size * settings.padding, max(width, height) * 1.5)
        workspaces = .shared(cells: cells, channels: channels)
        let transform = try TrackingTransform(width: cells, height: cells)
        self.transform = transform
        appearance = try Appearance(count: transform.frequencies * channels)

        let sigma = Self.peakWidth * size / side * Double(cells)
        let cellsPerPixel = Double(cells) / side, outside = -Self.penalties.first / Self.penalties.second
        let halfWidth = max(width * cellsPerPixel, 3) / 2, halfHeight = max(height * cellsPerPixel, 3) / 2
        func covered(_ half: Double) -> Range<Int> {
            let covered = (0..<cells).filter { abs(Double($0) + 0.5 - Double(cells) / 2) <= half }
            return (covered.first ?? 0)..<((covered.last ?? 0) + 1)
        }
        (targetColumns, targetRows) = (covered(halfWidth), covered(halfHeight))
        crop = try FloatBlock(count: plane)
        let peak = try FloatBlock(count: plane)
        for y in 0..<cells {
            for x in 0..<cells {
                let dx = Double(x < cells / 2 ? x : x - cells), dy = Double(y < cells / 2 ? y : y - cells)
                peak[y * cells + x] = Float(exp(-(dx * dx + dy * dy) / (2 * sigma * sigma)))
                let isOnTarget = targetColumns.contains(x) && targetRows.contains(y)
                // The prior of the second solution is the cropped filter, negative where it was cropped.
                crop[y * cells + x] = isOnTarget ? 1 : outside
            }
        }
        // The peak is symmetric about the origin, so its spectrum is real.
        let spectrum = try ComplexBlock(count: transform.frequencies)
        transform.forward(peak, to: spectrum, count: 1, work: try FloatBlock(count: transform.workCount))
        wanted = spectrum.real
    }

    /// The boxes of the target's size in the window.
    func shiftedBoxes() -> ShiftedBoxes {
        ShiftedBoxes(columns: targetColumns, rows: targetRows, cells: settings.cells)
    }

    /// Returns the response of the window around `state`.
    ///
    /// - Parameter presence: Adds to the merged response what else speaks for a shift of the target.
    func respond(
        to frame: FramePixels, at state: TargetState, presence: ((TrackingWorkspace.Window) -> Void)? = nil
    ) throws -> Response {
        try sample(frame, at: state)
        let space = frame.space.window
        appearance.filter.respond(to: space.spectra, channels: channels, into: space.sum)
        transform.inverse(space.sum, to: space.response, count: 1, work: space.work)
        space.merged.copy(from: space.response)
        let how = settings.colours, perPixel = Double(space.colours.side) / side * how.inner
        space.colours.findLikelihoods(by: appearance.colours)
        space.colours.merge(
            into: space.merged, width: width * perPixel, height: height * perPixel, scale: how.responseScale,
            weight: how.weight)
        presence?(space)
        let count = space.response.count
        return space.response.withUnsafeFloats { response in
            space.merged.withUnsafeFloats { merged in
                analyse(
                    UnsafeBufferPointer(start: response, count: count),
                    merged: UnsafeBufferPointer(start: merged, count: count))
            }
        }
    }

    /// Samples the window around `state` and computes its features, from which `learn` learns.
    func sample(_ frame: FramePixels, at state: TargetState) throws {
        let space = frame.space.window
        let side = side * state.scale, left = state.x - side / 2, top = state.y - side / 2
        let grey = try frame.grey(forStep: side / Double(settings.cells * PatchFeatures.cell))
        let box = grey.box(PixelRegion(x: left, y: top, width: side, height: side))
        space.patch.sample(grey.pixels, box: box, patch: 0, into: space.samples)
        space.patch.features(of: space.samples, into: space.features, work: space.cellWork)
        try space.colours.sample(frame.colour, x: left, y: top, length: side)
        if settings.usesColourNames {
            space.colours.describe(into: space.features, fromPlane: PatchFeatures.channels, window: space.weights)
        }
        transform.forward(space.features, to: space.spectra, count: channels, work: space.work)
    }

    /// Returns the similarity of the target in the sampled window to the first one: the cosine of their gradient
    /// features. Colours are left out because the surroundings often have the same.
    func likenessToFirst(in frame: FramePixels) throws -> Float {
        let count = targetRows.count * targetColumns.count * PatchFeatures.channels
        let present = try self.present ?? FloatBlock(count: count)
        self.present = present
        present.gather(
            from: frame.space.window.features, rows: targetRows, columns: targetColumns, rowLength: settings.cells,
            planes: PatchFeatures.channels, of: channels)
        guard let first else {
            let copy = try FloatBlock(count: count)
            copy.copy(from: present)
            first = copy
            return 1
        }
        let product = present.dot(first)
        let energy = present.dot(present) * first.dot(first)
        // Without any texture the features are only rounding errors.
        return product / max(energy.squareRoot(), 1e-3 * Float(count))
    }

    /// Learns the sampled window as the target's. The features and spectra of the workspace are destroyed.
    func learn(_ frame: FramePixels) {
        let space = frame.space.window
        let perPixel = Double(space.colours.side) / side
        space.colours.update(
            appearance.colours, width: width * perPixel, height: height * perPixel,
            rate: isLearnt ? settings.colours.learningRate : 1)
        if isLearnt {
            appearance.model.blend(with: space.spectra, rate: settings.learningRate)
        } else {
            appearance.model.copy(from: space.spectra)
            isLearnt = true
        }
        let perCell = Float(settings.cells * settings.cells)
        appearance.filter.clear()
        appearance.filter.solve(
            appearance.model, wanted: wanted, channels: channels, penalty: Self.penalties.first * perCell,
            work: space.work)
        transform.inverse(appearance.filter, to: space.features, count: channels, work: space.work)
        space.features.weigh(by: crop, planes: channels)
        transform.forward(space.features, to: appearance.filter, count: channels, work: space.work)
        appearance.filter.solve(
            appearance.model, wanted: wanted, channels: channels, penalty: Self.penalties.second * perCell,
            work: space.work)
    }

    /// Finds the best position by `merged`, and its quality by the filter's own response.
    private func analyse(_ response: UnsafeBufferPointer<Float>, merged: UnsafeBufferPointer<Float>) -> Response {
        let cells = settings.cells
        var best = 0
        for index in 1..<merged.count where merged[index] > merged[best] { best = index }
        let x = best % cells, y = best / cells, top = merged[best]
        var result = Response()
        result.top = top
        result.peak = response[best]
        result.likelihood = (top - settings.colours.responseScale * result.peak) / settings.colours.weight
        guard result.peak > 0, top > 0 else { return result }

        let near = settings.peakRadius
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
        // The desired peak is a Gaussian narrower than a cell, whose logarithm is a parabola.
        func height(_ column: Int, _ row: Int) -> Float { log(max(value(column, row) / top, 0.01)) }
        let dx = vertex(height(x - 1, y), 0, height(x + 1, y))
        let dy = vertex(height(x, y - 1), 0, height(x, y + 1))
        result.x = (Double(x < cells / 2 ? x : x - cells) + dx) / Double(cells)
        result.y = (Double(y < cells / 2 ? y : y - cells) + dy) / Double(cells)
        return result
    }
}

/// Returns the offset of the vertex of the parabola through three neighbouring values, of which the middle one is the
/// highest: -0.5 ... 0.5.
func vertex(_ before: Float, _ top: Float, _ after: Float) -> Double {
    let bend = before + after - 2 * top
    guard bend < 0 else { return 0 }
    return Double(max(-0.5, min(0.5, 0.5 * (before - after) / bend)))
}
