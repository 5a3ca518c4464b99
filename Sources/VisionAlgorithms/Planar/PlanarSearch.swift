/// Compares a template's smallest level with many positions around the expected one.
final class PlanarSearch {
    struct Candidate {
        var map: Homography
        var score: Double
    }

    /// The window's side in template sizes; it holds all shifts by up to one size.
    private static let sizes = 3
    private let level: PlanarTemplate.Level
    private let window: PlanarPatch
    /// The template less its mean, and the sum of its squares.
    private let model: [SIMD16<Float>]
    private let energy: Double

    convenience init(_ template: PlanarTemplate) throws {
        let level = template.levels[0]
        self.init(
            level, window: try PlanarPatch(columns: level.columns * Self.sizes, rows: level.rows * Self.sizes))
    }

    /// Reuses the buffers of another search, for a template that has been relearnt.
    convenience init(_ template: PlanarTemplate, reusing other: PlanarSearch) {
        self.init(template.levels[0], window: other.window)
    }

    private init(_ level: PlanarTemplate.Level, window: PlanarPatch) {
        self.level = level
        self.window = window
        let count = level.model.count
        let mean = (0..<count).reduce(0) { $0 + level.model[$1] } / Float(count)
        model = stride(from: 0, to: count, by: 16).map { start in
            SIMD16((0..<16).map { level.model[start + $0] - mean })
        }
        energy = Double(model.reduce(0) { $0 + ($1 * $1).sum() })
    }

    /// Returns the best few candidates among all shifts of `map` by up to its own size, best first.
    func candidates(in pyramid: PlanarPyramid, around map: Homography, most: Int) -> [Candidate] {
        let outer = level.outer(map)
        let sizes = Double(Self.sizes)
        let wide = outer * .scale(x: sizes, y: sizes)
        // If the window reaches beyond the horizon, only an affine neighbourhood is searched.
        let window = wide.isProper ? wide : outer.affine * .scale(x: sizes, y: sizes)
        let step = (abs(outer.quad.area) / Double(level.columns * level.rows)).squareRoot()
        self.window.sample(pyramid, level: pyramid.level(forStep: step), map: window)
        let scores = correlate()
        let across = level.columns + 1, down = level.rows + 1
        var found: [(x: Int, y: Int, score: Double)] = []
        for y in 0..<down {
            for x in 0..<across {
                let score = scores[y * across + x]
                guard score > 0.2 else { continue }
                if let near = found.firstIndex(where: { abs($0.x - x) <= 2 && abs($0.y - y) <= 2 }) {
                    if found[near].score < score { found[near] = (x, y, score) }
                } else {
                    found.append((x, y, score))
                }
            }
        }
        found.sort { $0.score > $1.score }
        return found.prefix(most).compactMap { shift in
            // From steps of two samples to units of the square.
            let dx = Double(2 * shift.x - level.columns) * 2 / Double(level.columns)
            let dy = Double(2 * shift.y - level.rows) * 2 / Double(level.rows)
            let centre = (wide.isProper ? outer : outer.affine).apply(dx, dy), here = outer.apply(0, 0)
            let moved = Homography.translation(x: centre.x - here.x, y: centre.y - here.y) * map
            return moved.isProper ? Candidate(map: moved, score: shift.score) : nil
        }
    }

    /// Returns the correlation coefficients at every second shift along both axes.
    private func correlate() -> [Double] {
        let columns = level.columns, rows = level.rows, vectors = columns / 16
        let across = columns + 1, down = rows + 1, stride = window.columns
        let noise = PlanarCell.noise * Double(columns * rows)
        var scores = [Double](repeating: 0, count: across * down)
        window.values.withUnsafeFloats { values in
            window.inside.withUnsafeFloats { inside in
                model.withUnsafeBufferPointer { model in
                    for y in 0..<down {
                        for x in 0..<across {
                            var sum = SIMD16<Float>(), squares = sum, product = sum, count = sum
                            for row in 0..<rows {
                                let start = (2 * y + row) * stride + 2 * x
                                for vector in 0..<vectors {
                                    let at = UnsafeRawPointer(values + start + 16 * vector)
                                    let mask = UnsafeRawPointer(inside + start + 16 * vector)
                                        .loadUnaligned(as: SIMD16<Float>.self)
                                    let v = (at.loadUnaligned(as: SIMD16<Float>.self) - 128) * mask
                                    count += mask
                                    sum += v
                                    squares += v * v
                                    product += v * model[row * vectors + vector]
                                }
                            }
                            let n = Double(count.sum())
                            // Half of the object must be in the frame; pixels outside count as mean grey.
                            guard n >= Double(columns * rows) / 2 else { continue }
                            let total = Double(sum.sum())
                            let spread = max(0, Double(squares.sum()) - total * total / n)
                            scores[y * across + x] =
                                Double(product.sum()) / ((spread + noise) * (energy + noise)).squareRoot()
                        }
                    }
                }
            }
        }
        return scores
    }
}

extension Homography {
    /// The affine approximation of this map at the middle of the square.
    var affine: Homography {
        let (x, y, w) = (row0.z / row2.z, row1.z / row2.z, row2.z)
        return Homography(
            [(row0.x - x * row2.x) / w, (row0.y - x * row2.y) / w, x],
            [(row1.x - y * row2.x) / w, (row1.y - y * row2.y) / w, y], [0, 0, 1])
    }
}
