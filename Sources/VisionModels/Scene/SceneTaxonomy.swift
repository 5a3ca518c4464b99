/// A class of the scene taxonomy: something that can be seen in a photo.
package struct SceneClass: Sendable {
    /// Lower case with underscores, unique and the same in every version.
    package let identifier: String
    /// Other words for it, in lower case with spaces, for a search by name.
    package let names: [String]
    /// Places of the more general classes right above it, ascending. Not empty but for the roots.
    package let parents: [Int]
    /// Places of the more special classes right below it, ascending.
    package let children: [Int]
    /// The outputs of the scene networks that are this class itself, ascending; empty for a class that is only known by the
    /// classes below it.
    package let outputs: [Int]
}

/// What the scene networks tell apart, and how the classes lie above each other: a directed graph without circles in which a
/// class may have several parents and several children. The same for every revision.
///
/// The classes are the thousand outputs of the networks and their hypernyms in WordNet 3.0 (Fellbaum, "WordNet", 1998) that
/// stand for something visible; `Training/Scene/taxonomy.py` makes the table.
package struct SceneTaxonomy: Sendable {
    package static let shared = SceneTaxonomy(table: sceneTaxonomyTable, outputCount: 1000)

    /// Alphabetical by identifier.
    package let classes: [SceneClass]
    /// Places of all classes, children before their parents.
    package let bottomUp: [Int]
    /// For each output of the networks the place of its class.
    package let classOfOutput: [Int]
    private let places: [String: Int]

    /// - Parameters:
    ///   - table: one class a line, fields between tabs: identifier, WordNet offsets, parents, outputs, names. Lines that do
    ///     not have five fields and numbers that are no places are left out.
    ///   - outputCount: how many outputs the networks have.
    init(table: String, outputCount: Int) {
        let rows = table.tableFields("\n").map { $0.tableFields("\t", keepingEmpty: true) }
            .filter { $0.count == 5 }
        let parents = rows.map { row in
            row[2].tableFields(" ").compactMap { Int($0) }.filter(rows.indices.contains)
        }
        let outputs = rows.map { row in
            row[3].tableFields(" ").compactMap { Int($0) }.filter((0..<outputCount).contains)
        }
        var children = [[Int]](repeating: [], count: rows.count)
        for (place, above) in parents.enumerated() {
            for parent in above { children[parent].append(place) }
        }
        var classOfOutput = [Int](repeating: 0, count: outputCount)
        for (place, own) in outputs.enumerated() {
            for output in own { classOfOutput[output] = place }
        }
        classes = rows.indices.map { place in
            SceneClass(
                identifier: String(rows[place][0]),
                names: rows[place][4].tableFields(",").map { String($0.drop { $0 == " " }) },
                parents: parents[place], children: children[place], outputs: outputs[place])
        }
        places = Dictionary(classes.enumerated().map { ($1.identifier, $0) }, uniquingKeysWith: { first, _ in first })
        self.classOfOutput = classOfOutput
        bottomUp = Self.childrenFirst(parents: parents, children: children)
    }

    package func index(of identifier: String) -> Int? { places[identifier] }

    /// Places of everything above a class, the class itself apart, ascending.
    package func ancestors(of place: Int) -> [Int] { reach(from: place) { $0.parents } }

    /// Places of everything below a class, the class itself apart, ascending.
    package func descendants(of place: Int) -> [Int] { reach(from: place) { $0.children } }

    private func reach(from place: Int, by next: (SceneClass) -> [Int]) -> [Int] {
        guard classes.indices.contains(place) else { return [] }
        var seen: Set<Int> = []
        var waiting = next(classes[place])
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
