import Foundation
import VisionImage

/// The grid of modules of a 2-D barcode in an image, fitted to the edges between its modules: a homography, and a
/// polynomial of the third degree before it for codes on bent surfaces.
///
/// Positions are in modules: (0, 0) is the outer corner of the module at the top left, (0.5, 0.5) its centre.
struct GridFit {
    /// A position in the grid and the pixel at which it was found.
    struct Match {
        var position: SIMD2<Double>
        var pixel: SIMD2<Double>
    }

    let columns, rows: Int
    /// The map from normalised positions to pixels.
    private var matrix: [SIMD3<Double>]
    /// The distortion of normalised positions for either axis: the factors of `terms`.
    private var bend: [[Double]] = [[], []]

    /// The largest offset of an edge, in modules.
    private static let mostShift = 0.4
    /// The maximum number of modules at which edges are measured.
    private static let mostModules = 1600

    /// Least squares over at least four matches.
    init?(columns: Int, rows: Int, matches: [Match]) {
        (self.columns, self.rows) = (columns, rows)
        matrix = []
        guard matches.count >= 4, columns > 0, rows > 0 else { return nil }
        let middle = matches.reduce(SIMD2<Double>.zero) { $0 + $1.pixel } / Double(matches.count)
        let size = matches.map { abs($0.pixel.x - middle.x) + abs($0.pixel.y - middle.y) }.max() ?? 0
        guard size > 1 else { return nil }
        var system = NormalEquations(count: 8)
        for match in matches {
            let (p, q) = (normalised(match.position.x, match.position.y), (match.pixel - middle) / size)
            system.add([p.x, p.y, 1, 0, 0, 0, -p.x * q.x, -p.y * q.x], value: q.x)
            system.add([0, 0, 0, p.x, p.y, 1, -p.x * q.y, -p.y * q.y], value: q.y)
        }
        guard let s = system.solved(extra: [:]) else { return nil }
        let last = SIMD3(s[6], s[7], 1)
        matrix = [
            SIMD3(s[0], s[1], s[2]) * size + last * middle.x, SIMD3(s[3], s[4], s[5]) * size + last * middle.y, last,
        ]
    }

    private var half: Double { Double(max(columns, rows)) / 2 }

    private func normalised(_ x: Double, _ y: Double) -> SIMD2<Double> {
        SIMD2(x - Double(columns) / 2, y - Double(rows) / 2) / half
    }

    /// Returns the pixel of a position in modules.
    func pixel(_ x: Double, _ y: Double) -> SIMD2<Double> {
        var p = normalised(x, y)
        if !bend[0].isEmpty || !bend[1].isEmpty {
            let terms = Self.terms(p)
            p += SIMD2(
                zip(bend[0], terms).reduce(0) { $0 + $1.0 * $1.1 }, zip(bend[1], terms).reduce(0) { $0 + $1.0 * $1.1 })
        }
        let position = SIMD3(p.x, p.y, 1)
        let w = (matrix[2] * position).sum()
        return SIMD2((matrix[0] * position).sum(), (matrix[1] * position).sum()) / (abs(w) < 1e-9 ? 1e-9 : w)
    }

    private static func terms(_ p: SIMD2<Double>) -> [Double] {
        let (x, y) = (p.x, p.y)
        return [1, x, y, x * x, x * y, y * y, x * x * x, x * x * y, x * y * y, y * y * y]
    }

    /// A line between two columns or rows, numbered from the left or the top, and a pixel on it.
    struct Line {
        var number: Int
        var pixel: SIMD2<Double>
    }

    /// Returns the grid with columns and rows of uneven width.
    func withLines(betweenColumns columnLines: [Line], betweenRows rowLines: [Line]) -> GridFit {
        var grid = self
        for (axis, lines) in [columnLines, rowLines].enumerated() where lines.count > 3 {
            var system = NormalEquations(count: 3)
            for line in lines {
                guard let position = normalised(pixel: line.pixel) else { return self }
                let number = Double(line.number)
                let p = normalised(number, number)[axis]
                system.add([1, p, p * p], value: position[axis] - p)
            }
            guard let s = system.solved(extra: [:]) else { return self }
            // The terms of one axis.
            grid.bend[axis] = [s[0], axis == 0 ? s[1] : 0, axis == 0 ? 0 : s[1], axis == 0 ? s[2] : 0, 0]
            grid.bend[axis] += [axis == 0 ? 0 : s[2], 0, 0, 0, 0]
        }
        return grid
    }

    /// Returns the normalised position of a pixel, without distortion.
    private func normalised(pixel: SIMD2<Double>) -> SIMD2<Double>? {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let columns = [cross(matrix[1], matrix[2]), cross(matrix[2], matrix[0]), cross(matrix[0], matrix[1])]
        let position = columns[0] * pixel.x + columns[1] * pixel.y + columns[2]
        guard abs(position.z) > 1e-9 * (abs(position.x) + abs(position.y)) else { return nil }
        return SIMD2(position.x, position.y) / position.z
    }

