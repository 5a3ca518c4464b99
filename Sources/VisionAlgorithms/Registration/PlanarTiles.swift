import VisionImage

/// A picture as a grid of templates at nearly its full resolution, which are aligned together: all of them say how one map of the
/// whole has to move.
final class PlanarTiles {
    private struct Tile {
        let level: PlanarTemplate.Level
        /// From the tile's square to that of the whole.
        let place: Homography
        /// How the parameters of a small move of the whole make those of the tile, in rows of eight.
        let parameters: [Double]
    }

    private let tiles: [Tile]

    /// - Parameters:
    ///   - square: The square from -1 to 1 on to the whole picture.
    ///   - longest: Samples along the longer side, at most.
    init(_ pyramid: PlanarPyramid, square: Homography, longest: Int) throws {
        let shrink = min(1, Double(longest) / Double(max(pyramid.width, pyramid.height)))
        let (width, height) = (Double(pyramid.width) * shrink, Double(pyramid.height) * shrink)
        let most = Double(PlanarPatch.most)
        let (across, down) = (Int((width / most).rounded(.up)), Int((height / most).rounded(.up)))
        let columns = Self.whole(width / Double(across)), rows = Self.whole(height / Double(down))
        var tiles: [Tile] = []
        for row in 0..<down {
            for column in 0..<across {
                let place = Homography(
                    [1 / Double(across), 0, (2 * Double(column) + 1) / Double(across) - 1],
                    [0, 1 / Double(down), (2 * Double(row) + 1) / Double(down) - 1], [0, 0, 1])
                let level = try PlanarTemplate.Level(columns: columns, rows: rows, extent: 1)
                level.sample(pyramid, at: square * place)
                level.flatten(into: level.model)
                guard let parameters = Self.parameters(place) else { continue }
                tiles.append(Tile(level: level, place: place, parameters: parameters))
            }
        }
        self.tiles = tiles
    }

    private static func whole(_ samples: Double) -> Int {
        let cell = PlanarPatch.cell
        return max(cell, min(PlanarPatch.most, Int((samples / Double(cell)).rounded()) * cell))
    }

    /// The move I + A of the whole is the move I + T⁻¹ A T of a tile that lies at T, less what brings its last element to 1.
    private static func parameters(_ place: Homography) -> [Double]? {
        guard let back = place.inverse else { return nil }
        var result = [Double](repeating: 0, count: 64)
        let (t, b) = ([place.row0, place.row1, place.row2], [back.row0, back.row1, back.row2])
        for parameter in 0..<8 {
            let (row, column) = (parameter / 3, parameter % 3)
            // T⁻¹ E T, E being 1 in that place and 0 elsewhere.
            let last = b[2][row] * t[column][2]
            for other in 0..<8 {
                let (i, j) = (other / 3, other % 3)
                result[other * 8 + parameter] = b[i][row] * t[column][j] - (i == j ? last : 0)
            }
        }
        return result
    }

    /// What alignment has found: the map from the square to the other picture, and how the cells compare there.
    struct Found {
        var map: Homography
        var cells: [PlanarCell]
    }

    /// The map near `start` at which the pictures agree best; nil where nothing holds it.
    func align(to pyramid: PlanarPyramid, from start: Homography, steps: Int, precision: Double) -> Found? {
        var map = start
        var cells: [PlanarCell] = []
        for step in 0...steps {
            let ofTiles = tiles.map { tile -> [PlanarCell] in
                tile.level.sample(pyramid, at: map * tile.place)
                return PlanarCell.all(of: tile.level)
            }
            cells = ofTiles.flatMap { $0 }
            let residuals = cells.filter { $0.visible > 0 }.map(\.residual).sorted()
            guard !residuals.isEmpty else { return nil }
            if step == steps { break }
            let spread = max(residuals[residuals.count / 2], PlanarCell.noise / 9)
            let cutoff = Float(min(max(4.7 * spread.squareRoot(), 12), 120))
            var matrix = [Double](repeating: 0, count: 64), right = [Double](repeating: 0, count: 8)
            for (tile, cells) in zip(tiles, ofTiles) {
                let trust = cells.map { Float(PlanarAligner.trust(in: $0.agreement)) }
                guard trust.contains(where: { $0 > 0 }) else { continue }
                var system = PlanarSystem()
                system.add(
                    moments: tile.level.comparison.moments(
                        of: tile.level.relit, patch: tile.level.patch, model: tile.level.model, cells: trust,
                        cutoff: cutoff), scale: 1 / spread)
                Self.add(system, tile.parameters, &matrix, &right)
            }
            for i in 0..<8 { matrix[i * 8 + i] += 1 }
            guard let move = LinearAlgebra.solution(of: matrix, right), move.allSatisfy({ abs($0) < 0.3 })
            else { return nil }
            let next = map.moved(by: move)
            guard next.isProper else { return nil }
            let distance = next.quad.largestDistance(to: map.quad)
            map = next
            if distance < precision { break }
        }
        return Found(map: map, cells: cells)
    }

    /// Adds the equations of a tile as equations of the whole.
    private static func add(
        _ system: PlanarSystem, _ parameters: [Double], _ matrix: inout [Double], _ right: inout [Double]
    ) {
        var half = [Double](repeating: 0, count: 64)
        for i in 0..<8 {
            for j in 0..<8 {
                var sum = 0.0
                for k in 0..<8 { sum += system.matrix[min(i, k) * 8 + max(i, k)] * parameters[k * 8 + j] }
                half[i * 8 + j] = sum
            }
        }
        for i in 0..<8 {
            for j in i..<8 {
                for k in 0..<8 { matrix[i * 8 + j] += parameters[k * 8 + i] * half[k * 8 + j] }
            }
            for k in 0..<8 { right[i] += parameters[k * 8 + i] * system.vector[k] }
        }
    }
}
