import VisionImage

/// How a planar thing looked in one frame, sampled upright at several sizes.
final class PlanarTemplate {
    /// One size, with buffers to compare frames with it.
    final class Level {
        let columns: Int
        let rows: Int
        let model: FloatBlock
        let patch: PlanarPatch
        /// The patch less its slow changes, and the same with the template's contrast.
        let flat: FloatBlock
        let relit: FloatBlock
        let comparison: PlanarComparison
        let sums: FloatBlock
        /// The level shows the square from -extent to extent: 1, or more where the surroundings help.
        let extent: Double

        init(columns: Int, rows: Int, extent: Double) throws {
            self.extent = extent
            self.columns = columns
            self.rows = rows
            patch = try PlanarPatch(columns: columns, rows: rows)
            comparison = try PlanarComparison(columns: columns, rows: rows)
            model = try FloatBlock(count: columns * rows)
            flat = try FloatBlock(count: columns * rows)
            relit = try FloatBlock(count: columns * rows)
            sums = try FloatBlock(count: patch.cells * PlanarPatch.cellSums)
        }

        /// Samples a frame so that a sample is about a pixel of the pyramid's level that is taken.
        func sample(_ pyramid: PlanarPyramid, at map: Homography) {
            let map = outer(map)
            let area = abs(map.quad.area)
            let step = (area / Double(columns * rows)).squareRoot()
            patch.sample(pyramid, level: pyramid.level(forStep: step), map: map)
        }

        /// Takes the means of the cells, linearly in between, from the sampled patch and puts 128 in their place: light falls
        /// differently from frame to frame, but it changes slowly along the plane.
        func flatten(into result: FloatBlock) {
            patch.cellSums(of: patch.values, against: patch.values, into: sums)
            let bias = (0..<patch.cells).map { cell in
                let n = sums[cell * PlanarPatch.cellSums]
                return n > 0 ? -sums[cell * PlanarPatch.cellSums + 1] / n : 0
            }
            patch.relight(patch.values, gain: Array(repeating: 1, count: bias.count), bias: bias, into: result)
        }

        /// The cells that are not at the rim; none where the level is too small.
        var core: [Int] {
            let (across, down) = (columns / PlanarPatch.cell, rows / PlanarPatch.cell)
            return (0..<(across * down)).filter { index in
                let (x, y) = (index % across, index / across)
                return x > 0 && y > 0 && x < across - 1 && y < down - 1
            }
        }

        /// The map of the whole square that the level shows, from that of the thing.
        func outer(_ map: Homography) -> Homography { extent == 1 ? map : map * .scale(x: extent, y: extent) }

        /// The way back.
        func inner(_ map: Homography) -> Homography {
            extent == 1 ? map : map * .scale(x: 1 / extent, y: 1 / extent)
        }
    }

    /// From the smallest to the largest; sides halve from one to the next.
    let levels: [Level]

    /// - Parameters:
    ///   - longest: Samples along the longer side of the largest level, at most.
    ///   - extent: How far beyond the thing the levels show its surroundings, those apart that follow `close` ones.
    ///   - close: How many levels, from the largest on, show the thing alone.
    init(_ pyramid: PlanarPyramid, map: Homography, longest: Int, extent: Double, close: Int) throws {
        let sides = map.quad.sides
        let cell = PlanarPatch.cell
        func whole(_ length: Double) -> Int {
            let cells = (min(length, 1e6) / Double(cell)).rounded()
            return max(cell, min(longest, Int(cells) * cell))
        }
        let long = max(sides.width, sides.height)
        var shrink = min(1, Double(longest) / long)
        var levels: [Level] = []
        while true {
            let level = try Level(
                columns: whole(sides.width * shrink), rows: whole(sides.height * shrink),
                extent: levels.count < close ? 1 : extent)
            levels.append(level)
            if level.columns <= cell && level.rows <= cell || levels.count >= 6 { break }
            shrink /= 2
        }
        self.levels = levels.reversed()
        learn(pyramid, map: map)
    }

    /// The level to judge by: finer ones suffer from blur, coarser ones agree with anything.
    var judge: Level { levels.last { max($0.columns, $0.rows) <= 64 } ?? levels[0] }

    /// Whether the thing's inside says too little to be followed by it. Asked for right after the template was learnt.
    func isPlain() -> Bool {
        guard let level = levels.last else { return true }
        let core = level.core
        if core.count >= 4 {
            let cells = PlanarCell.all(of: level)
            return core.map { cells[$0] }.texturedShare < 0.3
        }
        // Small things are hardly more than their rim, which has some texture always.
        return PlanarCell.all(of: levels[max(0, levels.count - 2)]).texturedShare < 0.55
    }

