import NetworkMetadata
import Foundation

/// Boxes and scores in one of the forms in which networks write them.
protocol BoxTable {
    /// The boxes whose best score reaches the threshold. Boxes that are empty or have a coordinate that is no number
    /// are left out.
    func candidates(threshold: Float) -> [Candidate]
    /// The score of every class.
    func scores(ofRow row: Int) -> [Float]
}

extension BoxTable {
    /// The candidates in some rows of a table with four numbers for each box.
    fileprivate func candidates(
        inRows rows: some Sequence<Int>, _ boxes: [Float], _ geometry: BoxGeometry, threshold: Float
    ) -> [Candidate] {
        rows.compactMap { row in
            let best = largest(of: scores(ofRow: row)[...])
            guard best.value >= threshold else { return nil }
            let box = geometry.box(boxes[4 * row], boxes[4 * row + 1], boxes[4 * row + 2], boxes[4 * row + 3])
            return box.isUsable ? Candidate(box: box, score: best.value, classIndex: best.index, row: row) : nil
        }
    }
}

/// What the four numbers of a box mean.
struct BoxGeometry {
    let order: DetectorSettings.BoxOrder
    /// What the coordinates count to at the right and at the lower edge.
    let width: Double
    let height: Double

    func box(_ a: Float, _ b: Float, _ c: Float, _ d: Float) -> UnitBox {
        let (a, b, c, d) = (Double(a), Double(b), Double(c), Double(d))
        let (left, top, w, h) =
            switch order {
            case .xyxy: (a, b, c - a, d - b)
            case .yxyx: (b, a, d - b, c - a)
            case .centre: (a - c / 2, b - d / 2, c, d)
            }
        return UnitBox(x: left / width, y: top / height, width: w / width, height: h / height)
    }
}

/// The cells of a YOLOX grid in the order of its rows.
struct GridCells {
    private var cells: [(x: Float, y: Float, stride: Float)] = []

    init(count: Int, inputWidth: Int, inputHeight: Int) throws {
        let sizes = DetectorRecognition.gridSizes(inputWidth, inputHeight)
        guard let index = sizes.firstIndex(of: count) else {
            throw DetectorError.unexpectedShape(
                "\(count) boxes are not those of a grid over an input of \(inputWidth) × \(inputHeight) pixels")
        }
        for stride in DetectorRecognition.strides.prefix(3 + index) {
            for y in 0..<inputHeight / stride {
                for x in 0..<inputWidth / stride { cells.append((Float(x), Float(y), Float(stride))) }
            }
        }
    }

    /// Offsets and logarithms made into a centre and a size in pixels.
    func decoded(_ x: Float, _ y: Float, _ w: Float, _ h: Float, row: Int) -> (Float, Float, Float, Float) {
        let cell = cells[row]
        return (
            (x + cell.x) * cell.stride, (y + cell.y) * cell.stride, exp(w) * cell.stride, exp(h) * cell.stride
        )
    }
}

/// The largest of some scores.
private func largest(of values: ArraySlice<Float>) -> (index: Int, value: Float) {
    var (index, value) = (0, -Float.infinity)
    for (other, candidate) in values.enumerated() where candidate > value { (index, value) = (other, candidate) }
    return (index, value)
}

/// A row for each box: four numbers of the box, the objectness where there is one, the classes.
struct YOLORows: BoxTable {
    private let values: [Float]
    private let rows: Int
    private let columns: Int
    private let firstClass: Int
    private let geometry: BoxGeometry
    private let grid: GridCells?

    init(
        _ output: DetectorOutput, hasObjectness: Bool, labelCount: Int?, geometry: BoxGeometry, grid: GridCells?
    ) throws {
        (rows, columns) = (output.shape[0], output.shape[1])
        firstClass = hasObjectness ? 5 : 4
        guard columns > firstClass, labelCount == nil || columns == firstClass + (labelCount ?? 0) else {
            throw DetectorError.unexpectedShape(
                "rows of \(columns) numbers do not hold a box and the scores of "
                    + "\(labelCount.map(String.init) ?? "any") classes")
        }
        values = output.values
        self.geometry = geometry
        self.grid = grid
    }

    private func objectness(_ row: Int) -> Float { firstClass == 5 ? values[row * columns + 4] : 1 }

    func candidates(threshold: Float) -> [Candidate] {
        var found: [Candidate] = []
        for row in 0..<rows {
            let start = row * columns
            let objectness = objectness(row)
            // No class scores above 1.
            guard objectness >= threshold else { continue }
            let best = largest(of: values[(start + firstClass)..<(start + columns)])
            let score = objectness * best.value
            guard score >= threshold else { continue }
            var numbers = (values[start], values[start + 1], values[start + 2], values[start + 3])
            if let grid { numbers = grid.decoded(numbers.0, numbers.1, numbers.2, numbers.3, row: row) }
            let box = geometry.box(numbers.0, numbers.1, numbers.2, numbers.3)
            guard box.isUsable else { continue }
            found.append(Candidate(box: box, score: score, classIndex: best.index, row: row))
        }
        return found
    }

    func scores(ofRow row: Int) -> [Float] {
        let objectness = objectness(row)
        return values[(row * columns + firstClass)..<((row + 1) * columns)].map { $0 * objectness }
    }
}

/// A column for each box: four numbers of the box, then the classes.
struct YOLOColumns: BoxTable {
    private let values: [Float]
    private let classes: Int
    private let boxes: Int
    private let geometry: BoxGeometry

