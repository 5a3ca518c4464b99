/// Finds out which kind of detector the outputs are those of.
package struct DetectorRecognition {
    /// An output's name and shape, without the axes in front that are 1.
    package typealias Port = (name: String, shape: [Int])

    let outputs: [Port]
    let inputWidth: Int
    let inputHeight: Int
    /// How many labels the model has; nil where that is not known.
    let labelCount: Int?
    let settings: DetectorSettings

    package static let strides = [8, 16, 32, 64]

    package init(
        outputs: [Port], inputWidth: Int, inputHeight: Int, labelCount: Int?, settings: DetectorSettings
    ) {
        (self.outputs, self.inputWidth, self.inputHeight) = (
            outputs.map { ($0.name, Self.trimmed($0.shape)) }, inputWidth, inputHeight
        )
        (self.labelCount, self.settings) = (labelCount, settings)
    }

    /// Batches hold one image: their axis says nothing. A last axis always stays.
    package static func trimmed(_ shape: [Int]) -> [Int] {
        var shape = shape[...]
        while shape.count > 2, shape.first == 1 { shape = shape.dropFirst() }
        return Array(shape)
    }

    /// nil where the outputs are not those of a detector, or the settings say so.
    package func kind() -> DetectorSettings.Kind? {
        guard inputWidth > 0, inputHeight > 0 else { return nil }
        if let kind = settings.kind { return kind == .none ? nil : kind }
        if named(settings.boxes, like: ["coordinates"]) != nil, named(settings.scores, like: ["confidence"]) != nil {
            return .suppressed
        }
        if let boxes = boxesOutput(), let scores = scoresOutput() {
            if scores.shape.count == 2, boxes.shape.count == 2, scores.shape[0] == boxes.shape[0],
                classCount(ofScores: scores.shape[1]) != nil
            {
                return .ssd
            }
            if classesOutput() != nil, scores.shape.last == boxes.shape.first { return .ssdSuppressed }
        }
        return selection() == nil ? single() : .selectedIndices
    }

    // MARK: - Outputs of ONNX's NonMaxSuppression

    /// The three outputs by their shapes: N × 4, C × N, and any number × 3. nil where they do not fit.
    package func selection() -> (boxes: Port, scores: Port, indices: Port)? {
        guard outputs.count == 3 || settings.kind == .selectedIndices else { return nil }
        func find(_ name: String?, _ fits: (Port) -> Bool) -> Port? {
            // From the last: choices are made after what they choose from.
            outputs.last { $0.shape.count == 2 && (name == nil || $0.name == name) && fits($0) }
        }
        guard let boxes = find(settings.boxes, { $0.shape[1] == 4 }),
            let indices = find(settings.indices, { $0.shape[1] == 3 && $0.name != boxes.name }),
            let scores = find(
                settings.scores,
                { $0.shape[1] == boxes.shape[0] && $0.name != boxes.name && $0.name != indices.name }),
            classCount(ofScores: scores.shape[0]) != nil
        else { return nil }
        return (boxes, scores, indices)
    }

    // MARK: - One output for everything

    private func single() -> DetectorSettings.Kind? {
        guard outputs.count == 1, let shape = outputs.first?.shape, shape.count == 2 else { return nil }
        let (rows, columns) = (shape[0], shape[1])
        let grids = Self.gridSizes(inputWidth, inputHeight)
        if grids.contains(rows) {
            if let labelCount { return columns == labelCount + 5 ? .yolox : columns == labelCount + 4 ? .yolov8 : nil }
            return columns > 5 ? .yolox : nil
        }
        if grids.contains(where: { 3 * $0 == rows }) {
            if let labelCount { return columns == labelCount + 5 ? .yolov5 : nil }
            return columns > 5 ? .yolov5 : nil
        }
        if grids.contains(columns) {
            if let labelCount { return rows == labelCount + 4 ? .yolov8 : nil }
            return rows > 4 ? .yolov8 : nil
        }
        return nil
    }

    /// The cells of the grids with strides of 8 to 32 and of 8 to 64.
    package static func gridSizes(_ width: Int, _ height: Int) -> [Int] {
        [3, 4].map { count in
            strides.prefix(count).reduce(0) { $0 + (width / $1) * (height / $1) }
        }
    }

    // MARK: - Outputs by name

    package func boxesOutput() -> Port? {
        named(settings.boxes, like: ["box", "loc", "coordinates"]) { $0.shape.last == 4 }
    }

    package func scoresOutput() -> Port? {
        named(settings.scores, like: ["score", "conf", "prob"]) { _ in true }
    }

    package func classesOutput() -> Port? {
        named(settings.classes, like: ["class", "label"]) { $0.name != scoresOutput()?.name }
    }

    /// The output of that name; without one, the first whose name holds one of these words and that fits.
    package func named(_ name: String?, like words: [String], fits: (Port) -> Bool = { _ in true }) -> Port? {
        if let name { return outputs.first { $0.name == name } }
        return outputs.first { port in
            let lower = port.name.lowercased()
            return words.contains { lower.contains($0) } && fits(port)
        }
    }

    // MARK: - Classes

    /// Which of the model's classes stands for nothing: what the settings say; else the first where there is one class
    /// more than labels, or there are two and no labels.
    package func background(ofScores count: Int) -> Int? {
        if let background = settings.background { return (0..<count).contains(background) ? background : nil }
        if let labelCount { return count == labelCount + 1 ? 0 : nil }
        return count == 2 ? 0 : nil
    }

    /// The classes without the background; nil where they do not fit the labels.
    package func classCount(ofScores count: Int) -> Int? {
        let classes = background(ofScores: count) == nil ? count : count - 1
        return classes > 0 && (labelCount ?? classes) == classes ? classes : nil
    }
}