    /// Takes what a frame shows as the thing's looks.
    func learn(_ pyramid: PlanarPyramid, map: Homography) {
        for level in levels {
            level.sample(pyramid, at: map)
            level.flatten(into: level.model)
        }
    }
}

/// How one cell of a template compares with what a frame shows in its place.
struct PlanarCell {
    /// Grey levels squared: differences of this size mean nothing.
    static let noise = 16.0

    /// The part of the cell that lies within the frame.
    var visible = 0.0
    /// Correlation of the two, 1 for cells that are flat in both.
    var agreement = 0.0
    /// Variance of the template in the cell.
    var texture = 0.0
    /// Variance of what is left between the two.
    var residual = 0.0
    /// What the frame's contrast is to be multiplied by.
    var gain: Float = 1

    /// How much the cell says about where the thing is, from 0 for a flat one up to 1. Cells without much contrast do not
    /// count: where both are flat they would agree with anything.
    var evidence: Double {
        let share = texture / (texture + 10 * Self.noise)
        return visible * share * share
    }

    /// The cells of a level with its patch sampled; the level's `relit` samples look like the template's then.
    static func all(of level: PlanarTemplate.Level) -> [PlanarCell] {
        level.flatten(into: level.flat)
        let cells = all(of: level.flat, level)
        level.patch.relight(
            level.flat, gain: cells.map(\.gain), bias: cells.map { 128 - 128 * $0.gain }, into: level.relit)
        return cells
    }

    private static func all(of image: FloatBlock, _ level: PlanarTemplate.Level) -> [PlanarCell] {
        level.patch.cellSums(of: image, against: level.model, into: level.sums)
        let count = level.patch.cells, stride = PlanarPatch.cellSums
        let full = Double(PlanarPatch.cell * PlanarPatch.cell)
        var cells = [PlanarCell](repeating: PlanarCell(), count: count)
        var moments = [(image: Double, model: Double, both: Double)](repeating: (0, 0, 0), count: count)
        var (shared, spread) = (noise, noise)
        for index in 0..<count {
            func sum(_ place: Int) -> Double { Double(level.sums[index * stride + place]) }
            let n = sum(0)
            guard n >= full / 4 else { continue }
            let (image, model) = (sum(1) / n, sum(2) / n)
            let imageVariance = max(0, sum(3) / n - image * image)
            let modelVariance = max(0, sum(4) / n - model * model)
            let covariance = sum(5) / n - image * model
            moments[index] = (imageVariance, modelVariance, covariance)
            let size = ((imageVariance + noise) * (modelVariance + noise)).squareRoot()
            cells[index].visible = n / full
            cells[index].agreement = (covariance + noise) / size
            cells[index].texture = modelVariance
            if cells[index].agreement > 0.5 {
                shared += n * covariance
                spread += n * imageVariance
            }
        }
        // A cell that has no contrast of its own, or shows something else, takes the gain of the others.
        let common = min(max(shared / spread, 0.3), 3)
        for index in 0..<count where cells[index].visible > 0 {
            let (image, model, both) = moments[index]
            let own = min(max((both + 4 * noise * common) / (image + 4 * noise), 0.3), 3)
            let gain = cells[index].agreement > 0.5 ? own : common
            cells[index].gain = Float(gain)
            cells[index].residual = max(0, gain * gain * image + model - 2 * gain * both)
        }
        return cells
    }
}

extension [PlanarCell] {
    /// Agreement of all cells, weighted by how much each says: at most 1, about 0 for unrelated pictures. 0 where nothing is
    /// visible.
    var agreement: Double {
        let weight = reduce(0) { $0 + $1.evidence }
        guard weight > 0 else { return 0 }
        return reduce(0) { $0 + $1.evidence * Swift.max(0, $1.agreement) } / weight
    }

    /// The share of what could be seen that agrees.
    var agreeingShare: Double {
        let weight = reduce(0) { $0 + $1.evidence }
        guard weight > 0 else { return 0 }
        let agreeing = reduce(0) { $0 + $1.evidence * PlanarAligner.trust(in: $1.agreement) }
        return agreeing / weight
    }

    /// The part of the thing within the frame.
    var visibleShare: Double { isEmpty ? 0 : reduce(0) { $0 + $1.visible } / Double(count) }

    /// Mean texture of the template, from 0 to about 1.
    var texturedShare: Double {
        isEmpty ? 0 : reduce(0) { $0 + $1.texture / ($1.texture + 10 * PlanarCell.noise) } / Double(count)
    }
}
