import CoreML
import VisionModels

/// Runs a model on the handler's image and converts its outputs to observations.
struct CoreMLJob: Sendable {
    let model: MLModel
    let image: ImageInput
    /// The values of the other inputs.
    let features: [String: MLFeatureValue]
    let region: NormalizedRegion
    let fit: Derivative.Fit
    let revision: Int

    func run(_ context: PerformContext) throws -> [VNObservation] {
        if let backbone = model.backbone {
            // The features that other requests of the image use, too.
            let features = try context.backboneFeatures(backbone, region: region, fit: fit)
            return classifications(try model.run(backboneFeatures: features), context.timeRange)
        }
        let size = try context.image.uprightImageSize()
        let derivative = image.derivative(region: region.pixels(in: size), fit: fit)
        let pixels = try context.image.derivative(derivative)
        try context.cancellation.check()
        context.networkRuns.count()
        let outputs = try model.run(features, image: (image, pixels), threads: Settings.threadCount)
        try context.cancellation.check()

        let timeRange = context.timeRange
        if model.interface.classifier != nil { return classifications(outputs, timeRange) }
        if let detector = detector(of: outputs, width: derivative.width, height: derivative.height) {
            // The suppression ranks by the best class; the confidence is that of all classes together.
            return try detector.detections(in: outputs.detectorOutputs()).map { detection in
                object(detection, in: derivative, size: size, timeRange)
            }.stablySorted { $0.confidence > $1.confidence }
        }
        if model.interface.hasImageOutput {
            return outputs.images().map { name, buffer in
                VNPixelBufferObservation(
                    pixelBuffer: buffer, featureName: name, requestRevision: revision, timeRange: timeRange)
            }
        }
        return outputs.orderedFeatures().map { name, value in
            VNCoreMLFeatureValueObservation(
                featureValue: value, featureName: name, requestRevision: revision, timeRange: timeRange)
        }
    }

    private func classifications(_ outputs: NetworkOutputs, _ timeRange: CMTimeRange) -> [VNObservation] {
        var uuids = UUIDSeries()
        return outputs.classifications().map { label, score in
            VNClassificationObservation(
                identifier: label, confidence: score, uuid: uuids.next(), requestRevision: revision,
                timeRange: timeRange)
        }
    }

    // MARK: - Objects

    private func detector(of outputs: NetworkOutputs, width: Int, height: Int) -> Detector? {
        Detector(
            outputs: outputs.arrayShapes, inputWidth: width, inputHeight: height,
            labelCount: model.interface.labels?.count, settings: model.interface.detector)
    }

    private func object(
        _ detection: Detection, in derivative: Derivative, size: ImageSize, _ timeRange: CMTimeRange
    ) -> VNRecognizedObjectObservation {
        let box = detection.box.placed(in: PixelRegion(width: derivative.width, height: derivative.height))
        // Scores below 0 cannot be expressed as a share.
        let scores = detection.scores.map { $0 > 0 && $0.isFinite ? $0 : 0 }
        let sum = scores.reduce(0, +)
        var uuids = UUIDSeries()
        let names = model.interface.labels
        let labels = scores.enumerated().stablySorted { $0.element > $1.element }
            .map { index, score in
                VNClassificationObservation(
                    identifier: names.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? String(index),
                    confidence: sum > 0 ? score / sum : 0, uuid: uuids.next(), requestRevision: revision,
                    timeRange: timeRange)
            }
        return VNRecognizedObjectObservation(
            labels: labels, confidence: sum, requestRevision: revision,
            boundingBox: region.normalizedBox(of: derivative.imageRegion(of: box), in: size), timeRange: timeRange)
    }
}
