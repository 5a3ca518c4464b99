/// The appearance of a planar object in one frame, sampled upright at several sizes.
final class PlanarTemplate {
    /// One size of the template, with buffers for comparisons with frames.
    final class Level {
        let columns: Int
        let rows: Int
        let model: FloatBlock
        let patch: PlanarPatch
        /// The patch with slow variations removed, and the same adjusted to the template's contrast.
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

        /// Samples a frame from the pyramid level whose pixels are about as large as the samples.
        func sample(_ pyramid: PlanarPyramid, at map: Homography) {
            let map = outer(map)
            let area = abs(map.quad.area)
            let step = (area / Double(columns * rows)).squareRoot()
            patch.sample(pyramid, level: pyramid.level(forStep: step), map: map)
        }

        /// Subtracts the means of the cells, interpolated linearly, from the sampled patch and adds 128: illumination
        /// differs between frames but changes slowly along the plane.
        func flatten(into result: FloatBlock) {
            patch.cellSums(of: patch.values, against: patch.values, into: sums)
            let bias = (0..<patch.cells).map { cell in
                let n = sums[cell * PlanarPatch.cellSums]
                return n > 0 ? -sums[cell * PlanarPatch.cellSums + 1] / n : 0
            }
            patch.relight(patch.values, gain: Array(repeating: 1, count: bias.count), bias: bias, into: result)
        }

        /// The indices of the cells that are not at the rim; empty if the level is too small.
        var core: [Int] {
            let (across, down) = (columns / PlanarPatch.cell, rows / PlanarPatch.cell)
            return (0..<(across * down)).filter { index in
                let (x, y) = (index % across, index / across)
                return x > 0 && y > 0 && x < across - 1 && y < down - 1
            }
        }

        /// Converts the object's map to that of the whole square that the level shows.
        func outer(_ map: Homography) -> Homography { extent == 1 ? map : map * .scale(x: extent, y: extent) }

        /// Converts the map of the level's square to that of the object.
        func inner(_ map: Homography) -> Homography {
            extent == 1 ? map : map * .scale(x: 1 / extent, y: 1 / extent)
        }
    }

    /// From the smallest to the largest; sides double from one to the next.
    let levels: [Level]

    /// - Parameters:
    ///   - longest: The largest number of samples along the longer side of the largest level.
    ///   - extent: How far beyond the object the levels show its surroundings, apart from the `close` largest ones.
    ///   - close: The number of levels, from the largest on, that show the object alone.
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

    /// The level used for verification: finer ones suffer from blur, coarser ones agree with anything.
    var verificationLevel: Level { levels.last { max($0.columns, $0.rows) <= 64 } ?? levels[0] }

    /// Returns whether the object's inside has too little texture to track. Must be called right after learning.
    func isPlain() -> Bool {
        guard let level = levels.last else { return true }
        let core = level.core
        if core.count >= 4 {
            let cells = PlanarCell.all(of: level)
            return core.map { cells[$0] }.texturedShare < 0.3
        }
        // Small objects consist mostly of their rim, which always has some texture.
        return PlanarCell.all(of: levels[max(0, levels.count - 2)]).texturedShare < 0.55
    }

    /// Learns the object's appearance from a frame.
    func learn(_ pyramid: PlanarPyramid, map: Homography) {
        for level in levels {
            level.sample(pyramid, at: map)
            level.flatten(into: level.model)
        }
    }
}

/// The comparison of one cell of a template with a frame.
struct PlanarCell {
    /// The variance, in grey levels squared, below which differences are noise.
    static let noise = 16.0

    /// The part of the cell that lies within the frame.
    var visible = 0.0
    /// The correlation of the two, 1 for cells that are flat in both.
    var agreement = 0.0
    /// The variance of the template in the cell.
    var texture = 0.0
    /// The variance of the difference.
    var residual = 0.0
    /// The factor that adjusts the frame's contrast to the template's.
    var gain: Float = 1

    /// How much the cell says about the object's position, from 0 for a flat cell up to 1. Cells without contrast do
    /// not count, because two flat cells always agree.
    var evidence: Double {
        let share = texture / (texture + 10 * Self.noise)
        return visible * share * share
    }

    /// Returns the comparisons of all cells of a level whose patch is sampled, and writes the level's `relit` samples.
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
            func sum(_ term: Int) -> Double { Double(level.sums[index * stride + term]) }
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
        // A cell without contrast or with other content takes the mean gain of the others.
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
    /// The agreement of all cells, weighted by their evidence: at most 1, about 0 for unrelated images, 0 if nothing is
    /// visible.
    var agreement: Double {
        let weight = reduce(0) { $0 + $1.evidence }
        guard weight > 0 else { return 0 }
        return reduce(0) { $0 + $1.evidence * Swift.max(0, $1.agreement) } / weight
    }

    /// The share of the visible evidence that agrees.
    var agreeingShare: Double {
        let weight = reduce(0) { $0 + $1.evidence }
        guard weight > 0 else { return 0 }
        let agreeing = reduce(0) { $0 + $1.evidence * PlanarAligner.trust(in: $1.agreement) }
        return agreeing / weight
    }

    /// The part of the object within the frame.
    var visibleShare: Double { isEmpty ? 0 : reduce(0) { $0 + $1.visible } / Double(count) }

    /// The mean texture of the template, from 0 to about 1.
    var texturedShare: Double {
        isEmpty ? 0 : reduce(0) { $0 + $1.texture / ($1.texture + 10 * PlanarCell.noise) } / Double(count)
    }
}
