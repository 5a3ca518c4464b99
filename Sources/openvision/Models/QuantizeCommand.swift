import ArgumentParser
import Vision
import VisionInference
import VisionThreads
import VisionFiles
import VisionVideo

struct QuantizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "quantize",
        abstract: "Quantise a float network to 8-bit integers.",
        discussion: """
            Runs the network on sample photos to calibrate the value range of each tensor; use photos like those that \
            the network will process. Writes an ONNX file in QDQ format with one scale per output channel, and copies \
            the metadata file. Other engines can read the result too.

            Example:
              openvision quantize efficientnet-lite0 photos/ -o lite0-int8.onnx
            """)

    enum Method: String, ExpressibleByArgument, CaseIterable {
        case extremes, percentile, leastSquares = "least-squares", entropy

        var quantiser: Quantiser.Method {
            switch self {
            case .extremes: .extremes
            case .percentile: .percentile(0.0001)
            case .leastSquares: .leastSquares
            case .entropy: .entropy
            }
        }
    }

    @OptionGroup var model: ModelArgument

    @Argument(help: "A folder of sample photos.")
    var photos: String

    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("The file to write.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("The most photos to use, spread evenly over the folder.", valueName: "count"))
    var count = 100

    @Option(
        help: ArgumentHelp(
            "How to choose the range of a tensor from its values.",
            valueName: "extremes|percentile|least-squares|entropy"))
    var method = Method.leastSquares

    @Option(
        name: .customLong("exclude"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A node to keep in floats. Repeat for more nodes.", valueName: "node"))
    var excluded: [String] = []

    @Option(help: ArgumentHelp("How to fit photos to the input size of the model.", valueName: "centre|fit|fill"))
    var crop = RunModelCommand.Crop.centre

    @Option(help: ArgumentHelp("The number of threads.", valueName: "count"))
    var threads = Processors.count

    @Flag(name: .shortAndLong, help: "Do not show a progress bar.")
    var quiet = false

    @OptionGroup var limits: ImageLimitOptions

    func validate() throws {
        guard count > 0 else { throw ValidationError("--count is \(count); it must be at least 1.") }
        guard (1...256).contains(threads) else {
            throw ValidationError("--threads is \(threads); it must be 1 to 256.")
        }
    }

    func run() throws {
        let url = try model.url()
        let target = URL(fileURLWithPath: output)
        guard target.standardizedFileURL != url.standardizedFileURL else {
            throw ValidationError("--output would overwrite the model.")
        }
        guard url.pathExtension.lowercased() == "onnx" else {
            throw VideoError(kind: .unsupported, path: url.path, reason: "only ONNX networks can be quantised")
        }
        let network = try ONNXModel(contentsOf: url)
        let known = Set(network.graph.nodes.map(\.name))
        if let name = excluded.first(where: { !known.contains($0) }) {
            throw ValidationError("The model has no node '\(name)'.")
        }
        let quantiser = try Quantiser(
            network,
            options: .init(method: method.quantiser, excludedNodes: Set(excluded), threads: threads))
        let samples = try self.samples(try ModelArgument.load(url))

        let passes = method == .extremes ? 1 : 2
        var progress = Progress(total: passes * samples.count, isQuiet: quiet)
        let quantised = try quantiser.quantised(samples: samples) { progress.update(done: $0) }
        progress.finish()
        try write(quantised.serialised(), to: target, metadataOf: url)
        let bytes = try FileManager.default.attributesOfItem(atPath: output)[.size] as? NSNumber
        let size = Decimals.text((bytes?.doubleValue ?? 0) / 1e6, 1)
        print("\(output): \(size) MB, from \(Count.text(samples.count, "photo"))")
    }

    /// Returns the photos as input tensors.
    private func samples(_ model: MLModel) throws -> [[String: Tensor]] {
        guard let input = model.interface.imageInputs.first, model.modelDescription.inputDescriptionsByName.count == 1
        else {
            throw VideoError(
                kind: .unsupported, path: self.model.model, reason: "the model must have exactly one input, an image")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: photos).sorted()
        let files = names.filter {
            ["jpg", "jpeg", "png", "webp"].contains(($0 as NSString).pathExtension.lowercased())
        }
        guard !files.isEmpty else { throw VideoError(kind: .notAVideo, path: photos, reason: "contains no images") }
        let step = max(1, Double(files.count) / Double(count))
        let fit: Derivative.Fit =
            switch crop {
            case .centre: .centerCrop
            case .fit: .fit
            case .fill: .fill
            }
        return try (0..<min(count, files.count)).map { number in
            let file = URL(fileURLWithPath: photos).appendingPathComponent(files[Int(Double(number) * step)])
            let source = ImageSource(url: file)
            let raster: Raster
            do {
                let size = try source.uprightSize()
                raster = try source.derivative(
                    input.derivative(region: PixelRegion(width: size.width, height: size.height), fit: fit))
            } catch {
                throw VideoError(kind: .damaged, path: file.path, reason: "cannot be read as an image")
            }
            return [input.name: try input.input(of: raster).tensor(of: .float32)]
        }
    }

    /// Writes the network, copies the metadata file beside the model if there is one, and checks that the result loads.
    private func write(_ network: Data, to target: URL, metadataOf source: URL) throws {
        do {
            try network.write(to: target, options: .atomic)
            let metadata = source.deletingPathExtension().appendingPathExtension("json")
            if FileManager.default.fileExists(atPath: metadata.path) {
                let copy = target.deletingPathExtension().appendingPathExtension("json")
                try RegularFile(metadata).contents().write(to: copy, options: .atomic)
            }
        } catch {
            throw VideoError(kind: .io, path: target.path, reason: "cannot be written")
        }
        _ = try ModelArgument.load(target)
    }
}
