import Foundation

/// The bull's-eye of an Aztec code in an image, in any rotation and perspective.
///
/// A row through the centre crosses seven runs of about the same length, and so does a column. From the centre the
/// outlines are measured along rays; the second moments of the enclosed area give the affine map of the code up to a
/// rotation, and the corners give the rotation.
struct BullsEye {
    var centre: SIMD2<Double>
    /// The vectors in the image from one module to the next, along rows and columns of the code.
    var along, down: SIMD2<Double>
    /// Whether the centre is light: the code is light on dark.
    var hasLightMiddle: Bool

    /// The maximum number of results.
    private static let most = 4
    private static let mostSeeds = 48
    private static let seedLimit = 4000
    /// The lowest number of rows that cross the squares, relative to a module's width.
    private static let leastRows = 0.3
    /// The lowest share of correct modules of the concentric squares, before and after the grid is fitted.
    private static let leastShareAtFirst = 0.7
    private static let leastShare = 0.88
    /// A row through the centre: seven runs, off by .45 of their mean and 0.8 pixels.
    private static let runs = RunPattern(
        [(width: Int32, slope: Int32, offset: Int32)](repeating: (1, 9, 112), count: 7), unit: 20, least: 11)
    private static let rayCount = 48
    private static let rays = (0..<rayCount).map { ray in
        let angle = 2 * Double.pi * Double(ray) / Double(rayCount)
        return SIMD2(cos(angle), sin(angle))
    }
    /// The radius of the squares in every Aztec code, in modules from the central one.
    static let reach = 4
    /// The range of the outline's distance from the centre along a ray, in module widths of the row through the centre.
    private static let farthest = 14.0
    /// The index of the measured outline, counted from the centre: that of the ring before the last.
    private static let outline = 3

    /// Returns the patterns of an image, those most similar to concentric squares first.
    static func find(in field: ContrastField) -> [BullsEye] {
        let seeds = field.seeds(like: runs, within: SIMD2(0.5, 0.5) / 7, limit: seedLimit) { seed in
            // Modules that alternate along a row seldom do along the column and the diagonals.
            let (column, row, size) = (Int(seed.centre.x), Int(seed.centre.y), seed.length / 7)
            guard
                let (offset, height) = field.crossing(
                    column: column, row: row, stepX: 0, stepY: 1, isLight: seed.isLight, around: size),
                height < 3 * size, size < 3 * height
            else { return nil }
            let middle = seed.centre.y + offset
            let areCrossed = [-1, 1].allSatisfy {
                field.crossing(
                    column: column, row: Int(middle), stepX: 1, stepY: $0, isLight: seed.isLight,
                    around: max(size, height)) != nil
            }
            return areCrossed ? middle : nil
        }
        var found: [(eye: BullsEye, share: Double)] = []
        // The rows through the central module cross all squares.
        let likely = seeds.filter { $0.rows > 1 && Double($0.rows) > leastRows * $0.length / 7 }
        for seed in likely.sorted(by: { $0.rows > $1.rows }).prefix(mostSeeds) {
            guard let eye = BullsEye(at: seed.centre, size: seed.length / 7, isLight: seed.isLight, in: field) else {
                continue
            }
            var plane = ModulePlane(centre: eye.centre, along: eye.along, down: eye.down)
            guard plane.concentricShare(in: field, reach: reach, hasLightMiddle: seed.isLight) >= leastShareAtFirst
            else { continue }
            _ = plane.grow(in: field, from: reach, certain: reach, to: reach)
            let share = plane.concentricShare(in: field, reach: reach, hasLightMiddle: seed.isLight)
            if share >= leastShare { found.append((eye, share)) }
        }
        var distinct: [BullsEye] = []
        for (eye, _) in found.sorted(by: { $0.share > $1.share }) where distinct.count < most {
            let size = (eye.along * eye.along + eye.down * eye.down).sum().squareRoot()
            if distinct.allSatisfy({ (($0.centre - eye.centre) * ($0.centre - eye.centre)).sum().squareRoot() > size })
            {
                distinct.append(eye)
            }
        }
        return distinct
    }

    private init?(at centre: SIMD2<Double>, size: Double, isLight: Bool, in field: ContrastField) {
        var points: [SIMD2<Double>] = []
        for ray in 0..<Self.rayCount {
            // Most seeds are false: a seed ends when a quarter of the rays miss.
            guard ray - points.count <= Self.rayCount / 4 else { return nil }
            let direction = Self.rays[ray]
            guard
                let radius = field.radius(
                    of: Self.outline, from: centre, along: direction, isLight: isLight, limit: Self.farthest * size)
            else { continue }
            points.append(centre + radius * direction)
        }
        guard points.count >= Self.rayCount * 3 / 4,
            let square = SquareOutline(points: points, side: Double(2 * Self.outline + 1))
        else { return nil }
        (self.centre, along, down) = (square.centre, square.along, square.down)
        hasLightMiddle = isLight
    }
}
