import ArgumentParser
import CoreML
import Foundation

struct ConversionAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conversion",
        abstract: "Convert networks to Core ML packages, and compare the outputs of both.",
        discussion: """
            Both run in our engine on the same noise. An error is the largest difference over the range of the output.
            """)

    @Argument(help: "Networks: .onnx and .tflite files, or folders of them.")
    var sources: [String]

    @Option(help: "The folder for the packages.")
    var output: String

    @Option(help: "The largest error that passes, as a share of the output's range.")
    var limit = 1e-6

    @Option(help: "The side of images whose size the network does not state.")
    var size = 320

    @Flag(help: "Convert to half precision.")
    var half = false

    func run() throws {
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        var failed = 0
        for url in sources.flatMap({ files($0) }) {
            do {
                let error = try error(of: url)
                let text = String(format: "%.1e", error)
                print("\(url.lastPathComponent): \(text)" + (error <= limit ? "" : "  above \(limit)"))
                if error > limit { failed += 1 }
            } catch {
                failed += 1
                print("\(url.lastPathComponent): \(error.localizedDescription)")
            }
        }
        print(failed == 0 ? "all pass" : "\(failed) above \(limit) or not converted")
        if failed > 0 { throw ExitCode.failure }
    }

    private func files(_ path: String) -> [URL] {
        let url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [url]
        }
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return names.filter { ["onnx", "tflite"].contains(($0 as NSString).pathExtension) }.sorted().map {
            url.appendingPathComponent($0)
        }
    }

    /// The largest error of all outputs.
    private func error(of url: URL) throws -> Double {
        let source = try MLModel(contentsOf: url)
        let title = url.deletingPathExtension().lastPathComponent
        let package = URL(fileURLWithPath: output).appendingPathComponent("\(title).mlpackage")
        var conversion = CoreMLConversion()
        conversion.usesHalf = half
        conversion.imageSize = (size, size)
        let renamed = try conversion.convert(url, to: package).renamed
        let target = try MLModel(contentsOf: package)
        var noise = NoiseFeatures(seed: 5)
        var inputs: [String: MLFeatureValue] = [:]
        for (name, description) in source.modelDescription.inputDescriptionsByName {
            let stated = target.modelDescription.inputDescriptionsByName[renamed[name] ?? name] ?? description
            inputs[name] = try noise.value(stated)
        }
        let expected = try source.prediction(from: MLDictionaryFeatureProvider(dictionary: inputs))
        let names = inputs.map { (renamed[$0.key] ?? $0.key, $0.value) }
        let found = try target.prediction(
            from: MLDictionaryFeatureProvider(dictionary: Dictionary(uniqueKeysWithValues: names)))
        return expected.featureNames.map { name in
            difference(expected.featureValue(for: name), found.featureValue(for: renamed[name] ?? name))
        }.max() ?? .infinity
    }

    private func difference(_ a: MLFeatureValue?, _ b: MLFeatureValue?) -> Double {
        guard let a, let b else { return .infinity }
        if a.type == .string { return a.stringValue == b.stringValue ? 0 : .infinity }
        var pairs: [(Double, Double)] = []
        if let array = a.multiArrayValue, let other = b.multiArrayValue {
            guard array.count == other.count else { return .infinity }
            pairs = (0..<array.count).map { (array[$0].doubleValue, other[$0].doubleValue) }
        } else {
            pairs = a.dictionaryValue.map { ($1.doubleValue, b.dictionaryValue[$0]?.doubleValue ?? .infinity) }
        }
        let range = (pairs.map(\.0).max() ?? 0) - (pairs.map(\.0).min() ?? 0)
        let largest = pairs.map { $0 == $1 || $0.isNaN && $1.isNaN ? 0 : abs($0 - $1) }.max() ?? 0
        return largest / max(range == 0 ? abs(pairs.first?.0 ?? 1) : range, .leastNormalMagnitude)
    }
}
