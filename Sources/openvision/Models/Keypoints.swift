import Foundation
import VisionImage

/// Points that a network finds: those of one person or thing, or those of the whole input.
struct Keypoints: Sendable {
    struct Point: Sendable {
        /// As fractions of the network's input.
        var x: Double
        var y: Double
        var confidence: Float
    }

    var points: [Point]
    /// What the points belong to, its box as fractions of the input; nil where they are those of the whole input.
    var object: (box: CGRect, label: Int, confidence: Float)?
}

/// The output of an Ultralytics pose network: for each cell a box, the scores of the classes, and points.
struct KeypointRows {
    private let pointCount: Int
    /// x and y of a point, and in most networks whether it can be seen.
    private let valuesPerPoint: Int
    private let classCount: Int
    private let inputSize: (width: Int, height: Int)

    /// The defaults of the exporter: boxes with a lower score are left out, and those of a label that overlap a better
    /// one by more.
    private static let leastScore: Float = 0.25
    private static let mostOverlap = 0.7
    private static let mostCandidates = 2000
    private static let mostObjects = 300

    /// - Parameter properties: What the exporter wrote into the model: `kpt_shape` has the number of points and of the
    ///   values of each. nil where it is not there.
    init?(properties: [String: String], labelCount: Int?, inputSize: (width: Int, height: Int)?) {
        guard let inputSize, let text = properties["kpt_shape"],
            let sizes = try? JSONDecoder().decode([Int].self, from: Data(text.utf8)), sizes.count == 2,
            (1...1024).contains(sizes[0]), (2...3).contains(sizes[1])
        else { return nil }
        (pointCount, valuesPerPoint, classCount) = (sizes[0], sizes[1], max(labelCount ?? 1, 1))
        self.inputSize = inputSize
    }

    /// Returns what the output shows, the most confident first; nil where it has another shape.
    func objects(shape: [Int], values: () -> [Float]) -> [Keypoints]? {
        let sides = Array(shape.drop { $0 == 1 })
        guard sides.count == 2 else { return nil }
        let ownValues = pointCount * valuesPerPoint
        let isByColumn = sides[0] == 4 + classCount + ownValues
        let isByRow = !isByColumn && sides[1] == 4 + classCount + ownValues && sides[0] > sides[1]
        // The network has chosen: corners, score, label, points.
        let isChosen = sides[1] == 6 + ownValues
        guard isByColumn || isByRow || isChosen else { return nil }
        let values = values()
        guard values.count == sides[0] * sides[1] else { return nil }
        if isByColumn { return chosen(count: sides[1]) { cell, value in values[value * sides[1] + cell] } }
        if isByRow { return chosen(count: sides[0]) { cell, value in values[cell * sides[1] + value] } }
        let found = (0..<sides[0]).compactMap { row in
            let own = values[row * sides[1]..<(row + 1) * sides[1]]
            let first = own.startIndex
            let (left, top) = (Double(own[first]), Double(own[first + 1]))
            let (right, bottom) = (Double(own[first + 2]), Double(own[first + 3]))
            return object(
                box: PixelRegion(x: left, y: top, width: right - left, height: bottom - top),
                label: Int(exactly: own[first + 5].rounded()) ?? -1, score: own[first + 4]
            ) { own[first + 6 + $0] }
        }
        return found.sorted { $0.confidence > $1.confidence }
    }

    /// - Parameter value: The values of a cell: the middle and the size of its box, the scores, the points.
    private func chosen(count: Int, _ value: (_ cell: Int, _ value: Int) -> Float) -> [Keypoints] {
        var candidates: [(cell: Int, label: Int, score: Float)] = []
        for cell in 0..<count {
            let label = (0..<classCount).max { value(cell, 4 + $0) < value(cell, 4 + $1) } ?? 0
            let score = value(cell, 4 + label)
            if score >= Self.leastScore { candidates.append((cell, label, score)) }
        }
        candidates.sort { ($1.score, $0.cell) < ($0.score, $1.cell) }
        var found: [(box: PixelRegion, label: Int, keypoints: Keypoints)] = []
        for candidate in candidates.prefix(Self.mostCandidates) where found.count < Self.mostObjects {
            let (width, height) = (Double(value(candidate.cell, 2)), Double(value(candidate.cell, 3)))
            let box = PixelRegion(
                x: Double(value(candidate.cell, 0)) - width / 2, y: Double(value(candidate.cell, 1)) - height / 2,
                width: width, height: height)
            guard
                let object = object(
                    box: box, label: candidate.label, score: candidate.score,
                    { value(candidate.cell, 4 + classCount + $0) })
            else { continue }
            let isCovered = found.contains { better in
                better.label == candidate.label && better.box.intersectionOverUnion(with: box) > Self.mostOverlap
            }
            if !isCovered { found.append((box, candidate.label, object)) }
        }
        return found.map(\.keypoints)
    }

