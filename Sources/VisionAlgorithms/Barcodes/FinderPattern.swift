import Foundation

/// A finder pattern of a QR code in an image: concentric squares of 3, 5 and 7 modules, in any rotation and
/// perspective.
struct FinderPattern {
    var centre: SIMD2<Double>
    /// The vectors in the image from one module to the next, along rows and columns of the pattern, up to a quarter
    /// turn.
    var along, down: SIMD2<Double>
    /// Whether the centre is light: the code is light on dark.
    var isInverted: Bool

    /// The maximum number of results.
    private static let most = 10
    private static let mostSeeds = 64
    private static let seedLimit = 3000
    /// A row through the centre: five runs, off by half a module and 0.7 pixels, half as much again for the central
    /// one.
    private static let runs: RunPattern = {
        let (narrow, wide) = ((Int32(1), Int32(60), Int32(588)), (Int32(3), Int32(90), Int32(882)))
        return RunPattern([narrow, narrow, wide, narrow, narrow], unit: 120, least: 9)
    }()
    private static let rayCount = 32
    private static let rays = (0..<rayCount).map { ray in
        let angle = 2 * Double.pi * Double(ray) / Double(rayCount)
        return SIMD2(cos(angle), sin(angle))
    }
    /// The range of the outline's distance from the centre along a ray, in module widths of the row through the centre.
    private static let farthest = 10.0
    /// The index of the measured outline, counted from the centre, and the length of its side: the inner one of the
    /// dark ring.
    private static let outline = (number: 1, side: 5.0)
    /// The lowest share of samples that agree with the pattern.
    private static let leastShare = 0.82

    /// The number of pixels that a module covers.
    var area: Double { abs(along.x * down.y - along.y * down.x) }

    /// Returns the patterns of an image, the clearest first.
    static func find(in field: ContrastField) -> [FinderPattern] {
        let seeds = field.seeds(like: runs, within: SIMD2(1.5, 2.5) / 7, limit: seedLimit) { seed in
            field.middle(
                column: Int(seed.centre.x), row: Int(seed.centre.y), isLight: seed.isLight, limit: seed.length * 6 / 7)
        }
        var found: [(pattern: FinderPattern, share: Double)] = []
        for seed in seeds.filter({ $0.rows > 1 }).sorted(by: { $0.rows > $1.rows }).prefix(mostSeeds) {
            guard let pattern = FinderPattern(at: seed.centre, size: seed.length / 7, isLight: seed.isLight, in: field)
            else { continue }
            let share = pattern.share(in: field)
            if share >= leastShare { found.append((pattern, share)) }
        }
        var distinct: [FinderPattern] = []
        for (pattern, _) in found.sorted(by: { $0.share > $1.share }) where distinct.count < most {
            let isNew = distinct.allSatisfy {
                let offset = $0.centre - pattern.centre
                return (offset * offset).sum() > 9 * min($0.area, pattern.area)
            }
            if isNew { distinct.append(pattern) }
        }
        return distinct
    }

    private init?(at centre: SIMD2<Double>, size: Double, isLight: Bool, in field: ContrastField) {
        var points: [SIMD2<Double>] = []
        for ray in 0..<Self.rayCount {
            guard ray - points.count <= Self.rayCount / 4 else { return nil }
            let direction = Self.rays[ray]
            guard
                let radius = field.radius(
                    of: Self.outline.number, from: centre, along: direction, isLight: isLight,
                    limit: Self.farthest * size)
            else { continue }
            points.append(centre + radius * direction)
        }
        guard points.count >= Self.rayCount * 3 / 4,
            let square = SquareOutline(points: points, side: Self.outline.side)
        else { return nil }
        (self.centre, along, down) = (square.centre, square.along, square.down)
        isInverted = isLight
    }

    /// Returns the share of correct modules of the pattern and of the light ones around it.
    private func share(in field: ContrastField) -> Double {
        var right = 0
        for y in -4...4 {
            for x in -4...4 {
                let ring = max(abs(x), abs(y))
                let isDark = ring <= 1 || ring == 3
                guard let value = field.value(centre + Double(x) * along + Double(y) * down) else {
                    // Pixels beyond the image count as quiet zone.
                    right += ring == 4 ? 1 : 0
                    continue
                }
                if ((value < 0) != isInverted) == isDark { right += 1 }
            }
        }
        return Double(right) / 81
    }

    /// A position beside the pattern, in its modules.
    func modules(to point: SIMD2<Double>) -> SIMD2<Double> {
        let offset = point - centre
        let determinant = along.x * down.y - along.y * down.x
        return SIMD2(
            (down.y * offset.x - down.x * offset.y) / determinant,
            (along.x * offset.y - along.y * offset.x) / determinant)
    }

    /// Returns the vector of one module that is closest to a direction in the image.
    func step(towards direction: SIMD2<Double>) -> SIMD2<Double> {
        let steps = [along, down, -along, -down]
        func cosine(_ step: SIMD2<Double>) -> Double { (step * direction).sum() / (step * step).sum().squareRoot() }
        return steps.max { cosine($0) < cosine($1) } ?? along
    }
}
