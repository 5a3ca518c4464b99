import CoreML
import Foundation
import Vision
import VisionPhotos
import VisionRecords

/// Runs a model on photos and says what its outputs mean.
struct ModelRunner: Sendable {
    private let model: VNCoreMLModel
    private let crop: RunModelCommand.Crop
    /// The default of the request is kept: a classifier knows what it was trained on.
    private let keepsDefault: Bool
    private let inputSize: (width: Int, height: Int)?
    private let labels: [String]?
    private let names: ClassNames
    private let keypointRows: KeypointRows?
    private let top: Int
    private let minConfidence: Double

    /// - Parameter crop: nil for what suits the model.
    /// - Throws: The error of a model that has no image input.
    init(_ model: MLModel, crop: RunModelCommand.Crop?, top: Int, minConfidence: Double) throws {
        self.model = try VNCoreMLModel(for: model)
        let description = model.modelDescription
        keepsDefault = crop == nil && description.predictedFeatureName != nil
        self.crop = crop ?? .fit
        let image = description.inputDescriptionsByName.values.compactMap(\.imageConstraint).first
        inputSize = image.flatMap { $0.pixelsWide > 0 && $0.pixelsHigh > 0 ? ($0.pixelsWide, $0.pixelsHigh) : nil }
        labels = model.interface.labels ?? Self.previewLabels(description)
        names = ClassNames(description)
        keypointRows = KeypointRows(
            properties: description.metadata[.creatorDefinedKey] as? [String: String] ?? [:],
            labelCount: labels?.count, inputSize: inputSize)
        (self.top, self.minConfidence) = (top, minConfidence)
    }

    /// The labels of a segmentation for Xcode's preview, which are in the metadata of Apple's models.
    private static func previewLabels(_ description: MLModelDescription) -> [String]? {
        struct Parameters: Decodable { var labels: [String]? }
        let texts = description.metadata[.creatorDefinedKey] as? [String: String]
        return texts?["com.apple.coreml.model.preview.params"]
            .flatMap { try? JSONDecoder().decode(Parameters.self, from: Data($0.utf8)) }?.labels
    }

    /// - Throws: The error of the request.
    func outcome(of photo: Photo, _ path: FilePath) throws -> ModelOutcome {
        let request = VNCoreMLRequest(model: model)
        if !keepsDefault { request.imageCropAndScaleOption = crop.option }
        try photo.perform([request])
        let results: [VNObservation] = request.results ?? []
        let field = ModelField(image: (photo.width, photo.height), input: inputSize, crop: crop)
        var outcome = ModelOutcome(photo: photo, image: photo.reference(path), field: field)
        switch results.first {
        case is VNClassificationObservation:
            outcome.records = results.compactMap { ($0 as? VNClassificationObservation).map { label($0, outcome) } }
        case is VNRecognizedObjectObservation:
            outcome.records = results.compactMap { ($0 as? VNRecognizedObjectObservation).map { box($0, outcome) } }
            outcome.hasBoxes = true
        default:
            for result in results { add(result, to: &outcome) }
            return outcome
        }
        outcome.records = Array(outcome.records.filter { $0.confidence ?? 0 >= minConfidence }.prefix(top))
        return outcome
    }

    private func label(_ result: VNClassificationObservation, _ outcome: ModelOutcome) -> RunModelCommand.Record {
        var record = RunModelCommand.Record(image: outcome.image)
        record.label = result.identifier
        record.name = names[result.identifier]
        record.confidence = Decimals.rounded(Double(result.confidence), 6)
        return record
    }

    private func box(_ result: VNRecognizedObjectObservation, _ outcome: ModelOutcome) -> RunModelCommand.Record {
        var record = RunModelCommand.Record(image: outcome.image)
        record.label = result.labels.first?.identifier
        record.name = result.labels.first.flatMap { names[$0.identifier] }
        record.confidence = Decimals.rounded(Double(result.confidence), 4)
        record.box = outcome.photo.box(of: result.boundingBox).record
        return record
    }

