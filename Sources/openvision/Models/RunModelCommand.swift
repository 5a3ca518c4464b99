import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords

struct RunModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a model on an image and print its results.",
        discussion: """
            The image is scaled and rotated upright as by VNCoreMLRequest. Prints the best labels of a classifier, the \
            boxes of a detector (x,y,width,height in pixels from the top left), or the outputs of any other model.

            Examples:
              openvision run efficientnet-lite0 photo.jpg
              openvision run yolox.onnx street.jpg --top 20 --crop fill --json
            """)

    enum Crop: String, ExpressibleByArgument, CaseIterable {
        case centre, fit, fill

        var option: VNImageCropAndScaleOption {
            switch self {
            case .centre: .centerCrop
            case .fit: .scaleFit
            case .fill: .scaleFill
            }
        }
    }

    @OptionGroup var model: ModelArgument

    @Argument(help: "An image file.")
    var image: String

    @Option(help: ArgumentHelp("The most labels or boxes to print.", valueName: "count"))
    var top = 5

    @Option(help: ArgumentHelp("How to fit the image to the input size of the model.", valueName: "centre|fit|fill"))
    var crop = Crop.centre

    @Flag(help: "Print JSON instead of text: a line for each label, box or output.")
    var json = false

    struct Record: Encodable {
        @Nullable var label: String?
        /// The name of the class, when the model has names beside labels.
        @Nullable var name: String?
        @Nullable var confidence: Double?
        /// x, y, width, height in pixels from the top left.
        @Nullable var box: PixelRectangleRecord?
        @Nullable var output: String?
        @Nullable var shape: [Int]?
        @Nullable var minimum: Double?
        @Nullable var maximum: Double?
        @Nullable var values: [Double]?
    }

    @OptionGroup var limits: ImageLimitOptions

    func validate() throws {
        guard top > 0 else { throw ValidationError("--top is \(top); it must be at least 1.") }
    }

    func run() throws {
        try ImageFile.checkReadable(image)
        let loaded = try model.load()
        let visionModel: VNCoreMLModel
        do {
            visionModel = try VNCoreMLModel(for: loaded)
        } catch {
            throw RequestFailure(path: model.model, error)
        }
        let request = VNCoreMLRequest(model: visionModel)
        request.imageCropAndScaleOption = crop.option
        do {
            try VNImageRequestHandler(url: URL(fileURLWithPath: image)).perform([request])
        } catch {
            throw RequestFailure(path: image, error)
        }
        let size = uprightSize
        let names = ClassNames(loaded.modelDescription)
        let results: [VNObservation] = request.results ?? []
        for result in results.prefix(results.first is VNCoreMLFeatureValueObservation ? results.count : top) {
            let record = record(of: result, size, names)
            if json { try JSONLines.print(record, kind: "run") } else { print(record.text) }
        }
        if results.isEmpty, loaded.interface.assumesColours { warnOfColours(loaded) }
        if results.isEmpty, !json { print("nothing found") }
    }

    /// Says what may be wrong where a detector without metadata finds nothing.
    private func warnOfColours(_ model: MLModel) {
        let name = model.interface.imageInputs.first?.name ?? ""
        warn(
            "The model does not say how its image is to be prepared: RGB from 0 to 1 was assumed. If it was trained "
                + "otherwise, put the metadata beside it as a .json file of the same name, for instance "
                + "{\"inputs\": {\"\(name)\": {\"colorOrder\": \"BGR\", \"scale\": 1}}} for BGR from 0 to 255.")
    }

    /// The size of the upright image in pixels; boxes are fractions of it.
    private var uprightSize: CGSize {
        let source = CGImageSourceCreateWithURL(URL(fileURLWithPath: image) as CFURL, nil)
        let properties = source.flatMap { CGImageSourceCopyPropertiesAtIndex($0, 0, nil) }
        func number(_ key: CFString) -> Int { (properties?[key] as? NSNumber)?.intValue ?? 1 }
        let (width, height) = (number(kCGImagePropertyPixelWidth), number(kCGImagePropertyPixelHeight))
        // Orientations from 5 on swap width and height.
        return number(kCGImagePropertyOrientation) < 5
            ? CGSize(width: width, height: height) : CGSize(width: height, height: width)
    }

    private func record(of result: VNObservation, _ size: CGSize, _ names: ClassNames) -> Record {
        var record = Record()
        switch result {
        case let result as VNClassificationObservation:
            record.label = result.identifier
            record.name = names[result.identifier]
            record.confidence = Decimals.rounded(Double(result.confidence), 6)
        case let result as VNRecognizedObjectObservation:
            record.label = result.labels.first?.identifier
            record.name = result.labels.first.flatMap { names[$0.identifier] }
            record.confidence = Decimals.rounded(Double(result.confidence), 4)
            let box = result.boundingBox
            record.box = PixelRectangleRecord(
                x: box.minX * size.width, y: (1 - box.maxY) * size.height, width: box.width * size.width,
                height: box.height * size.height)
        case let result as VNPixelBufferObservation:
            record.output = result.featureName
            record.shape = [CVPixelBufferGetHeight(result.pixelBuffer), CVPixelBufferGetWidth(result.pixelBuffer)]
        case let result as VNCoreMLFeatureValueObservation:
            record.output = result.featureName
            record.describe(result.featureValue, count: top)
        default: break
        }
        return record
    }
}

/// The names of classes, for models that have names beside identifiers.
private struct ClassNames {
    private let names: [String: String]

    init(_ description: MLModelDescription) {
        let texts = description.metadata[.creatorDefinedKey] as? [String: String]
        let words =
            texts?["classNames"]?.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
        let labels = (description.classLabels ?? []).map { "\($0)" }
        names = labels.count == words.count ? Dictionary(zip(labels, words)) { first, _ in first } : [:]
    }

    subscript(label: String) -> String? { names[label] }
}

extension RunModelCommand.Record {
    /// - Parameter count: The number of values to show.
    fileprivate mutating func describe(_ value: MLFeatureValue, count: Int) {
        guard let array = value.multiArrayValue else {
            values = [value.doubleValue]
            return
        }
        shape = array.shape.map(\.intValue)
        let numbers = (0..<array.count).map { array[$0].doubleValue }
        minimum = numbers.min().flatMap { Decimals.rounded($0, 6) }
        maximum = numbers.max().flatMap { Decimals.rounded($0, 6) }
        values = numbers.prefix(count).compactMap { Decimals.rounded($0, 6) }
    }

    fileprivate var text: String {
        var parts: [String] = []
        if let confidence { parts.append(Decimals.text(confidence, 4)) }
        if let label { parts.append(label) }
        if let name { parts.append("(\(name))") }
        if let box {
            let numbers = [box.x, box.y, box.width, box.height].map { Decimals.text($0 ?? .nan, 1) }
            parts.append(numbers.joined(separator: ","))
        }
        if let output { parts.append("\(output):") }
        if let shape { parts.append(shape.map(String.init).joined(separator: " × ")) }
        if let minimum, let maximum {
            parts.append("from \(Decimals.text(minimum, 4)) to \(Decimals.text(maximum, 4))")
        }
        if let values, output != nil { parts.append(values.map { Decimals.text($0, 4) }.joined(separator: " ") + " …") }
        return parts.joined(separator: "  ")
    }
}
