public import Vision
import VisionModels

/// How the classes of `VNClassifyImageRequest` lie above and below each other.
///
/// Classes are named by the identifiers that observations carry. The taxonomy is a directed graph without circles: a class may
/// have several more general ones above it and several more special ones below it. Functions that take an identifier give nil
/// where there is no such class.
///
///     let taxonomy = try ClassificationTaxonomy()
///     taxonomy.parents(of: "beagle")      // ["hound"]
///     taxonomy.path(to: "beagle")         // ["animal", …, "dog", "hound", "beagle"]
///     taxonomy.search("bike")             // ["mountain_bike", "motorcycle", …]
///
/// The classes and their order come from the hypernyms of WordNet 3.0; `Documentation/Models.md` says more.
public struct ClassificationTaxonomy: Sendable {
    private let taxonomy = SceneTaxonomy.shared

    /// The taxonomy of a revision of `VNClassifyImageRequest`. It is the same for all there are.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    public init(forRevision revision: Int = VNClassifyImageRequestRevision1) throws {
        _ = try VNClassifyImageRequest.knownClassifications(forRevision: revision)
    }

    /// All identifiers, in alphabetical order.
    public var identifiers: [String] { taxonomy.classes.map(\.identifier) }

    /// The classes with nothing above them, in alphabetical order.
    public var roots: [String] { taxonomy.classes.filter(\.parents.isEmpty).map(\.identifier) }

    /// The more general classes right above a class, in alphabetical order; empty for a root.
    public func parents(of identifier: String) -> [String]? {
        place(of: identifier).map { identifiers(at: taxonomy.classes[$0].parents) }
    }

    /// The more special classes right below a class, in alphabetical order; empty for a leaf.
    public func children(of identifier: String) -> [String]? {
        place(of: identifier).map { identifiers(at: taxonomy.classes[$0].children) }
    }

    /// Every class above a class, however far, in alphabetical order.
    public func ancestors(of identifier: String) -> [String]? {
        place(of: identifier).map { identifiers(at: taxonomy.ancestors(of: $0)) }
    }

    /// Every class below a class, however far, in alphabetical order.
    public func descendants(of identifier: String) -> [String]? {
        place(of: identifier).map { identifiers(at: taxonomy.descendants(of: $0)) }
    }

    /// A way from a root down to a class, both included: the shortest one, and of equally short ones the first in
    /// alphabetical order of the classes from below.
    public func path(to identifier: String) -> [String]? {
        guard let start = place(of: identifier) else { return nil }
        var paths = [[start]]
        var seen: Set<Int> = [start]
        // Breadth first: the first path that ends at a root is one of the shortest.
        while !paths.isEmpty {
            var longer: [[Int]] = []
            for path in paths {
                let parents = path.last.map { taxonomy.classes[$0].parents } ?? []
                if parents.isEmpty { return identifiers(at: path.reversed()) }
                for parent in parents where seen.insert(parent).inserted { longer.append(path + [parent]) }
            }
            paths = longer
        }
        return identifiers(at: [start])
    }

    /// Other words for a class, in lower case with spaces.
    public func names(of identifier: String) -> [String]? {
        place(of: identifier).map { taxonomy.classes[$0].names }
    }

    /// The classes whose identifier or other words hold the text: first those that are called just so, then those with a word
    /// that is the text, then with a word that begins with it, then the others; each in alphabetical order.
    ///
    /// Upper and lower case are the same, and so are spaces, hyphens and underscores. An empty text finds nothing.
    public func search(_ text: String) -> [String] {
        let wanted = Self.plain(text)
        guard !wanted.isEmpty else { return [] }
        let ranked = taxonomy.classes.compactMap { one -> (rank: Int, identifier: String)? in
            let rank = ([one.identifier] + one.names).compactMap { Self.rank(of: wanted, in: Self.plain($0)) }.min()
            return rank.map { ($0, one.identifier) }
        }
        return ranked.sorted { $0 < $1 }.map(\.identifier)
    }

    private static func plain(_ text: String) -> String {
        text.lowercased().split { $0 == " " || $0 == "_" || $0 == "-" }.joined(separator: " ")
    }

    /// nil where the name does not hold the text.
    private static func rank(of text: String, in name: String) -> Int? {
        if name == text { return 0 }
        if " \(name) ".contains(" \(text) ") { return 1 }
        if " \(name)".contains(" \(text)") { return 2 }
        return name.contains(text) ? 3 : nil
    }

    private func place(of identifier: String) -> Int? { taxonomy.index(of: identifier) }

    private func identifiers(at places: [Int]) -> [String] { places.map { taxonomy.classes[$0].identifier } }
}