    init(_ output: DetectorOutput, labelCount: Int?, geometry: BoxGeometry) throws {
        classes = output.shape[0] - 4
        boxes = output.shape[1]
        guard classes > 0, labelCount == nil || classes == labelCount else {
            throw DetectorError.unexpectedShape(
                "\(output.shape[0]) numbers a box do not hold a box and the scores of "
                    + "\(labelCount.map(String.init) ?? "any") classes")
        }
        values = output.values
        self.geometry = geometry
    }

    func candidates(threshold: Float) -> [Candidate] {
        var best = [Float](repeating: -.infinity, count: boxes)
        var index = [Int](repeating: 0, count: boxes)
        for number in 0..<classes {
            let start = (4 + number) * boxes
            for box in 0..<boxes where values[start + box] > best[box] {
                best[box] = values[start + box]
                index[box] = number
            }
        }
        return (0..<boxes).compactMap { row in
            guard best[row] >= threshold else { return nil }
            let box = geometry.box(
                values[row], values[boxes + row], values[2 * boxes + row], values[3 * boxes + row])
            return box.isUsable ? Candidate(box: box, score: best[row], classIndex: index[row], row: row) : nil
        }
    }

    func scores(ofRow row: Int) -> [Float] { (0..<classes).map { values[(4 + $0) * boxes + row] } }
}

/// Boxes in one output, the scores of every class in another.
struct BoxesAndScores: BoxTable {
    private let boxes: [Float]
    private let table: [Float]
    private let rows: Int
    private let columns: Int
    private let background: Int?
    private let geometry: BoxGeometry

    init(
        boxes: DetectorOutput, scores: DetectorOutput, classCount: Int, background: Int?, geometry: BoxGeometry
    ) throws {
        rows = boxes.values.count / 4
        columns = classCount + (background == nil ? 0 : 1)
        guard boxes.shape.last == 4, scores.values.count == rows * columns else {
            throw DetectorError.unexpectedShape(
                "boxes of shape \(boxes.shape) and scores of shape \(scores.shape) do not fit together")
        }
        self.boxes = boxes.values
        table = scores.values
        self.background = background
        self.geometry = geometry
    }

    func candidates(threshold: Float) -> [Candidate] {
        candidates(inRows: 0..<rows, boxes, geometry, threshold: threshold)
    }

    func scores(ofRow row: Int) -> [Float] {
        var all = Array(table[(row * columns)..<((row + 1) * columns)])
        if let background { all.remove(at: background) }
        return all
    }
}

/// Boxes with one class and one score each.
struct SingleClassBoxes: BoxTable {
    private let boxes: [Float]
    private let rowScores: [Float]
    private let classes: [Int]
    private let classCount: Int
    private let geometry: BoxGeometry

    init(
        boxes: DetectorOutput, scores: DetectorOutput, classes: DetectorOutput, labelCount: Int?, background: Int?,
        geometry: BoxGeometry
    ) throws {
        let rows = boxes.values.count / 4
        guard boxes.shape.last == 4, scores.values.count == rows, classes.values.count == rows else {
            throw DetectorError.unexpectedShape(
                "boxes of shape \(boxes.shape), scores of shape \(scores.shape) and classes of shape \(classes.shape) "
                    + "do not fit together")
        }
        // Numbers behind the background move up by one; those that are no class at all are left out below.
        let numbers = classes.values.map { value -> Int in
            guard value.isFinite, value >= 0, value < 0x1p20 else { return -1 }
            let number = Int(value)
            guard let background, background >= 0 else { return number }
            return number == background ? -1 : number > background ? number - 1 : number
        }
        self.boxes = boxes.values
        rowScores = scores.values
        self.classes = numbers
        self.geometry = geometry
        classCount = labelCount ?? max(0, numbers.max() ?? 0) + 1
    }

    func candidates(threshold: Float) -> [Candidate] {
        classes.indices.compactMap { row in
            guard rowScores[row] >= threshold, (0..<classCount).contains(classes[row]) else { return nil }
            let box = geometry.box(boxes[4 * row], boxes[4 * row + 1], boxes[4 * row + 2], boxes[4 * row + 3])
            return box.isUsable ? Candidate(box: box, score: rowScores[row], classIndex: classes[row], row: row) : nil
        }
    }

    func scores(ofRow row: Int) -> [Float] {
        var all = [Float](repeating: 0, count: classCount)
        all[classes[row]] = rowScores[row]
        return all
    }
}

/// Boxes that ONNX's NonMaxSuppression chose: each once, though it may be chosen for several classes.
struct SelectedBoxes: BoxTable {
    private let boxes: [Float]
    private let table: [Float]
    private let classes: Int
    private let count: Int
    private let chosen: [Int]
    private let background: Int?
    private let geometry: BoxGeometry

    init(
        boxes: DetectorOutput, scores: DetectorOutput, indices: DetectorOutput, background: Int?, geometry: BoxGeometry
    ) throws {
        (classes, count) = (scores.shape[0], scores.shape[1])
        self.boxes = boxes.values
        table = scores.values
        self.background = background
        self.geometry = geometry
        var seen = Set<Int>()
        chosen = try stride(from: 0, to: indices.values.count, by: 3).compactMap { start in
            let (number, box) = (indices.values[start + 1], indices.values[start + 2])
            guard number >= 0, number < Float(scores.shape[0]), box >= 0, box < Float(scores.shape[1]) else {
                throw DetectorError.unexpectedShape(
                    "the class \(number) or the box \(box) that was chosen does not exist")
            }
            if let background, Int(number) == background { return nil }
            return seen.insert(Int(box)).inserted ? Int(box) : nil
        }
    }

    func candidates(threshold: Float) -> [Candidate] {
        candidates(inRows: chosen, boxes, geometry, threshold: threshold)
    }

    func scores(ofRow row: Int) -> [Float] {
        (0..<classes).filter { $0 != background }.map { table[$0 * count + row] }
    }
}
