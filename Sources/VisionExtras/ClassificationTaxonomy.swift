public import Vision
import VisionModels

/// The hierarchy of the classes of `VNClassifyImageRequest`.
///
/// Classes are named by the identifiers of the observations. The taxonomy is a directed acyclic graph: a class may have
/// several parents (more general classes) and several children (more special ones). Functions with an identifier as
/// argument return nil if there is no such class.
///
///     let taxonomy = try ClassificationTaxonomy()
///     taxonomy.parents(of: "beagle")      // ["hound"]
///     taxonomy.path(to: "beagle")         // ["animal", …, "dog", "hound", "beagle"]
///     taxonomy.search("bike")             // ["mountain_bike", "motorcycle", …]
///
/// The classes and their hierarchy are derived from the hypernyms of WordNet 3.0; see `Documentation/Models.md`.
public struct ClassificationTaxonomy: Sendable {
    private let taxonomy = SceneTaxonomy.shared

    /// Creates the taxonomy of a revision of `VNClassifyImageRequest`. All revisions have the same.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    public init(forRevision revision: Int = VNClassifyImageRequestRevision1) throws {
        _ = try VNClassifyImageRequest.knownClassifications(forRevision: revision)
    }

    /// All identifiers, in alphabetical order.
    public var identifiers: [String] { taxonomy.classes.map(\.identifier) }

    /// The classes without parents, in alphabetical order.
    public var roots: [String] { taxonomy.classes.filter(\.parents.isEmpty).map(\.identifier) }

    /// Returns the parents of a class, in alphabetical order; empty for a root.
    public func parents(of identifier: String) -> [String]? {
        index(of: identifier).map { identifiers(at: taxonomy.classes[$0].parents) }
    }

    /// Returns the children of a class, in alphabetical order; empty for a leaf.
    public func children(of identifier: String) -> [String]? {
        index(of: identifier).map { identifiers(at: taxonomy.classes[$0].children) }
    }

    /// Returns all ancestors of a class, in alphabetical order.
    public func ancestors(of identifier: String) -> [String]? {
        index(of: identifier).map { identifiers(at: taxonomy.ancestors(of: $0)) }
    }

    /// Returns all descendants of a class, in alphabetical order.
    public func descendants(of identifier: String) -> [String]? {
        index(of: identifier).map { identifiers(at: taxonomy.descendants(of: $0)) }
    }

    /// Returns the shortest path from a root down to a class, both included; of several, the first in alphabetical
    /// order of the classes from below.
    public func path(to identifier: String) -> [String]? {
        guard let start = index(of: identifier) else { return nil }
        var paths = [[start]]
        var seen: Set<Int> = [start]
        // Breadth-first search: the first path that ends at a root is one of the shortest.
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

    /// Returns the synonyms of a class, in lower case with spaces.
    public func names(of identifier: String) -> [String]? {
        index(of: identifier).map { taxonomy.classes[$0].names }
    }

    /// Returns the classes whose identifier or synonyms contain the text: first exact matches, then those with the text
    /// as a word, then those with a word that begins with it, then the others; each in alphabetical order.
    ///
    /// The search ignores case and the difference of spaces, hyphens and underscores. An empty text finds nothing.
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

    /// nil if the name does not contain the text.
    private static func rank(of text: String, in name: String) -> Int? {
        if name == text { return 0 }
        if " \(name) ".contains(" \(text) ") { return 1 }
        if " \(name)".contains(" \(text)") { return 2 }
        return name.contains(text) ? 3 : nil
    }

    private func index(of identifier: String) -> Int? { taxonomy.index(of: identifier) }

    private func identifiers(at indices: [Int]) -> [String] { indices.map { taxonomy.classes[$0].identifier } }
}
