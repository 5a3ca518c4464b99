/// A class of the scene taxonomy: something that can be seen in a photo.
package struct SceneClass: Sendable {
    /// Lower case with underscores, unique and the same in every version.
    package let identifier: String
    /// Other words for it, in lower case with spaces, for a search by name.
    package let names: [String]
    /// The indices of the more general classes directly above it, ascending. Empty for roots only.
    package let parents: [Int]
    /// The indices of the more special classes directly below it, ascending.
    package let children: [Int]
    /// The outputs of the scene networks for this class itself, ascending; empty for a class that only has descendants
    /// with outputs.
    package let outputs: [Int]
}

/// The classes of the scene networks and their hierarchy: a directed acyclic graph in which a class may have several
/// parents and several children. It is the same for every revision.
///
/// The classes are the thousand outputs of the networks and their hypernyms in WordNet 3.0 (Fellbaum, "WordNet", 1998)
/// for visible things; `Training/Scene/taxonomy.py` makes the table.
package struct SceneTaxonomy: Sendable {
    package static let shared = SceneTaxonomy(
        rows: (try? Row.all(of: BinaryTable(builtIn: "scene-taxonomy.table"))) ?? [], outputCount: 1000)

    /// The classes, alphabetically by identifier.
    package let classes: [SceneClass]
    /// The indices of all classes, children before their parents.
    package let bottomUp: [Int]
    /// The index of the class of each output of the networks.
    package let classOfOutput: [Int]
    private let indexOfIdentifier: [String: Int]

    /// A class as it is stored.
    struct Row {
        var identifier: String
        /// With commas between them.
        var names: String
        /// Indices of rows.
        var parents: [Int]
        var outputs: [Int]

        /// - Throws: `WeightFileError` for a table whose arrays do not fit each other.
        static func all(of table: BinaryTable) throws(WeightFileError) -> [Row] {
            let (identifiers, names) = (try table.lines("identifiers"), try table.lines("names"))
            let parents = try groups(table, "parents", sizes: "parent_counts")
            let outputs = try groups(table, "outputs", sizes: "output_counts")
            guard names.count == identifiers.count, parents.count == identifiers.count,
                outputs.count == identifiers.count
            else { throw WeightFileError(.mismatch, "The arrays of the taxonomy have different lengths.") }
            return identifiers.indices.map {
                Row(identifier: identifiers[$0], names: names[$0], parents: parents[$0], outputs: outputs[$0])
            }
        }

        private static func groups(
            _ table: BinaryTable, _ name: String, sizes: String
        ) throws(WeightFileError) -> [[Int]] {
            let (values, sizes) = (try table.integers(name), try table.integers(sizes))
            guard sizes.allSatisfy({ $0 >= 0 }), sizes.reduce(0, +) == values.count else {
                throw WeightFileError(
                    .mismatch, "The array '\(name)' of the taxonomy does not have as many elements as it should.")
            }
            var start = 0
            return sizes.map { size in
                defer { start += size }
                return Array(values[start..<start + size])
            }
        }
    }

    /// - Parameters:
    ///   - rows: alphabetically by identifier. Indices that are out of range are left out.
    ///   - outputCount: how many outputs the networks have.
    init(rows: [Row], outputCount: Int) {
        let parents = rows.map { $0.parents.filter(rows.indices.contains) }
        let outputs = rows.map { $0.outputs.filter((0..<outputCount).contains) }
        var children = [[Int]](repeating: [], count: rows.count)
        for (index, above) in parents.enumerated() {
            for parent in above { children[parent].append(index) }
        }
        var classOfOutput = [Int](repeating: 0, count: outputCount)
        for (index, own) in outputs.enumerated() {
            for output in own { classOfOutput[output] = index }
        }
        classes = rows.indices.map { index in
            SceneClass(
                identifier: rows[index].identifier,
                names: rows[index].names.split(separator: ",").map { String($0.drop { $0 == " " }) },
                parents: parents[index], children: children[index], outputs: outputs[index])
        }
        indexOfIdentifier = Dictionary(
            classes.enumerated().map { ($1.identifier, $0) }, uniquingKeysWith: { first, _ in first })
        self.classOfOutput = classOfOutput
        bottomUp = Self.childrenFirst(parents: parents, children: children)
    }

    package func index(of identifier: String) -> Int? { indexOfIdentifier[identifier] }

    /// Returns the indices of all ancestors of a class, ascending.
    package func ancestors(of index: Int) -> [Int] { reach(from: index) { $0.parents } }

    /// Returns the indices of all descendants of a class, ascending.
    package func descendants(of index: Int) -> [Int] { reach(from: index) { $0.children } }

    private func reach(from index: Int, by next: (SceneClass) -> [Int]) -> [Int] {
        guard classes.indices.contains(index) else { return [] }
        var seen: Set<Int> = []
        var waiting = next(classes[index])
        while let one = waiting.popLast() {
            if seen.insert(one).inserted { waiting += next(classes[one]) }
        }
        return seen.sorted()
    }

    private static func childrenFirst(parents: [[Int]], children: [[Int]]) -> [Int] {
        var missing = children.map(\.count)
        var order = missing.indices.filter { missing[$0] == 0 }
        var next = 0
        while next < order.count {
            for parent in parents[order[next]] {
                missing[parent] -= 1
                if missing[parent] == 0 { order.append(parent) }
            }
            next += 1
        }
        return order
    }
}