    /// Corrects the homography by the edges of the modules for which `includes` holds.
    mutating func fit(in field: ContrastField, where includes: (Int, Int) -> Bool = { _, _ in true }) {
        var system = NormalEquations(count: 8)
        forEachEdge(in: field, where: includes) { p, shift, isAlong in
            system.add(
                isAlong
                    ? [1, p.x, p.y, 0, 0, 0, p.x * p.x, p.x * p.y] : [0, 0, 0, 1, p.x, p.y, p.x * p.y, p.y * p.y],
                value: shift / half)
        }
        guard system.equations >= 16, let s = system.solved(extra: [6: 1e-3, 7: 1e-3]) else { return }
        let change = [SIMD3(1 + s[1], s[2], s[0]), SIMD3(s[4], 1 + s[5], s[3]), SIMD3(-s[6], -s[7], 1)]
        matrix = matrix.map { row in row.x * change[0] + row.y * change[1] + row.z * change[2] }
    }

    /// Fits the distortion of the grid to the edges; after `fit`.
    mutating func fitBend(in field: ContrastField) {
        var systems = [NormalEquations(count: 10), NormalEquations(count: 10)]
        forEachEdge(in: field, where: { _, _ in true }) { p, shift, isAlong in
            systems[isAlong ? 0 : 1].add(Self.terms(p), value: shift / half)
        }
        for axis in 0..<2 where systems[axis].equations >= 40 {
            guard let change = systems[axis].solved(extra: [:]) else { continue }
            bend[axis] = bend[axis].isEmpty ? change : zip(bend[axis], change).map { $0 + $1 }
        }
    }

    /// Returns how much closer the edges lie to the lines between modules than those of another image would, in
    /// standard errors: about 0 where the grid is not that of the image.
    func evidence(in field: ContrastField) -> Double {
        var (sum, count) = (0.0, 0.0)
        forEachEdge(in: field, where: { _, _ in true }) { _, shift, _ in
            sum += abs(shift)
            count += 1
        }
        // Distances without a relation are uniform up to the largest one.
        let (mean, deviation) = (Self.mostShift / 2, Self.mostShift / 12.0.squareRoot())
        return count < 16 ? 0 : (mean - sum / count) * count.squareRoot() / deviation
    }

    private func forEachEdge(
        in field: ContrastField, where includes: (Int, Int) -> Bool, _ body: (SIMD2<Double>, Double, Bool) -> Void
    ) {
        let step = max(1, (columns * rows + Self.mostModules - 1) / Self.mostModules)
        for y in 0..<rows {
            for x in 0..<columns where includes(x, y) {
                // Diagonals, so that all columns and rows are sampled.
                guard (x + y) % step == 0 else { continue }
                for isAlong in [true, false] {
                    guard isAlong ? x + 1 < columns : y + 1 < rows,
                        let shift = edgeShift(in: field, Double(x) + 0.5, Double(y) + 0.5, isAlong: isAlong)
                    else { continue }
                    let edge =
                        isAlong
                        ? normalised(Double(x) + 1, Double(y) + 0.5) : normalised(Double(x) + 0.5, Double(y) + 1)
                    body(edge, shift, isAlong)
                }
            }
        }
    }

    /// Returns the distance of the edge between two neighbouring modules from the centre between them.
    private func edgeShift(in field: ContrastField, _ x: Double, _ y: Double, isAlong: Bool) -> Double? {
        let (start, end) = (pixel(x, y), isAlong ? pixel(x + 1, y) : pixel(x, y + 1))
        guard let first = field.value(start), let last = field.value(end), (first >= 0) != (last >= 0),
            abs(last - first) > 6
        else { return nil }
        let samples = 8
        var before = first
        for step in 1...samples {
            let t = Double(step) / Double(samples)
            guard let next = field.value(start + (end - start) * t) else { return nil }
            if (next >= 0) != (before >= 0) {
                let shift = (Double(step) - next / (next - before)) / Double(samples) - 0.5
                return abs(shift) <= Self.mostShift ? shift : nil
            }
            before = next
        }
        return nil
    }

    /// Whether each module is dark, row by row; light beyond the image.
    func modules(in field: ContrastField, isInverted: Bool = false) -> [Bool] {
        var dark: [Bool] = []
        dark.reserveCapacity(columns * rows)
        for y in 0..<rows {
            for x in 0..<columns {
                let (u, v) = (Double(x) + 0.5, Double(y) + 0.5)
                // The mean of five positions, so that a speck does not flip a module.
                var sum = 0.0
                for (dx, dy) in [(0.0, 0.0), (0.15, 0.15), (-0.15, 0.15), (0.15, -0.15), (-0.15, -0.15)] {
                    sum += field.value(pixel(u + dx, v + dy)) ?? (isInverted ? -1 : 1)
                }
                dark.append((sum < 0) != isInverted)
            }
        }
        return dark
    }

    /// Modules as blocks of pixels, black and white on a white margin of `margin` modules.
    ///
    /// - Throws: `ImageError` where there is no memory.
    static func drawn(_ dark: [Bool], columns: Int, module: Int, margin: Int) throws -> Raster {
        let count = dark.count / columns
        let (width, height) = ((columns + 2 * margin) * module, (count + 2 * margin) * module)
        return try Raster(width: width, height: height, format: .grey8) { address, rowBytes in
            for y in 0..<height {
                for x in 0..<width {
                    let (column, row) = (x / module - margin, y / module - margin)
                    let isInside = x >= margin * module && y >= margin * module && column < columns && row < count
                    address.storeBytes(
                        of: isInside && dark[row * columns + column] ? 0 : 255, toByteOffset: y * rowBytes + x,
                        as: UInt8.self)
                }
            }
        }
    }
}
