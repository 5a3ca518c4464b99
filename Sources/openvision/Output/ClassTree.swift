/// Classes of a taxonomy as an indented list: each class appears once, below its nearest ancestor in the list.
struct ClassTree {
    struct Class: Equatable {
        var identifier: String
        var confidence: Double
    }

    struct Line: Equatable {
        var depth: Int
        var shown: Class
    }

    private let classes: [String: Class]
    private let parents: (String) -> [String]

    /// - Parameter parents: Returns the direct parents of a class; there may be several.
    init(_ classes: [Class], parents: @escaping (String) -> [String]) {
        self.classes = Dictionary(classes.map { ($0.identifier, $0) }) { first, _ in first }
        self.parents = parents
    }

    /// The lines of the list; the children of a class are sorted by descending confidence.
    var lines: [Line] {
        var children: [String?: [Class]] = [:]
        for shown in classes.values { children[nearestAbove(shown.identifier)?.identifier, default: []].append(shown) }
        var lines: [Line] = []
        // A stack instead of recursion.
        var stack: [Line] = []
        func open(_ identifier: String?, depth: Int) {
            let below = (children[identifier] ?? []).sorted { Self.precedes($1, $0) }
            stack += below.map { Line(depth: depth, shown: $0) }
        }
        open(nil, depth: 0)
        while let line = stack.popLast() {
            lines.append(line)
            open(line.shown.identifier, depth: line.depth + 1)
        }
        return lines
    }

    /// Returns the nearest ancestor in the list; of several at the same distance, the most confident.
    private func nearestAbove(_ identifier: String) -> Class? {
        var seen: Set<String> = [identifier]
        var level = parents(identifier)
        while !level.isEmpty {
            let shown = level.compactMap { $0 == identifier ? nil : classes[$0] }
            if let best = shown.min(by: Self.precedes) { return best }
            level = level.filter { seen.insert($0).inserted }.flatMap(parents)
        }
        return nil
    }

    private static func precedes(_ left: Class, _ right: Class) -> Bool {
        left.confidence == right.confidence ? left.identifier < right.identifier : left.confidence > right.confidence
    }
}
