/// The accuracy of a classifier on labelled photos.
public struct MLClassifierMetrics: Sendable {
    /// The share of photos with a wrong prediction: 1 less the accuracy. NaN if the metrics are not valid.
    public let classificationError: Double
    /// The confusion matrix: the columns “True Label”, “Predicted” and “Count”, with a row for each pair that occurred.
    public let confusion: MLDataTable
    /// The columns “class”, “precision” and “recall”, a row for each label. Undefined values are NaN: the precision of
    /// a label that was never predicted, the recall of one that no photo has.
    public let precisionRecall: MLDataTable
    /// The error; nil for valid metrics.
    public let error: (any Error)?
    /// The photos that could not be read, which do not count.
    package let skipped: [String: String]
    /// The labels of the classifier and of the photos, sorted, and how often a photo of the first label was predicted
    /// as the second.
    package let labels: [String]
    package let counts: [[Int]]

    /// Whether the metrics could be computed.
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
