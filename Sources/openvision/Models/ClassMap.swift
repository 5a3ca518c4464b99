import CoreML
import Vision

/// The output of a network that says what each cell of a grid over its input shows.
struct ClassMap: Sendable {
    /// The most classes of a segmentation.
    private static let classLimit = 256
    /// A smaller grid is not a segmentation.
    private static let leastSide = 4

    let width: Int
    let height: Int
    /// The class of each cell, row by row from the top.
    let classes: [UInt8]
    /// The scores of each class; empty where the network gives the classes themselves.
    private let scores: [FloatMap]

    /// Reads an array with a grid of classes (whole numbers), or with a grid of scores for each class; nil for others.
    ///
    /// - Parameter labelCount: The number of labels of the model, if it has any.
    init?(shape: [Int], isInteger: Bool, labelCount: Int?, values: () -> [Float]) {
        let sides = shape.filter { $0 != 1 }
        if sides.count == 2, isInteger || labelCount != nil, sides.allSatisfy({ $0 >= Self.leastSide }) {
            let values = values()
            let most = Float(min(labelCount ?? Self.classLimit, Self.classLimit))
            guard values.count == sides[0] * sides[1],
                values.allSatisfy({ $0 >= 0 && $0 < most && $0 == $0.rounded() })
            else { return nil }
            (height, width, scores) = (sides[0], sides[1], [])
            classes = values.map { UInt8($0) }
            return
        }
        guard sides.count == 3 else { return nil }
        // The classes are first or last, and fewer than the rows and columns unless the model has labels.
        func isClassCount(_ count: Int, _ rows: Int, _ columns: Int) -> Bool {
            guard count >= 2, count <= Self.classLimit, min(rows, columns) >= Self.leastSide,
                max(rows, columns) <= 4 * min(rows, columns)
            else { return false }
            return labelCount.map { $0 == count } ?? (count <= min(rows, columns) && count <= 32)
        }
        let isFirst = isClassCount(sides[0], sides[1], sides[2])
        guard isFirst || isClassCount(sides[2], sides[0], sides[1]) else { return nil }
        let count = isFirst ? sides[0] : sides[2]
        let (rows, columns) = isFirst ? (sides[1], sides[2]) : (sides[0], sides[1])
        let values = values()
        guard values.count == count * rows * columns else { return nil }
        let cells = rows * columns
        scores = (0..<count).map { number in
            let own =
                isFirst
                ? Array(values[number * cells..<(number + 1) * cells])
                : stride(
                    from: number, to: values.count, by: count
                ).map { values[$0] }
            return FloatMap(width: columns, height: rows, values: own.map { $0.isFinite ? $0 : 0 })
        }
        var best = [UInt8](repeating: 0, count: cells)
        for cell in 0..<cells {
            for number in 1..<count where scores[number].values[cell] > scores[Int(best[cell])].values[cell] {
                best[cell] = UInt8(number)
            }
        }
        (height, width, classes) = (rows, columns, best)
    }

    /// Returns the part of the image that each class covers, the largest first.
    func shares(_ field: ModelField) -> [(number: Int, share: Double)] {
        var (counts, sum) = ([Int: Int](), 0)
        for row in 0..<height {
            for column in 0..<width {
                let (u, v) = ((Double(column) + 0.5) / Double(width), (Double(row) + 0.5) / Double(height))
                guard field.isImage(x: u, y: v) else { continue }
                counts[Int(classes[row * width + column]), default: 0] += 1
                sum += 1
            }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { ($0.key, Double($0.value) / Double(max(sum, 1))) }
    }

    /// Returns the classes of all pixels of an image, whose edges are smooth where the network gives scores; nil for
    /// pixels that the network did not see.
    ///
    /// - Parameter shown: The classes that cover a part of the image worth drawing.
    func pixels(width columns: Int, height rows: Int, _ field: ModelField, shown: [Int]) -> [UInt8?] {
        var result = [UInt8?](repeating: nil, count: columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                guard
                    let (u, v) = field.input(
                        x: (Double(column) + 0.5) / Double(columns), y: (Double(row) + 0.5) / Double(rows))
                else { continue }
                let cell =
                    min(Int(v * Double(height)), height - 1) * width + min(Int(u * Double(width)), width - 1)
                var best = classes[cell]
                if !scores.isEmpty {
                    var highest = -Float.infinity
                    for number in shown {
                        let score = scores[number].value(x: u, y: v)
                        if score > highest { (highest, best) = (score, UInt8(number)) }
                    }
                }
                result[row * columns + column] = best
            }
        }
        return result
    }
}
