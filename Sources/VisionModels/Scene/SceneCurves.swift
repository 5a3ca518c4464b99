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

/// The precision/recall curves of the scene classes, measured on labelled photos by `Training/Scene/curves.py`; the model card
/// in `Documentation/Models.md` says on which and how.
///
/// Precision depends on how common a class is among the photos. The curves hold for a collection in which each of the thousand
/// outputs of the networks is equally common, a class above several as common as they are together, and none rarer than one
/// photo in a hundred.
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

    // Apart, because reading one takes ten milliseconds.
    private static let first = CurveTable(revision: 1, text: sceneCurveTable)
    private static let second = CurveTable(revision: 2, text: sceneCurveTable)

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

    init(revision: Int, text: String) {
        uses = [Use?](repeating: nil, count: SceneTaxonomy.shared.classes.count)
        let start = "\(revision) "
        for line in text.tableFields("\n") where line.hasPrefix(start) {
            let fields = line.tableFields(" ")
            if fields.count > 2 { add(fields) }
        }
    }

    /// A line of the table: a curve that classes have, or a class and the curve before it that it has.
    private mutating func add(_ fields: [Substring]) {
        if fields[1] == "curve" {
            curves.append(
                fields[3...].compactMap { field in
                    let numbers = field.tableFields(",").compactMap { Float($0) }
                    guard numbers.count == 3, numbers[1] > 0 else { return nil }
                    return Point(logit: numbers[0], recall: numbers[1], falseRate: numbers[2])
                })
        } else if fields.count == 5, let place = SceneTaxonomy.shared.index(of: String(fields[2])),
            let curve = Int(fields[3]), curves.indices.contains(curve), !curves[curve].isEmpty,
            let shift = Float(fields[4])
        {
            uses[place] = Use(curve: curve, shift: shift)
        }
    }
}
