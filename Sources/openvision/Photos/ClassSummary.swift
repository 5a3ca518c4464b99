import VisionExtras

/// The classes that say what a photo shows: the most special ones, which the general ones follow from.
struct ClassSummary {
    /// The most leaves of a photo.
    private static let leafLimit = 5
    /// Leaves with a lower confidence say nothing, but for the best one.
    private static let leastConfidence = 0.01
    /// A class of this confidence is sure.
    private static let sureConfidence = 0.5
    /// The most general classes that stand in for leaves.
    private static let generalLimit = 2

    let taxonomy: ClassificationTaxonomy

    /// Returns the most confident leaves of the taxonomy; where none is sure, before them the most special classes that
    /// are.
    ///
    /// - Parameter classes: All classes of a photo, the most confident first.
    func classes(of classes: [ClassTree.Class]) -> [ClassTree.Class] {
        let leaves = leaves(of: classes)
        let shown = leaves.prefix(Self.leafLimit).enumerated()
            .filter { $0 == 0 || $1.confidence >= Self.leastConfidence }.map(\.element)
        guard let best = shown.first, best.confidence < Self.sureConfidence else { return shown }
        let sure = classes.filter { $0.confidence >= Self.sureConfidence }
        let names = Set(sure.map(\.identifier))
        let special = sure.filter { one in
            names.isDisjoint(with: taxonomy.descendants(of: one.identifier) ?? [])
        }
        return special.prefix(Self.generalLimit) + shown
    }

    /// Returns the classes without special ones below them.
    func leaves(of classes: [ClassTree.Class]) -> [ClassTree.Class] {
        classes.filter { taxonomy.children(of: $0.identifier)?.isEmpty == true }
    }

    /// Returns the sure classes and the more general ones that they belong to, each once, the special ones first.
    func keywords(of classes: [ClassTree.Class]) -> [String] {
        let sure = classes.filter { $0.confidence >= Self.sureConfidence }.map(\.identifier)
        var seen: Set<String> = []
        return (sure + sure.flatMap { (taxonomy.path(to: $0) ?? []).dropLast().reversed() }).filter {
            seen.insert($0).inserted
        }
    }

    /// Returns the more general classes of one, the nearest first, as in “cyprinid › bony_fish › fish”; empty for a
    /// root.
    func path(of identifier: String) -> String {
        (taxonomy.path(to: identifier) ?? []).dropLast().reversed().joined(separator: " › ")
    }
}
