/// An image as a grid of templates at nearly its full resolution, which are aligned together under one map.
final class PlanarTiles {
    private struct Tile {
        let level: PlanarTemplate.Level
        /// The map from the tile's square to that of the whole.
        let map: Homography
        /// The matrix from the parameters of a small move of the whole to those of the tile, in rows of eight.
        let parameters: [Double]
    }

    private let tiles: [Tile]

    /// - Parameters:
    ///   - square: The map of the square from -1 to 1 to the whole image.
    ///   - longest: The largest number of samples along the longer side.
    init(_ pyramid: PlanarPyramid, square: Homography, longest: Int) throws {
        let shrink = min(1, Double(longest) / Double(max(pyramid.width, pyramid.height)))
        let (width, height) = (Double(pyramid.width) * shrink, Double(pyramid.height) * shrink)
        let most = Double(PlanarPatch.most)
        let (across, down) = (Int((width / most).rounded(.up)), Int((height / most).rounded(.up)))
        let columns = Self.whole(width / Double(across)), rows = Self.whole(height / Double(down))
        var tiles: [Tile] = []
        for row in 0..<down {
            for column in 0..<across {
                let tileMap = Homography(
                    [1 / Double(across), 0, (2 * Double(column) + 1) / Double(across) - 1],
                    [0, 1 / Double(down), (2 * Double(row) + 1) / Double(down) - 1], [0, 0, 1])
                let level = try PlanarTemplate.Level(columns: columns, rows: rows, extent: 1)
                level.sample(pyramid, at: square * tileMap)
                level.flatten(into: level.model)
                guard let parameters = Self.parameters(tileMap) else { continue }
                tiles.append(Tile(level: level, map: tileMap, parameters: parameters))
            }
        }
        self.tiles = tiles
    }

    private static func whole(_ samples: Double) -> Int {
        let cell = PlanarPatch.cell
        return max(cell, min(PlanarPatch.most, Int((samples / Double(cell)).rounded()) * cell))
    }

    /// The move I + A of the whole is the move I + T⁻¹ A T of a tile with map T, normalised so that its last element is
    /// 1.
    private static func parameters(_ tileMap: Homography) -> [Double]? {
        guard let back = tileMap.inverse else { return nil }
        var result = [Double](repeating: 0, count: 64)
        let (t, b) = ([tileMap.row0, tileMap.row1, tileMap.row2], [back.row0, back.row1, back.row2])
        for parameter in 0..<8 {
            let (row, column) = (parameter / 3, parameter % 3)
            // T⁻¹ E T, where E is 1 at the parameter's element and 0 elsewhere.
            let last = b[2][row] * t[column][2]
            for other in 0..<8 {
                let (i, j) = (other / 3, other % 3)
                result[other * 8 + parameter] = b[i][row] * t[column][j] - (i == j ? last : 0)
            }
        }
        return result
    }

    /// The result of an alignment: the map from the square to the other image, and the comparisons of the cells there.
    struct Found {
        var map: Homography
        var cells: [PlanarCell]
    }

    /// Returns the map near `start` at which the images agree best; nil if nothing holds it.
    func align(to pyramid: PlanarPyramid, from start: Homography, steps: Int, precision: Double) -> Found? {
        var map = start
        var cells: [PlanarCell] = []
        for step in 0...steps {
            let ofTiles = tiles.map { tile -> [PlanarCell] in
                tile.level.sample(pyramid, at: map * tile.map)
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

    /// Adds the equations of a tile to those of the whole.
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
