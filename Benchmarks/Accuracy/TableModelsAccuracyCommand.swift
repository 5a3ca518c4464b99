import ArgumentParser
import CoreML
import Foundation

struct TableModelsAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tables",
        abstract: "Compare Core ML models of numbers with the scikit-learn models that they were made of.",
        discussion: """
            Scripts/accuracy-coreml.sh makes the folder: tables.json with the models, rows of inputs, and what \
            scikit-learn predicts of them. A model passes when all classes are equal, and values and probabilities \
            within the limit.
            """)

    @Argument(help: "A folder that Scripts/peers/coreml.py has written.")
    var expected: String

    @Option(help: "The largest difference that passes: of probabilities, and of values as a share of their range.")
    var limit = 1e-5

    private struct Entry: Decodable {
        let name: String
        let path: String?
        let inputs: [[Double]]?
        let names: [String]?
        let output: String?
        let values: [Double]?
        let probabilities: [[Double]]?
        /// Why there is no model to compare.
        let missing: String?
    }

    func run() throws {
        let file = URL(fileURLWithPath: expected, isDirectory: true).appendingPathComponent("tables.json")
        let entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: file))
        var failed = 0
        for entry in entries {
            if let missing = entry.missing {
                print("\(entry.name): not compared: \(missing)")
                continue
            }
            do {
                let (classes, error) = try compare(entry)
                let passes = classes == 0 && error <= limit
                if !passes { failed += 1 }
                print(
                    "\(entry.name): \(classes) classes differ, \(String(format: "%.1e", error))"
                        + (passes ? "" : "  above \(limit)"))
            } catch {
                failed += 1
                print("\(entry.name): \(error.localizedDescription)")
            }
        }
        print(failed == 0 ? "all pass" : "\(failed) above \(limit) or not run")
        if failed > 0 { throw ExitCode.failure }
    }

    /// Classes that differ, and the largest difference of values or probabilities.
    private func compare(_ entry: Entry) throws -> (classes: Int, error: Double) {
        guard let path = entry.path, let rows = entry.inputs, let names = entry.names, let output = entry.output,
            let values = entry.values
        else { throw ValidationError("\(entry.name) is incomplete") }
        let model = try MLModel(contentsOf: URL(fileURLWithPath: path))
        let isClassifier = model.modelDescription.predictedFeatureName != nil
        let range = max((values.max() ?? 0) - (values.min() ?? 0), .leastNormalMagnitude)
        var (classes, error) = (0, 0.0)
        for (index, row) in rows.enumerated() {
            let inputs: [String: Any] =
                model.modelDescription.inputDescriptionsByName.count == names.count
                ? Dictionary(uniqueKeysWithValues: zip(names, row.map { $0 as Any }))
                : ["input": try array(row)]
            let found = try model.prediction(from: MLDictionaryFeatureProvider(dictionary: inputs))
            guard let value = found.featureValue(for: output) else {
                throw ValidationError("\(entry.name) has no output \(output)")
            }
            let number = value.type == .int64 ? Double(value.int64Value) : value.doubleValue
            if isClassifier {
                if number != values[index] { classes += 1 }
            } else {
                error = max(error, abs(number - values[index]) / range)
            }
            guard let stated = entry.probabilities?[index],
                let name = model.modelDescription.predictedProbabilitiesName,
                let shares = found.featureValue(for: name)?.dictionaryValue
            else { continue }
            for (label, share) in stated.enumerated() {
                let ours = shares[AnyHashable(Int64(label))] ?? shares[AnyHashable(label)]
                error = max(error, abs((ours?.doubleValue ?? .infinity) - share))
            }
        }
        return (classes, error)
    }

    private func array(_ row: [Double]) throws -> MLMultiArray {
        let array = try MLMultiArray(shape: [NSNumber(value: row.count)], dataType: .double)
        for (index, number) in row.enumerated() { array[index] = NSNumber(value: number) }
        return array
    }
}
