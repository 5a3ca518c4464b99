import NetworkMetadata
import CoreML
import Foundation
public import Vision
import VisionRecords

/// What a model says about an image: labels, boxes with labels, or arrays.
struct ModelAnalysis: Analysis {
    private enum Crop: String, CaseIterable, Sendable {
        case model, centre, fit, fill

        /// nil for what the request does by itself.
        var option: VNImageCropAndScaleOption? {
            switch self {
            case .model: nil
            case .centre: .centerCrop
            case .fit: .scaleFit
            case .fill: .scaleFill
            }
        }
    }

    struct Result: Encodable, Sendable {
        @Nullable var label: String?
        @Nullable var confidence: Double?
        @Nullable var box: PixelRectangleRecord?
        /// The name of an output that is neither labels nor boxes.
        @Nullable var output: String?
        @Nullable var shape: [Int]?
        @Nullable var minimum: Double?
        @Nullable var maximum: Double?
        /// The first values; numbers that are not finite are null.
        @Nullable var values: [JSONValue]?

        init(label: String? = nil, confidence: Double? = nil, box: PixelRectangleRecord? = nil, output: String? = nil) {
            (self.label, self.confidence, self.box, self.output) = (label, confidence, box, output)
            (shape, minimum, maximum, values) = (nil, nil, nil, nil)
        }
    }

    private let model: VNCoreMLModel
    private let count: Int
    private let least: Float
    private let crop: Crop

    init(_ model: VNCoreMLModel, _ options: inout AnalysisOptions) throws {
        self.model = model
        count = try options.integer("top", in: 1...10_000, default: 5)
        least = try options.share("minConfidence", default: 0)
        crop = try options.word("crop", default: Crop.model)
    }

    func makeRequests() -> [VNRequest] {
        let request = VNCoreMLRequest(model: model)
        if let option = crop.option { request.imageCropAndScaleOption = option }
        return [request]
    }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [Result] {
        let found = requests.first?.results ?? []
        let results = found.compactMap { result(of: $0, image.coordinates) }
        // The most confident labels and boxes; of arrays all.
        guard results.contains(where: { $0.label != nil }) else { return results }
        return Array(results.filter { $0.confidence ?? 0 >= Double(least) }.prefix(count))
    }

    private func result(of found: VNObservation, _ coordinates: RecordCoordinates) -> Result? {
        switch found {
        case let found as VNClassificationObservation:
            return Result(label: found.identifier, confidence: Double(found.confidence).rounded(decimals: 6))
        case let found as VNRecognizedObjectObservation:
            return Result(
                label: found.labels.first?.identifier ?? "", confidence: found.confidence.record,
                box: coordinates.box(found.boundingBox))
        case let found as VNPixelBufferObservation:
            var result = Result(output: found.featureName)
            result.shape = [CVPixelBufferGetHeight(found.pixelBuffer), CVPixelBufferGetWidth(found.pixelBuffer)]
            return result
        case let found as VNCoreMLFeatureValueObservation:
            var result = Result(output: found.featureName)
            show(found.featureValue, in: &result)
            return result
        default: return nil
        }
    }

    private func show(_ value: MLFeatureValue, in result: inout Result) {
        switch value.type {
        case .double: result.values = [Self.rounded(value.doubleValue)]
        case .int64: result.values = [.integer(Int(value.int64Value))]
        case .string: result.values = [.string(value.stringValue)]
        case .multiArray:
            guard let array = value.multiArrayValue else { return }
            let values = MLShapedArray<Float>(converting: array).scalars
            let numbers = values.lazy.filter { !$0.isNaN }
            result.shape = array.shape.map(\.intValue)
            result.minimum = numbers.min().flatMap { Double($0).rounded(decimals: 6) }
            result.maximum = numbers.max().flatMap { Double($0).rounded(decimals: 6) }
            result.values = values.prefix(count).map { Self.rounded(Double($0)) }
        default: break
        }
    }

    private static func rounded(_ value: Double) -> JSONValue {
        value.rounded(decimals: 6).map { .number($0) } ?? .null
    }
}

/// Results that the caller makes of an image's feature print.
struct PrintUse<Result: Encodable & Sendable>: Analysis {
    let revision: Int?
    let make: @Sendable (VNFeaturePrintObservation) throws -> [Result]

    func makeRequests() -> [VNRequest] {
        let request = VNGenerateImageFeaturePrintRequest()
        if let revision { request.revision = revision }
        return [request]
    }

    func results(of requests: [VNRequest], on image: AnalysedImage) throws -> [Result] {
        guard let print = requests.first?.results?.first as? VNFeaturePrintObservation else { return [] }
        return try make(print)
    }
}

extension AnalysisPlan {
    /// The parameters of `init(model:name:_:)`.
    public static func modelParameters(_ model: VNCoreMLModel) -> [AnalysisParameter] {
        var options = AnalysisOptions("model", .none)
        // Without values nothing can be wrong.
        _ = try? ModelAnalysis(model, &options)
        return options.parameters
    }

    /// Plans to run a model, whose results are in the report under a name: labels, boxes with labels, or outputs with
    /// their shapes and first values.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - name: The name of the results.
    ///   - arguments: `top`, `minConfidence`, and `crop` (`model` for what it was trained on, `centre`, `fit`, `fill`).
    /// - Throws: `AnalysisError` for a parameter that does not exist, or a value that is not allowed.
    public init(model: VNCoreMLModel, name: String, _ arguments: AnalysisArguments) throws {
        var options = AnalysisOptions(name, arguments)
        let analysis = try ModelAnalysis(model, &options)
        try options.end()
        self.init(parts: [Part(name: name, analysis: analysis)])
    }

    /// Plans to make results of the image's feature print, which are in the report under a name.
    ///
    /// - Parameters:
    ///   - name: The name of the results.
    ///   - revision: The revision of `VNGenerateImageFeaturePrintRequest`; nil for its default.
    ///   - make: Makes the results; what it throws is the error of the report.
    public init<Result: Encodable & Sendable>(
        ofPrint name: String, revision: Int? = nil,
        _ make: @escaping @Sendable (VNFeaturePrintObservation) throws -> [Result]
    ) {
        self.init(parts: [Part(name: name, analysis: PrintUse(revision: revision, make: make))])
    }
}
