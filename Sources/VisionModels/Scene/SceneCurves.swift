/// The precision and recall of a class by threshold.
package struct PrecisionRecallCurve: Sendable, Equatable {
    /// The class is reported at this confidence or more.
    package struct Point: Sendable, Equatable {
        package let threshold: Float
        /// The share of the reported photos that show the class.
        package let precision: Float
        /// The share of the photos of the class that are reported.
        package let recall: Float
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
    /// Returns the curve of a class; nil without photos of the class, or for an unknown class or revision.
    package static func curve(ofClass index: Int, revision: Int) -> PrecisionRecallCurve? {
        guard let table = table(revision: revision), table.uses.indices.contains(index), let use = table.uses[index]
        else {
            return nil
        }
        let common = prevalence(ofClass: index)
        return PrecisionRecallCurve(
            points: table.curves[use.curve].map { point in
                let right = common * point.recall
                let wrong = (1 - common) * point.falseRate
                return .init(
                    threshold: SceneScoring.sigmoid(point.logit + use.shift), precision: right / (right + wrong),
                    recall: point.recall)
            })
    }

    /// Returns the prevalence of a class that the precision of its curve is for.
    package static func prevalence(ofClass index: Int) -> Float { max(0.01, commonness[index]) }

    private static let commonness: [Float] = {
        let taxonomy = SceneTaxonomy.shared
        return taxonomy.classes.indices.map { index in
            let below = [index] + taxonomy.descendants(of: index)
            return Float(below.reduce(0) { $0 + taxonomy.classes[$1].outputs.count }) / Float(SceneScoring.outputCount)
        }
    }()

    private static let first = try? CurveTable(revision: 1, BinaryTable(builtIn: "scene-curves.table"))
    private static let second = try? CurveTable(revision: 2, BinaryTable(builtIn: "scene-curves.table"))
    private static let third = try? CurveTable(revision: 3, BinaryTable(builtIn: "scene-curves.table"))

    private static func table(revision: Int) -> CurveTable? {
        switch SceneScoring.fitted(revision: revision) {
        case 1: first
        case 2: second
        case 3: third
        default: nil
        }
    }
}

/// The stored curves of one revision.
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
            guard let index = taxonomy.index(of: identifier), curves.indices.contains(curve), !curves[curve].isEmpty
            else { continue }
            uses[index] = Use(curve: curve, shift: shift)
        }
    }
}
