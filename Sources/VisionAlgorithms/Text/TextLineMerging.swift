/// Joins parts of a line that a network saw apart: words with wide spaces, a line with a dark place in it.
package struct TextLineMerging: Hashable, Sendable {
    /// The largest gap, in heights of the line. Columns of a page are farther apart.
    package var gap = 0.7
    /// The largest ratio of heights.
    package var ratio = 1.5
    /// The largest sine of the angle between the parts.
    package var turn = 0.15
    /// How far one part may lie above the other, in heights.
    package var offset = 0.3
    /// Parts shorter than this, in heights, have no direction of their own.
    private static let shortest = 1.5

    /// Beyond this many lines nothing is joined: each is compared with every other.
    private static let limit = 1_000

    package init() {}

    package func merged(_ lines: [FoundTextLine]) -> [FoundTextLine] {
        guard lines.count <= Self.limit else { return lines }
        // Along a line the parts meet one after another, so that joining goes from left to right.
        var left = lines.sorted { ($0.box.centre.x, $0.box.centre.y) < ($1.box.centre.x, $1.box.centre.y) }
        var done: [FoundTextLine] = []
        while !left.isEmpty {
            var line = left.removeFirst()
            while let place = left.firstIndex(where: { belongs($0.box, to: line.box) }) {
                line = joined(line, left.remove(at: place))
            }
            done.append(line)
        }
        return done
    }

    private func belongs(_ b: TurnedBox, to a: TurnedBox) -> Bool {
        let (small, large) = (min(a.height, b.height), max(a.height, b.height))
        guard large <= ratio * small, max(a.length / a.height, b.length / b.height) >= Self.shortest else {
            return false
        }
        // The longer one says where the line runs.
        let (guide, other) = a.length >= b.length ? (a, b) : (b, a)
        let sine = abs(guide.axis.x * other.axis.y - guide.axis.y * other.axis.x)
        let isShort = other.length < Self.shortest * other.height
        guard isShort || sine <= turn else { return false }
        let place = guide.local(other.centre)
        guard abs(place.y) <= offset * small else { return false }
        let space = abs(place.x) - (guide.length + other.length) / 2
        // Parts that cover each other are two looks at the same.
        return space <= gap * small && space >= -small
    }

    private func joined(_ a: FoundTextLine, _ b: FoundTextLine) -> FoundTextLine {
        let guide = a.box.length >= b.box.length ? a.box : b.box
        let corners = (a.box.quad.corners + b.box.quad.corners).map { SIMD2($0.x, $0.y) }
        // From middle to middle the direction of the whole is surer than that of either part.
        let between = b.box.centre - a.box.centre
        let distance = (between * between).sum().squareRoot()
        var axis = guide.axis
        if distance > guide.height {
            axis = between / distance
            if (axis * guide.axis).sum() < 0 { axis = -axis }
        }
        var box = TurnedBox(around: corners, axis: axis)
        box.height = min(box.height, max(a.box.height, b.box.height) * 1.15)
        let (m, n) = (a.box.area, b.box.area)
        return FoundTextLine(box: box, score: (a.score * m + b.score * n) / (m + n))
    }
}

/// The order in which lines are told: from top to bottom, and from left to right where they stand side by side.
package enum TextOrder {
    package static func sorted(_ lines: [FoundTextLine]) -> [FoundTextLine] {
        let fromTop = lines.sorted { ($0.box.centre.y, $0.box.centre.x) < ($1.box.centre.y, $1.box.centre.x) }
        var rows: [[FoundTextLine]] = []
        for line in fromTop {
            // A row is as low as its first line: a staircase of lines is not one row.
            if let first = rows.last?.first,
                abs(line.box.centre.y - first.box.centre.y) < 0.5 * min(line.box.height, first.box.height)
            {
                rows[rows.count - 1].append(line)
            } else {
                rows.append([line])
            }
        }
        return rows.flatMap { row in
            row.sorted { ($0.box.centre.x, $0.box.centre.y) < ($1.box.centre.x, $1.box.centre.y) }
        }
    }
}

extension TurnedBox {
    /// Whether a point lies within the box.
    package func holds(_ point: SIMD2<Double>) -> Bool {
        let place = local(point)
        return abs(place.x) <= length / 2 && abs(place.y) <= height / 2
    }
}