    private func add(_ result: VNObservation, to outcome: inout ModelOutcome) {
        var record = RunModelCommand.Record(image: outcome.image)
        if let result = result as? VNPixelBufferObservation {
            record.output = result.featureName
            record.shape = [CVPixelBufferGetHeight(result.pixelBuffer), CVPixelBufferGetWidth(result.pixelBuffer)]
            outcome.pictures.append(.image(result.pixelBuffer))
        }
        guard let result = result as? VNCoreMLFeatureValueObservation else { return outcome.records.append(record) }
        record.output = result.featureName
        guard let array = result.featureValue.multiArrayValue else {
            record.values = [result.featureValue.doubleValue]
            return outcome.records.append(record)
        }
        let shape = array.shape.map(\.intValue)
        func numbers() -> [Float] { MLShapedArray<Float>(converting: array).scalars }
        if let objects = keypointRows?.objects(shape: shape, values: numbers) {
            return add(objects, output: result.featureName, shape, to: &outcome)
        }
        if let points = Keypoints(heatMaps: result.featureName, shape: shape, values: numbers) {
            return add([points], output: result.featureName, shape, to: &outcome)
        }
        if let map = ClassMap(
            shape: shape, isInteger: array.dataType == .int32, labelCount: labels?.count, values: numbers)
        {
            return add(map, output: result.featureName, shape, to: &outcome)
        }
        let values = numbers()
        record.shape = shape
        record.minimum = values.min().flatMap { Decimals.rounded(Double($0), 6) }
        record.maximum = values.max().flatMap { Decimals.rounded(Double($0), 6) }
        record.values = values.prefix(top).compactMap { Decimals.rounded(Double($0), 6) }
        outcome.records.append(record)
        let sides = shape.filter { $0 != 1 }
        if sides.count == 2, min(sides[0], sides[1]) >= 4 {
            let low = values.min() ?? 0
            outcome.pictures.append(
                .heat(FloatMap(width: sides[1], height: sides[0], values: values.map { $0.isFinite ? $0 - low : 0 })))
        }
    }

    private func add(_ objects: [Keypoints], output: String, _ shape: [Int], to outcome: inout ModelOutcome) {
        let shown = objects.filter { Double($0.object?.confidence ?? 1) >= minConfidence }.prefix(top)
        for keypoints in shown {
            var record = RunModelCommand.Record(image: outcome.image)
            record.points = keypoints.points.map { point in
                let place = outcome.point(of: point)
                return JointRecord(
                    point: PixelPoint(x: Double(place.x), y: Double(place.y)),
                    confidence: Decimals.rounded(Double(point.confidence), 4))
            }
            if let (box, label, confidence) = keypoints.object {
                let (first, size) = (outcome.field.image(x: box.minX, y: box.minY), outcome.photo)
                record.label = name(label)
                record.confidence = Decimals.rounded(Double(confidence), 4)
                record.box = PixelRectangleRecord(
                    x: first.x * Double(size.width), y: first.y * Double(size.height),
                    width: box.width * outcome.field.width * Double(size.width),
                    height: box.height * outcome.field.height * Double(size.height))
                outcome.hasBoxes = true
            } else {
                (record.output, record.shape) = (output, shape)
            }
            outcome.records.append(record)
        }
        outcome.pictures.append(.points(Array(shown)))
    }

    private func add(_ map: ClassMap, output: String, _ shape: [Int], to outcome: inout ModelOutcome) {
        let shares = map.shares(outcome.field).prefix(top)
        for (number, share) in shares {
            var record = RunModelCommand.Record(image: outcome.image)
            record.label = name(number)
            record.share = Decimals.rounded(share, 4)
            (record.output, record.shape) = (output, shape)
            outcome.records.append(record)
        }
        outcome.pictures.append(.classes(map, shares.map { ($0.number, name($0.number), $0.share) }))
    }

    private func name(_ number: Int) -> String {
        labels.flatMap { $0.indices.contains(number) ? $0[number] : nil } ?? "class \(number)"
    }
}
