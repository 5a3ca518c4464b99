import ArgumentParser
import CoreML
import Foundation
import VisionImage
import VisionInference
import VisionModels

struct ClassificationAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classification",
        abstract: "Classify labelled photos with a classifier of the model store.",
        discussion: """
            A photo's class is the label (for EfficientNet-Lite a WordNet identifier) that its file name or the name \
            of its folder starts with. The middle of each photo – a square of --crop times the short side – is scaled \
            to the network's size; the network sees RGB, (x - 127) / 128. --output writes what \
            Scripts/accuracy-classification.sh compares with ONNX Runtime.
            """)

    enum Filter: String, ExpressibleByArgument, CaseIterable {
        case bicubic, smooth, area, bilinear

        /// nil for the one that only measurements have.
        var resize: ResizeFilter? {
            switch self {
            case .bicubic: nil
            case .smooth: .antialiasedBilinear
            case .area: .area
            case .bilinear: .bilinear
            }
        }
    }

    @Argument(help: "A folder of photos, or of folders of photos.")
    var data: String

    @Option(name: .customLong("model"), help: "The name of a model in the store, or a file. Repeat it for more.")
    var models = ["efficientnet-lite0", "efficientnet-lite2"]

    @Option(help: "The share of the short side that is seen. Without it: side / (side + 32) of the network's side.")
    var crop: Double?

    @Option(
        help: ArgumentHelp(
            "How the square is scaled: as in the published measurements, or as requests scale images.",
            valueName: "bicubic|smooth|area|bilinear"))
    var filter = Filter.bicubic

    @Option(help: "Threads of a run.")
    var threads = 1

    @Option(help: ArgumentHelp("Write images and logits as .npy files here.", valueName: "folder"))
    var output: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Outcome: Codable {
        let model: String
        let photos: Int
        /// In percent.
        let top1: Double
        let top5: Double
        let medianMilliseconds: Double
    }

    func validate() throws {
        if let crop, !(0.1...1).contains(crop) { throw ValidationError("--crop lies in 0.1…1.") }
    }

    func run() throws {
        for name in models {
            let outcome = try measure(name)
            if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                print(String(decoding: try encoder.encode(outcome), as: UTF8.self))
            } else {
                print(
                    String(
                        format: "%@: %d photos, top-1 %.1f %%, top-5 %.1f %%, median %.2f ms with %d thread(s)", name,
                        outcome.photos, outcome.top1, outcome.top5, outcome.medianMilliseconds, threads))
            }
        }
    }

    private func measure(_ name: String) throws -> Outcome {
        let isFile = FileManager.default.fileExists(atPath: name)
        let url = try isFile ? URL(fileURLWithPath: name) : InstalledModels().url(for: name)
        let labels = try MLModel(contentsOf: url).modelDescription.classLabels?.map { "\($0)" } ?? []
        guard !labels.isEmpty else { throw ValidationError("\(name) has no labels.") }
        let session = try Session(graph: try NetworkFile.graph(contentsOf: url), options: .init(threads: threads))
        guard let input = session.inputs.first, let shape = input.shape, shape.count == 4, shape[1] == 3,
            let side = shape[3], shape[2] == side
        else { throw ValidationError("\(name) takes no square images of three planes.") }
        let photos = try LabelledPhoto.photos(in: data, labels: labels)
        let writer = try output.map {
            try ClassificationOutput(folder: $0, model: url, side: side, labels: photos.map(\.label))
        }

        var (hits1, hits5, times) = (0, 0, [Double]())
        for photo in photos {
            let image = try self.image(photo.url, side: side)
            let start = nanoseconds()
            let logits = try session.run(shapes: [[1, 3, side, side]], threads: threads) { _, view in
                let values = view.elements(Float.self)
                _ = values.update(fromContentsOf: image.floats)
            } read: { views in
                Array(views[0].elements(Float.self))
            }
            times.append(Double(nanoseconds() - start) / 1e6)
            guard logits.count == labels.count else {
                throw ValidationError("\(name) has \(labels.count) labels for \(logits.count) outputs.")
            }
            let better = logits.count { $0 > logits[photo.label] }
            hits1 += better < 1 ? 1 : 0
            hits5 += better < 5 ? 1 : 0
            try writer?.add(pixels: image.bytes, logits: logits)
        }
        try writer?.finish()
        return Outcome(
            model: name, photos: photos.count, top1: 100 * Double(hits1) / Double(photos.count),
            top5: 100 * Double(hits5) / Double(photos.count),
            medianMilliseconds: percentile(0.5, ofSorted: times.sorted()))
    }

    /// The middle of a photo as the network sees it.
    private func image(_ url: URL, side: Int) throws -> ClassifiedImage {
        let share = crop ?? Double(side) / Double(side + 32)
        guard let resize = filter.resize else {
            // Whole pixels, as the published measurements cut them out.
            let photo = try RGBImage(contentsOf: url)
            let length = Int((share * Double(min(photo.width, photo.height))).rounded())
            let middle = photo.cropped(
                x: (photo.width - length + 1) / 2, y: (photo.height - length + 1) / 2, width: length, height: length)
            return ClassifiedImage(bytes: Bicubic.scaled(middle, width: side, height: side).pixels, side: side)
        }
        let source = ImageSource(url: url)
        let size = try source.uprightSize()
        let length = Double(min(size.width, size.height)) * share
        let region = PixelRegion(
            x: (Double(size.width) - length) / 2, y: (Double(size.height) - length) / 2, width: length, height: length)
        let raster = try source.derivative(
            Derivative(region: region, width: side, height: side, format: .rgb8, filter: resize))
        return ClassifiedImage(bytes: raster.packedBytes, side: side)
    }
}

/// A square image, pixel by pixel.
private struct ClassifiedImage {
    let bytes: [UInt8]
    let side: Int

    /// Plane by plane, as the network takes it.
    var floats: [Float] {
        let count = side * side
        return (0..<3 * count).map { (Float(bytes[$0 % count * 3 + $0 / count]) - 127) / 128 }
    }
}
