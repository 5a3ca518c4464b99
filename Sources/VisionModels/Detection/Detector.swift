package import NetworkMetadata

/// Reads the outputs of a detector: which boxes it found and what it thinks is in them.
package struct Detector: Sendable {
    package let kind: DetectorSettings.Kind
    private let inputWidth: Int
    private let inputHeight: Int
    private let labelCount: Int?
    private let settings: DetectorSettings

    /// nil where outputs of these names and shapes are not those of a detector.
    ///
    /// - Parameters:
    ///   - outputs: Names and shapes of all outputs.
    ///   - inputWidth, inputHeight: The size of the model's image in pixels.
    ///   - labelCount: How many labels the model has; nil where that is not known.
    package init?(
        outputs: [(name: String, shape: [Int])], inputWidth: Int, inputHeight: Int, labelCount: Int?,
        settings: DetectorSettings
    ) {
        let recognition = DetectorRecognition(
            outputs: outputs, inputWidth: inputWidth, inputHeight: inputHeight, labelCount: labelCount,
            settings: settings)
        guard let kind = recognition.kind() else { return nil }
        self.kind = kind
        self.inputWidth = inputWidth
        self.inputHeight = inputHeight
        self.labelCount = labelCount
        self.settings = settings
    }

    /// The objects, best score first. Boxes may reach beyond the input.
    ///
    /// - Throws: `DetectorError` when the outputs do not have the shapes of this kind.
    package func detections(in outputs: [DetectorOutput]) throws -> [Detection] {
        let recognition = DetectorRecognition(
            outputs: outputs.map { ($0.name, $0.shape) }, inputWidth: inputWidth, inputHeight: inputHeight,
            labelCount: labelCount, settings: settings)
        func output(_ port: DetectorRecognition.Port?, _ what: String) throws -> DetectorOutput {
            guard let port, let found = outputs.first(where: { $0.name == port.name }) else {
                throw DetectorError.missingOutput("the model has no output for \(what)")
            }
            return found
        }
        switch kind {
        case .yolox, .yolov5, .yolov8:
            guard let all = settings.boxes.map({ name in outputs.first { $0.name == name } }) ?? outputs.first else {
                throw DetectorError.missingOutput("the model has no output")
            }
            return chosen(from: try yolo(all))
        case .ssd:
            let boxes = try output(recognition.boxesOutput(), "boxes")
            let scores = try output(recognition.scoresOutput(), "scores")
            return chosen(from: try table(boxes, scores, recognition, order: settings.boxOrder ?? .xyxy))
        case .suppressed:
            let boxes = try output(recognition.named(settings.boxes, like: ["coordinates"]), "coordinates")
            let scores = try output(recognition.named(settings.scores, like: ["confidence"]), "confidence")
            return kept(try table(boxes, scores, recognition, order: settings.boxOrder ?? .centre))
        case .ssdSuppressed:
            return kept(
                try SingleClassBoxes(
                    boxes: output(recognition.boxesOutput(), "boxes"),
                    scores: output(recognition.scoresOutput(), "scores"),
                    classes: output(recognition.classesOutput(), "classes"), labelCount: labelCount,
                    background: settings.background, geometry: geometry(settings.boxOrder ?? defaultOrder(outputs))))
        case .selectedIndices:
            guard let ports = recognition.selection() else {
                throw DetectorError.unexpectedShape(
                    "there are no boxes N × 4, scores C × N and indices × 3 among the outputs")
            }
            let scores = try output(ports.scores, "scores")
            return kept(
                try SelectedBoxes(
                    boxes: output(ports.boxes, "boxes"), scores: scores, indices: output(ports.indices, "indices"),
                    background: recognition.background(ofScores: scores.shape[0]),
                    geometry: geometry(settings.boxOrder ?? .yxyx)))
        case .none: return []
        }
    }

    /// TensorFlow's detectors name their outputs `detection_…` and write boxes y first.
    private func defaultOrder(_ outputs: [DetectorOutput]) -> DetectorSettings.BoxOrder {
        outputs.contains { $0.name.lowercased().contains("detection_boxes") } ? .yxyx : .xyxy
    }

    private func geometry(_ order: DetectorSettings.BoxOrder, _ units: DetectorSettings.Units = .unit) -> BoxGeometry {
        let pixels = (settings.units ?? units) == .pixels
        return BoxGeometry(
            order: order, width: pixels ? Double(inputWidth) : 1, height: pixels ? Double(inputHeight) : 1)
    }

    private func yolo(_ output: DetectorOutput) throws -> any BoxTable {
        guard output.shape.count == 2 else {
            throw DetectorError.unexpectedShape("boxes of shape \(output.shape) are not a table")
        }
        let pixels = geometry(settings.boxOrder ?? .centre, .pixels)
        switch kind {
        case .yolox:
            let grid = try GridCells(count: output.shape[0], inputWidth: inputWidth, inputHeight: inputHeight)
            return try YOLORows(output, hasObjectness: true, labelCount: labelCount, geometry: pixels, grid: grid)
        case .yolov5:
            return try YOLORows(output, hasObjectness: true, labelCount: labelCount, geometry: pixels, grid: nil)
        default:
            // The long axis counts the boxes, unless the labels say otherwise.
            let rowsAreBoxes =
                labelCount.map { output.shape[1] == $0 + 4 && output.shape[0] != $0 + 4 }
                ?? (output.shape[0] > output.shape[1])
            if rowsAreBoxes {
                return try YOLORows(output, hasObjectness: false, labelCount: labelCount, geometry: pixels, grid: nil)
            }
            return try YOLOColumns(output, labelCount: labelCount, geometry: pixels)
        }
    }

    private func table(
        _ boxes: DetectorOutput, _ scores: DetectorOutput, _ recognition: DetectorRecognition,
        order: DetectorSettings.BoxOrder
    ) throws -> BoxesAndScores {
        guard let columns = scores.shape.last, let classCount = recognition.classCount(ofScores: columns) else {
            throw DetectorError.unexpectedShape(
                "scores of shape \(scores.shape) do not fit \(labelCount ?? 0) labels")
        }
        return try BoxesAndScores(
            boxes: boxes, scores: scores, classCount: classCount,
            background: recognition.background(ofScores: columns), geometry: geometry(order))
    }

    // MARK: - Choosing

    private var maximumCount: Int { max(0, settings.maximumCount ?? 300) }

    /// What is left of all boxes after the threshold and the suppression of overlapping ones.
    private func chosen(from table: any BoxTable) -> [Detection] {
        let threshold = settings.confidenceThreshold ?? DetectorSettings.defaultConfidenceThreshold
        let survivors = Suppression.survivors(
            of: table.candidates(threshold: threshold),
            overlapThreshold: settings.overlapThreshold ?? DetectorSettings.defaultOverlapThreshold,
            maximumCount: maximumCount)
        return survivors.map { Detection(box: $0.box, scores: table.scores(ofRow: $0.row)) }
    }

    /// All boxes of a model that has chosen them itself, down to the threshold where one is set.
    private func kept(_ table: any BoxTable) -> [Detection] {
        var candidates = table.candidates(threshold: settings.confidenceThreshold ?? -.infinity)
        if let overlap = settings.overlapThreshold {
            candidates = Suppression.survivors(
                of: candidates, overlapThreshold: overlap, maximumCount: maximumCount)
        }
        return candidates.sorted { ($1.score, $0.row) < ($0.score, $1.row) }.prefix(maximumCount)
            .map { Detection(box: $0.box, scores: table.scores(ofRow: $0.row)) }
    }
}
