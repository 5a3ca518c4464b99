import Foundation

/// The concentric squares in the middle of an Aztec code, as an image shows them: turned and seen at an angle.
///
/// A row through the middle crosses seven runs of about the same length, and so does a column. From the middle the outlines
/// are measured along rays; the second moments of the area inside of them give the affine map that the code is seen through, up
/// to a turn, and the corners give the turn.
struct BullsEye {
    var centre: SIMD2<Double>
    /// The steps in the image from one module to the next, along rows and columns of the code.
    var along, down: SIMD2<Double>
    /// The middle is light: the code is light on dark.
    var hasLightMiddle: Bool

    /// The most that are returned.
    private static let most = 4
    private static let mostSeeds = 48
    private static let seedLimit = 4000
    private static let stripWidth = 32
    /// The least share of the modules of concentric squares that are as they should be, before the grid is fitted and then.
    private static let leastShareAtFirst = 0.7
    private static let leastShare = 0.88
    private static let rayCount = 48
    /// How far the squares reach in every Aztec code, in modules from the one in the middle.
    static let reach = 4
    /// The outline that is measured, counted from the middle: that of the ring before the last; and the second
    /// moment of the area inside of it, along any axis.
    private static let outline = 3
    private static let moment = 7 * 7 / 12.0

    /// The patterns of an image, those that are most alike concentric squares first.
    static func find(in field: ContrastField) -> [BullsEye] {
        var seeds: [(centre: SIMD2<Double>, size: Double, isLight: Bool, rows: Int)] = []
        // Where the seeds are, by strips of columns: noise has thousands.
        var strips = [[Int]](repeating: [], count: field.width / stripWidth + 3)
        for y in 0..<field.height {
            let edges = field.edges(row: y)
            guard edges.count >= 8, seeds.count < seedLimit else { continue }
            for first in 0...(edges.count - 8) {
                guard let size = Self.size(ofRuns: edges, from: first) else { continue }
                let x = Double(edges[first + 3] + edges[first + 4]) / 2
                let isLight = field.isLight(edges[first + 3], y)
                let strip = Int(x) / stripWidth + 1
                let known = strips[(strip - 1)...(strip + 1)].joined().first {
                    seeds[$0].isLight == isLight && abs(seeds[$0].centre.x - x) < size / 2
                        && abs(seeds[$0].centre.y - Double(y)) < size / 2
                }
                if let known {
                    seeds[known].rows += 1
                    continue
                }
                guard let (middle, height) = field.crossing(column: Int(x), row: y, isLight: isLight, around: size),
                    height < 3 * size, size < 3 * height
                else { continue }
                strips[strip].append(seeds.count)
                seeds.append((SIMD2(x, middle), size, isLight, 1))
            }
        }
        var found: [(eye: BullsEye, share: Double)] = []
        for seed in seeds.filter({ $0.rows > 1 }).sorted(by: { $0.rows > $1.rows }).prefix(mostSeeds) {
            guard let eye = BullsEye(at: seed.centre, isLight: seed.isLight, in: field) else { continue }
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

    /// The mean length of seven runs that are about the same length.
    private static func size(ofRuns edges: [Int], from first: Int) -> Double? {
        let mean = Double(edges[first + 7] - edges[first]) / 7
        guard mean >= 1.5 else { return nil }
        let reach = 0.45 * mean + 0.8
        for run in first..<(first + 7) where abs(Double(edges[run + 1] - edges[run]) - mean) > reach { return nil }
        return mean
    }

    private init?(at centre: SIMD2<Double>, isLight: Bool, in field: ContrastField) {
        var points: [SIMD2<Double>] = []
        for ray in 0..<Self.rayCount {
            let angle = 2 * Double.pi * Double(ray) / Double(Self.rayCount)
            let direction = SIMD2(cos(angle), sin(angle))
            guard let radius = field.radius(of: Self.outline, from: centre, along: direction, isLight: isLight) else {
                continue
            }
            points.append(centre + radius * direction)
        }
        guard points.count >= Self.rayCount * 3 / 4, let area = Area(inside: points), area.isRound else { return nil }
        let (a, b, d) = (area.xx / Self.moment, area.xy / Self.moment, area.yy / Self.moment)
        // The symmetric square root of the moments is the map, up to a turn.
        let root = (a * d - b * b).squareRoot()
        let trace = (a + d + 2 * root).squareRoot()
        let (p, q, r) = ((a + root) / trace, b / trace, (d + root) / trace)
        let determinant = p * r - q * q
        guard determinant > 0.25 else { return nil }
        var (real, imaginary) = (0.0, 0.0)
        for point in points {
            let offset = point - area.centre
            let x = (r * offset.x - q * offset.y) / determinant
            let y = (p * offset.y - q * offset.x) / determinant
            let (radius, angle) = ((x * x + y * y).squareRoot(), atan2(y, x))
            real -= radius * cos(4 * angle)
            imaginary -= radius * sin(4 * angle)
        }
        let turn = atan2(imaginary, real) / 4
        let (c, s) = (cos(turn), sin(turn))
        self.centre = area.centre
        along = SIMD2(p * c + q * s, q * c + r * s)
        down = SIMD2(q * c - p * s, r * c - q * s)
        hasLightMiddle = isLight
    }

    /// The second moments of a polygon's area about its centre.
    private struct Area {
        var centre: SIMD2<Double>
        var xx, xy, yy: Double

        init?(inside points: [SIMD2<Double>]) {
            let origin = points[0]
            var (area, sum) = (0.0, SIMD2<Double>.zero)
            var (xx, xy, yy) = (0.0, 0.0, 0.0)
            for index in points.indices {
                let (a, b) = (points[index] - origin, points[(index + 1) % points.count] - origin)
                let cross = a.x * b.y - a.y * b.x
                area += cross / 2
                sum += (a + b) * (cross / 6)
                xx += cross * (a.x * a.x + a.x * b.x + b.x * b.x) / 12
                yy += cross * (a.y * a.y + a.y * b.y + b.y * b.y) / 12
                xy += cross * (2 * a.x * a.y + a.x * b.y + b.x * a.y + 2 * b.x * b.y) / 24
            }
            guard area > 4 else { return nil }
            let middle = sum / area
            centre = middle + origin
            self.xx = xx / area - middle.x * middle.x
            self.xy = xy / area - middle.x * middle.y
            self.yy = yy / area - middle.y * middle.y
        }

        /// Not seen from the side by more than about 70°.
        var isRound: Bool {
            let difference = ((xx - yy) * (xx - yy) + 4 * xy * xy).squareRoot()
            return xx + yy - difference > 0.1 * (xx + yy + difference)
        }
    }
}
