/// What precision and what recall the thresholds of a class give.
package struct PrecisionRecallCurve: Sendable, Equatable {
    /// Calling the class present at this confidence or more.
    package struct Point: Sendable, Equatable {
        package let threshold: Float
        /// The share of the photos called that show the class.
        package let precision: Float
        /// The share of the photos showing the class that are called.
        package let recall: Float

        package init(threshold: Float, precision: Float, recall: Float) {
            self.threshold = threshold
            self.precision = precision
            self.recall = recall
        }
    }

    /// The highest threshold first: recall rises, precision does not.
    package let points: [Point]

    package init(points: [Point]) { self.points = points }
}

/// The precision/recall curves of the scene classes, measured on labelled photos by `Training/Scene/curves.py`; the
/// model card in `Documentation/Models.md` says on which and how.
///
/// Precision depends on how common a class is among the photos. The curves hold for a collection in which each of the
/// thousand outputs of the networks is equally common, a class above several as common as they are together, and none
/// rarer than one photo in a hundred.
package enum SceneCurves {
    /// - Returns: nil where the photos say nothing about the class, or there is no such class or revision.
    package static func curve(ofClass place: Int, revision: Int) -> PrecisionRecallCurve? {
        guard let table = table(revision: revision), table.uses.indices.contains(place), let use = table.uses[place]
        else {
            return nil
        }
        let common = prevalence(ofClass: place)
        return PrecisionRecallCurve(
            points: table.curves[use.curve].map { point in
                let right = common * point.recall
                let wrong = (1 - common) * point.falseRate
                return .init(
                    threshold: SceneScoring.sigmoid(point.logit + use.shift), precision: right / (right + wrong),
                    recall: point.recall)
            })
    }

    /// The share of photos with the class that its curve's precision holds for.
    package static func prevalence(ofClass place: Int) -> Float { max(0.01, commonness[place]) }

    private static let commonness: [Float] = {
        let taxonomy = SceneTaxonomy.shared
        return taxonomy.classes.indices.map { place in
            let below = [place] + taxonomy.descendants(of: place)
            return Float(below.reduce(0) { $0 + taxonomy.classes[$1].outputs.count }) / Float(SceneScoring.outputCount)
        }
    }()

    private static let first = try? CurveTable(revision: 1, BinaryTable(builtIn: "scene-curves.table"))
    private static let second = try? CurveTable(revision: 2, BinaryTable(builtIn: "scene-curves.table"))

    private static func table(revision: Int) -> CurveTable? {
        switch revision {
        case 1: first
        case 2: second
        default: nil
        }
    }
}

/// The curves of one revision as they are stored.
private struct CurveTable {
    struct Point {
        let logit: Float
        let recall: Float
        let falseRate: Float
    }

    struct Use {
        let curve: Int
        let shift: Float
    }

    private(set) var curves: [[Point]] = []
    private(set) var uses: [Use?]

    /// - Throws: `WeightFileError` where the table has no curves of the revision or its arrays do not fit each other.
    init(revision: Int, _ table: BinaryTable) throws(WeightFileError) {
        let lengths = try table.integers("\(revision).lengths")
        let count = lengths.reduce(0, +)
        let logits = try table.floats("\(revision).logits", count: count)
        let recalls = try table.floats("\(revision).recalls", count: count)
        let falseRates = try table.floats("\(revision).false_rates", count: count)
        var start = 0
        for length in lengths {
            curves.append(
                (start..<start + length).compactMap { index in
                    recalls[index] > 0
                        ? Point(logit: logits[index], recall: recalls[index], falseRate: falseRates[index]) : nil
                })
            start += length
        }

        let taxonomy = SceneTaxonomy.shared
        uses = [Use?](repeating: nil, count: taxonomy.classes.count)
        let classes = try table.lines("\(revision).classes")
        let indices = try table.integers("\(revision).curves")
        let shifts = try table.floats("\(revision).shifts", count: classes.count)
        for (identifier, (curve, shift)) in zip(classes, zip(indices, shifts)) {
            guard let place = taxonomy.index(of: identifier), curves.indices.contains(curve), !curves[curve].isEmpty
            else { continue }
            uses[place] = Use(curve: curve, shift: shift)
        }
    }
}
