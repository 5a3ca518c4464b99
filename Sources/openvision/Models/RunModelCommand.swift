import ArgumentParser
import Foundation
import Vision
import VisionPhotos
import VisionRecords

struct RunModelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a model on images, print its results and draw them.",
        discussion: """
            Prints what the model means: the best labels of a classifier, the boxes of a detector (x,y,width,height in \
            pixels from the top left), the points of people or things, the classes of a segmentation with their shares \
            of the image, or the shapes and first values of other outputs. A segmentation is an output with a grid of \
            classes, or with a grid of scores for each of up to 256 classes. Points come from networks of Ultralytics \
            for poses, and from heat maps that a model calls so.

            --crop says how the image is fitted to the input: centre crops it, fit scales it down with bars beside it, \
            fill distorts it. Classifiers get what they were trained on (VNCoreMLRequest's default), all other models \
            the whole image with bars.

            --render writes each image with the labels, boxes, points, masks or heat map on it. With several images, a \
            number is added in front of the extension. A folder means all images in it and in its subfolders. Images \
            that cannot be read are reported and skipped; the exit code is then 1.

            Examples:
              openvision run efficientnet-lite0 photo.jpg
              openvision run yolox.onnx street.jpg --min-confidence 0.4 --render boxes.jpg
              openvision run deeplab.mlmodel photos/ --render masks/photo.jpg --json
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

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Option(help: ArgumentHelp("The most labels, boxes, classes or values to print.", valueName: "count"))
    var top = 5

    @Option(help: ArgumentHelp("Leave out labels and boxes with a lower confidence.", valueName: "0…1"))
    var minConfidence: Double = 0

    @Option(help: ArgumentHelp("How to fit the image to the input size of the model.", valueName: "centre|fit|fill"))
    var crop: Crop?

    @Option(help: ArgumentHelp("Write the images with the results to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var options: PhotoOptions

    struct Record: Encodable, Sendable {
        var image: MediaReference
        @Nullable var label: String?
        /// The name of the class, when the model has names beside labels.
        @Nullable var name: String?
        @Nullable var confidence: Double?
        /// x, y, width, height in pixels from the top left.
        @Nullable var box: PixelRectangleRecord?
        /// The points of a person or thing, or of the whole image, in the order of the model.
        @Nullable var points: [JointRecord]?
        /// The part of the image that a class of a segmentation covers, 0 to 1.
        @Nullable var share: Double?
        @Nullable var output: String?
        @Nullable var shape: [Int]?
        @Nullable var minimum: Double?
        @Nullable var maximum: Double?
        @Nullable var values: [Double]?
    }

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
        guard top > 0 else { throw ValidationError("--top is \(top); it must be at least 1.") }
        guard (0...1).contains(minConfidence) else {
            throw ValidationError("--min-confidence is \(minConfidence); it must be 0 to 1.")
        }
    }

    func run() throws {
        let loaded = try model.load()
        let runner: ModelRunner
        do {
            runner = try ModelRunner(loaded, crop: crop, top: top, minConfidence: minConfidence)
        } catch {
            throw RequestFailure(path: model.model, error)
        }
        var hasWarned = false
        let isSingle = images.count == 1
        try processPhotos(images, options, render: render) { path, drawing in
            let outcome = try runner.outcome(of: Photo(path), path)
            if let drawing { try outcome.render(to: drawing) }
            return outcome.records
        } show: { records, path in
            if records.isEmpty, loaded.interface.assumesColours, !hasWarned {
                hasWarned = true
                warnOfColours(loaded)
            }
            if options.output.json {
                for record in records { try JSONLines.print(record, kind: "run") }
                return
            }
            // A single image needs no name.
            let indent = isSingle ? "" : "  "
            if !isSingle { print(path.printable) }
            for record in records { print(indent + record.text) }
            if records.isEmpty { print("\(indent)nothing found") }
        }
    }

    /// Says what may be wrong where a detector without metadata finds nothing.
    private func warnOfColours(_ model: MLModel) {
        let name = model.interface.imageInputs.first?.name ?? ""
        warn(
            "The model does not say how its image is to be prepared: RGB from 0 to 1 was assumed. If it was trained "
                + "otherwise, put the metadata beside it as a .json file of the same name, for instance "
                + "{\"inputs\": {\"\(name)\": {\"colorOrder\": \"BGR\", \"scale\": 1}}} for BGR from 0 to 255.")
    }
}

extension RunModelCommand.Record {
    fileprivate var text: String {
        var parts: [String] = []
        if let confidence { parts.append(Decimals.text(confidence, 4)) }
        if let share { parts.append("\(Decimals.text(100 * share, 1)) %") }
        if let label { parts.append(label) }
        if let name { parts.append("(\(name))") }
        if let box {
            let numbers = [box.x, box.y, box.width, box.height].map { Decimals.text($0 ?? .nan, 1) }
            parts.append(numbers.joined(separator: ","))
        }
        if let points {
            let seen = points.filter { ($0.confidence ?? 0) >= 0.5 }.count
            parts.append("\(Count.text(points.count, "point")), \(seen) of them clear")
        }
        if let output, share == nil { parts.append("\(output):") }
        if let shape { parts.append(shape.map(String.init).joined(separator: " × ")) }
        if let minimum, let maximum {
            parts.append("from \(Decimals.text(minimum, 4)) to \(Decimals.text(maximum, 4))")
        }
        if let values, output != nil { parts.append(values.map { Decimals.text($0, 4) }.joined(separator: " ") + " …") }
        return parts.joined(separator: "  ")
    }
}
