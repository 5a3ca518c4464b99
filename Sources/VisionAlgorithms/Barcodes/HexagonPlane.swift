import Foundation
import VisionImage

/// The modules of a MaxiCode in an image: hexagons whose centres are a lattice, with the bull's-eye around one of them.
///
/// The lattice looks the same after every sixth of a turn. So the direction of its rows is found up to that by how dark
/// and light the modules around the bull's-eye are at their centres; then the plane is fitted outwards to the edges
/// between differing neighbours, as `ModulePlane` does for squares; and all six turns are tried.
struct HexagonPlane {
    /// From positions in widths of modules, relative to the centre of the bull's-eye, to pixels.
    private var plane: ModulePlane
    private let isInverted: Bool

    static let (rows, columns) = (33, 30)
    /// The distance between rows, in widths of modules.
    private static let rowPitch = 0.75.squareRoot()
    /// The module in the middle of the bull's-eye.
    private static let middle = (row: 16, column: 14)
    /// The radii of the bull's-eye and of the largest circle about it in the code, which is nearly square.
    private static let (inner, outer) = (4.9, 14.0)
    /// The largest distance from the centre of the modules that tell the direction.
    private static let directionReach = 8.5
    private static let mostDirections = 3
    /// The largest offset of an edge, in modules.
    private static let mostShift = 0.4

    /// Returns the position of a module's centre. Odd rows are half a module farther to the right.
    static func position(row: Int, column: Int) -> SIMD2<Double> {
        let shift = row % 2 == 0 ? 0 : 0.5
        return SIMD2(Double(column - middle.column) + shift, Double(row - middle.row) * rowPitch)
    }

    /// The centres of the modules around the bull's-eye.
    private static let centres = (0..<rows).flatMap { row in (0..<columns).map { position(row: row, column: $0) } }
        .filter { ($0 * $0).sum() >= inner * inner }

    /// Returns the planes around a bull's-eye that its surroundings suggest, the likeliest first. Each is fitted when
    /// it is asked for.
    static func planes(around target: RingTarget, in field: ContrastField) -> some Sequence<HexagonPlane> {
        let map = target.map
        func pixels(_ offset: SIMD2<Double>) -> SIMD2<Double> {
            SIMD2(map.xx * offset.x + map.xy * offset.y, map.xy * offset.x + map.yy * offset.y)
        }
        return directions(isInverted: target.hasDarkMiddle) { field.value(target.centre + pixels($0)) }
            .lazy.map { angle, scale in
                let (c, s) = (scale * cos(angle), scale * sin(angle))
                var plane = HexagonPlane(
                    plane: ModulePlane(centre: target.centre, along: pixels(SIMD2(c, s)), down: pixels(SIMD2(-s, c))),
                    isInverted: target.hasDarkMiddle)
                for reach in [8, 9.5, 11, 12.5, outer] {
                    plane.fit(to: centres.filter { ($0 * $0).sum() <= reach * reach }, in: field)
                }
                return plane
            }
    }

    /// Returns directions of rows, up to a sixth of a turn, and widths of modules relative to what the rings say:
    /// those for which dark modules are dark at their centres. That is what the three shortest waves of a lattice
    /// measure that are all 1 at its points.
    private static func directions(
        isInverted: Bool, value: (SIMD2<Double>) -> Double?
    ) -> [(angle: Double, scale: Double)] {
        let step = 0.4
        let count = Int(directionReach / step)
        var samples: [(point: SIMD2<Double>, darkness: Double)] = []
        for y in -count...count {
            for x in -count...count {
                let point = SIMD2(Double(x), Double(y)) * step
                let distance = (point * point).sum()
                guard distance >= inner * inner, distance <= directionReach * directionReach,
                    let value = value(point)
                else { continue }
                // Specks of shine count as much as paper.
                samples.append((point, (isInverted ? 1 : -1) * max(-30, min(30, value))))
            }
        }
        let scales = stride(from: 0.86, through: 1.1, by: 0.03).map { $0 }
        let angles = (0..<40).map { Double($0) * .pi / 120 }
        let scores = angles.map { angle in
            scales.map { scale in
                let waves = (0..<3).map { wave in
                    let direction = angle + .pi / 6 + Double(wave) * .pi / 3
                    return SIMD2(cos(direction), sin(direction)) * (2 * .pi / (rowPitch * scale))
                }
                return samples.reduce(0.0) { sum, sample in
                    waves.reduce(sum) { $0 + sample.darkness * cos(($1 * sample.point).sum()) }
                }
            }
        }
        // The peaks.
        var found: [(angle: Double, scale: Double, score: Double)] = []
        for (i, angle) in angles.enumerated() {
            for (j, scale) in scales.enumerated() {
                let isPeak = (-1...1).allSatisfy { di in
                    (max(0, j - 1)...min(scales.count - 1, j + 1)).allSatisfy {
                        scores[(i + di + angles.count) % angles.count][$0] <= scores[i][j]
                    }
                }
                if isPeak { found.append((angle, scale, scores[i][j])) }
            }
        }
        return found.sorted { $0.score > $1.score }.prefix(mostDirections).map { ($0.angle, $0.scale) }
    }