    /// - Parameters:
    ///   - box: In pixels of the input.
    ///   - value: The values of the points.
    private func object(box: PixelRegion, label: Int, score: Float, _ value: (Int) -> Float) -> Keypoints? {
        let (width, height) = (Double(inputSize.width), Double(inputSize.height))
        guard score >= Self.leastScore, score <= 1, (0..<classCount).contains(label),
            box.isFinite, box.width > 0, box.height > 0
        else { return nil }
        let points = (0..<pointCount).map { index in
            let first = index * valuesPerPoint
            return Keypoints.Point(
                x: Double(value(first)) / width, y: Double(value(first + 1)) / height,
                confidence: valuesPerPoint == 3 ? value(first + 2) : score)
        }
        let placed = CGRect(
            x: box.x / width, y: box.y / height, width: box.width / width, height: box.height / height)
        return Keypoints(points: points, object: (placed, label, score))
    }
}

extension Keypoints {
    fileprivate var confidence: Float { object?.confidence ?? 0 }

    /// Words in the names of outputs that are heat maps of points.
    private static let words = ["heatmap", "heat_map", "pose", "keypoint", "kpt", "joint", "landmark", "hourglass"]
    private static let mostMaps = 256
    /// A map whose mean is a larger part of its highest value is not that of a point: the background has one in some
    /// networks.
    private static let largestMean: Float = 0.5

    /// Reads heat maps: an array with a grid for each point, of a network that calls it so. Each point is where its map
    /// is highest, a quarter of a cell towards the higher neighbour. nil for other arrays.
    init?(heatMaps name: String, shape: [Int], values: () -> [Float]) {
        let name = name.lowercased()
        let sides = Array(shape.drop { $0 == 1 })
        guard Self.words.contains(where: name.contains), sides.count == 3 else { return nil }
        func isCount(_ count: Int, _ rows: Int, _ columns: Int) -> Bool {
            (2...Self.mostMaps).contains(count) && min(rows, columns) >= max(8, min(count, 32))
        }
        let isFirst = isCount(sides[0], sides[1], sides[2])
        guard isFirst || isCount(sides[2], sides[0], sides[1]) else { return nil }
        let (count, rows, columns) = isFirst ? (sides[0], sides[1], sides[2]) : (sides[2], sides[0], sides[1])
        let cells = rows * columns
        let values = values()
        guard values.count == count * cells else { return nil }
        func value(_ map: Int, _ row: Int, _ column: Int) -> Float {
            guard (0..<rows).contains(row), (0..<columns).contains(column) else { return -.infinity }
            let cell = row * columns + column
            return isFirst ? values[map * cells + cell] : values[cell * count + map]
        }
        points = (0..<count).compactMap { map in
            var (highest, place, sum) = (-Float.infinity, (row: 0, column: 0), Float(0))
            for row in 0..<rows {
                for column in 0..<columns {
                    let value = value(map, row, column)
                    sum += value
                    if value > highest { (highest, place) = (value, (row, column)) }
                }
            }
            guard highest.isFinite, sum.isFinite, highest > 0, sum / Float(cells) <= Self.largestMean * highest else {
                return nil
            }
            func shift(_ before: Float, _ after: Float) -> Double {
                before == after ? 0 : before < after ? 0.25 : -0.25
            }
            let right = shift(value(map, place.row, place.column - 1), value(map, place.row, place.column + 1))
            let down = shift(value(map, place.row - 1, place.column), value(map, place.row + 1, place.column))
            return Point(
                x: (Double(place.column) + 0.5 + right) / Double(columns),
                y: (Double(place.row) + 0.5 + down) / Double(rows), confidence: min(highest, 1))
        }
        if points.isEmpty { return nil }
    }
}
