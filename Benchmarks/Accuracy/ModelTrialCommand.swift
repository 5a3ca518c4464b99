import ArgumentParser
import CoreML
import Foundation
import VisionInference

struct ModelTrialCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trial",
        abstract: "Open models, describe them, and run them on noise.",
        discussion: "Prints a line for each: its kind, how many inputs and outputs it has, or why it is refused.")

    @Argument(help: "Model files and packages.")
    var models: [String]

    func run() throws {
        var failed = 0
        for path in models {
            let url = URL(fileURLWithPath: path)
            let name = url.lastPathComponent
            do {
                let model = try MLModel(contentsOf: url)
                let description = model.modelDescription
                var noise = NoiseFeatures(seed: 1)
                var inputs: [String: MLFeatureValue] = [:]
                for (name, input) in description.inputDescriptionsByName.sorted(by: { $0.key < $1.key })
                where !input.isOptional {
                    inputs[name] = try noise.value(input)
                }
                let outputs = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: inputs))
                let text = outputs.featureNames.sorted().map { "\($0): \(summary(outputs.featureValue(for: $0)))" }
                print("\(name) | \(kind(url)) | runs | \(text.joined(separator: "; "))")
            } catch {
                failed += 1
                print("\(name) | \(kind(url)) | refused | \(error.localizedDescription)")
            }
        }
        print("\(models.count - failed) of \(models.count) run")
    }

    private func kind(_ url: URL) -> String {
        let specification = (try? CoreMLPackage.specification(in: url)) ?? url
        guard let file = try? NetworkFile(contentsOf: specification) else { return "–" }
        guard case .coreML(let model)? = try? file.contents() else { return "\(file.kind)" }
        return "\(model.kind)"
    }

    private func summary(_ value: MLFeatureValue?) -> String {
        guard let value else { return "nothing" }
        switch value.type {
        case .multiArray:
            guard let array = value.multiArrayValue else { return "nothing" }
            let numbers = (0..<array.count).map { array[$0].doubleValue }
            let broken = numbers.filter { !$0.isFinite }.count
            let (low, high) = (numbers.min() ?? 0, numbers.max() ?? 0)
            return "\(array.shape) \(String(format: "%.3g…%.3g", low, high))"
                + (broken > 0 ? ", \(broken) not finite" : "")
        case .dictionary:
            let sum = value.dictionaryValue.values.reduce(0) { $0 + $1.doubleValue }
            return "\(value.dictionaryValue.count) entries of sum \(String(format: "%.4g", sum))"
        case .image: return "an image"
        case .string: return "“\(value.stringValue)”"
        case .int64: return "\(value.int64Value)"
        default: return String(format: "%.4g", value.doubleValue)
        }
    }
}