    // MARK: - The fit

    /// Moves the plane so that edges lie half-way between differing neighbours. Ink that spreads moves all edges away
    /// from dark modules, so that edges are compared with their mean distance from those.
    private mutating func fit(to centres: [SIMD2<Double>], in field: ContrastField) {
        let directions = [SIMD2(1, 0), SIMD2(0.5, Self.rowPitch), SIMD2(-0.5, Self.rowPitch)]
        for _ in 0..<2 {
            var edges: [(middle: SIMD2<Double>, direction: SIMD2<Double>, fromDark: Double, isDarkFirst: Bool)] = []
            for centre in centres {
                for direction in directions {
                    guard let (distance, isDarkFirst) = edge(from: centre, along: direction, in: field) else {
                        continue
                    }
                    edges.append(
                        (centre + direction / 2, direction, isDarkFirst ? distance : 1 - distance, isDarkFirst))
                }
            }
            guard edges.count >= 24 else { return }
            let mean = edges.reduce(0) { $0 + $1.fromDark } / Double(edges.count)
            var system = NormalEquations(count: 8)
            for edge in edges {
                let (p, u) = (edge.middle, edge.direction)
                let shift = edge.isDarkFirst ? edge.fromDark - mean : mean - edge.fromDark
                let across = (p * u).sum()
                system.add(
                    [u.x, u.x * p.x, u.x * p.y, u.y, u.y * p.x, u.y * p.y, p.x * across, p.y * across], value: shift)
            }
            let stiffness = 1e-3 * Double(system.equations)
            guard let correction = system.solved(extra: [6: stiffness, 7: stiffness]) else { return }
            plane.apply(correction)
        }
    }

    /// Returns the distance from a centre to the edge between it and a neighbour, in distances between centres.
    private func edge(
        from centre: SIMD2<Double>, along direction: SIMD2<Double>, in field: ContrastField
    ) -> (distance: Double, isDarkFirst: Bool)? {
        let samples = 8
        func value(_ step: Int) -> Double? {
            let point = centre + direction * (Double(step) / Double(samples))
            return field.value(plane.pixel(point.x, point.y))
        }
        guard var last = value(0), let end = value(samples), (last >= 0) != (end >= 0), abs(last - end) > 6 else {
            return nil
        }
        let isDarkFirst = (last < 0) != isInverted
        for step in 1...samples {
            guard let next = value(step) else { return nil }
            if (next >= 0) != (last >= 0) {
                let distance = (Double(step) - next / (next - last)) / Double(samples)
                return abs(distance - 0.5) <= Self.mostShift ? (distance, isDarkFirst) : nil
            }
            last = next
        }
        return nil
    }

    // MARK: - Modules

    /// The plane of the code, turned by sixths and fitted to all of its modules.
    func turned(by sixths: Int, in field: ContrastField) -> HexagonPlane {
        var turned = self
        turned.plane = plane.turned(by: Double(sixths) * .pi / 3)
        turned.fit(to: Self.centres, in: field)
        return turned
    }

    /// Whether a module is dark.
    func isDark(row: Int, column: Int, in field: ContrastField) -> Bool {
        let centre = Self.position(row: row, column: column)
        var sum = 0.0
        for (x, y) in [(0.0, 0.0), (0.15, 0.15), (-0.15, 0.15), (0.15, -0.15), (-0.15, -0.15)] {
            sum += field.value(plane.pixel(centre.x + x, centre.y + y)) ?? (isInverted ? -1 : 1)
        }
        return (sum < 0) != isInverted
    }

    /// The pixels of the corners of the code.
    var corners: [SIMD2<Double>] {
        let first = Self.position(row: 0, column: 0) - SIMD2(0.5, 0.5 / Self.rowPitch)
        let last = Self.position(row: Self.rows - 1, column: Self.columns - 1) + SIMD2(0.5, 0.5 / Self.rowPitch)
        return [(first.x, first.y), (last.x, first.y), (last.x, last.y), (first.x, last.y)].map { plane.pixel($0, $1) }
    }
}
