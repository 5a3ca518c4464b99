/// How well a classifier does on photos whose labels are known.
public struct MLClassifierMetrics: Sendable {
    /// The share of photos that got another label than their own; 1 less the accuracy. NaN where the metrics are not valid.
    public let classificationError: Double
    /// How often photos of each label got which: the columns “True Label”, “Predicted” and “Count”, a row for each pair that
    /// occurred.
    public let confusion: MLDataTable
    /// The columns “class”, “precision” and “recall”, a row for each label. What cannot be said is NaN: the precision of a label
    /// that was never given, the recall of one that no photo has.
    public let precisionRecall: MLDataTable
    /// What went wrong; nil for good metrics.
    public let error: (any Error)?
    /// The photos that could not be read and do not count.
    package let skipped: [String: String]
    /// The labels of the classifier and of the photos, sorted, and how often a photo of the first was taken for the second.
    package let labels: [String]
    package let counts: [[Int]]

    /// Whether the metrics could be worked out.
    public var isValid: Bool { error == nil }

    init(_ results: [(label: String, predicted: String)], classes: [String], skipped: [String: String] = [:]) {
        let error: MLCreateError? =
            results.isEmpty ? .type(reason: "There are no photos to evaluate the classifier with.") : nil
        let labels = Set(classes).union(results.map(\.label)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(labels, 0...))
        var counts = [[Int]](repeating: Array(repeating: 0, count: labels.count), count: labels.count)
        for result in results {
            guard let row = numbers[result.label], let column = numbers[result.predicted] else { continue }
            counts[row][column] += 1
        }
        let hits = labels.indices.reduce(0) { $0 + counts[$1][$1] }
        classificationError = results.isEmpty ? .nan : 1 - Double(hits) / Double(results.count)
        confusion = MLDataTable(
            columnNames: ["True Label", "Predicted", "Count"],
            rows: labels.indices.flatMap { row in
                labels.indices.filter { counts[row][$0] > 0 }.map { column in
                    [.string(labels[row]), .string(labels[column]), .int(counts[row][column])]
                }
            }, error: error)
        precisionRecall = MLDataTable(
            columnNames: ["class", "precision", "recall"],
            rows: labels.indices.map { index in
                let given = labels.indices.reduce(0) { $0 + counts[$1][index] }
                let own = counts[index].reduce(0, +)
                let hits = Double(counts[index][index])
                return [
                    .string(labels[index]), .double(given > 0 ? hits / Double(given) : .nan),
                    .double(own > 0 ? hits / Double(own) : .nan),
                ]
            }, error: error)
        self.error = error
        self.skipped = skipped
        self.labels = labels
        self.counts = counts
    }

    init(error: MLCreateError, skipped: [String: String] = [:]) {
        classificationError = .nan
        confusion = MLDataTable(columnNames: ["True Label", "Predicted", "Count"], rows: [], error: error)
        precisionRecall = MLDataTable(columnNames: ["class", "precision", "recall"], rows: [], error: error)
        self.error = error
        self.skipped = skipped
        labels = []
        counts = []
    }
}

extension MLClassifierMetrics: CustomStringConvertible {
    /// The accuracy and both tables.
    public var description: String {
        if let error { return "\(error)" }
        return """
            Number of examples: \(counts.joined().reduce(0, +))
            Number of classes: \(labels.count)
            Accuracy: \(String(format: "%.2f", (1 - classificationError) * 100)) %

            \(confusion)

            \(precisionRecall)
            """
    }
}
