/// Joins parts of a text line that a network separated, such as words with wide spaces.
package struct TextLineMerging: Hashable, Sendable {
    /// The largest gap, in heights of the text line. Columns of a page are farther apart.
    package var gap = 0.7
    /// The largest ratio of heights.
    package var ratio = 1.5
    /// The largest sine of the angle between the parts.
    package var maximumSine = 0.15
    /// The largest vertical offset between the parts, in heights.
    package var offset = 0.3
    /// Parts shorter than this, in heights, have no reliable direction.
    private static let shortest = 1.5

    /// The number of text lines above which nothing is joined, because every pair is compared.
    private static let limit = 1_000

    package init() {}

    /// - Parameter share: The size of the map in those for which the limit of lines is meant.
    package func merged(_ lines: [FoundTextLine], share: Int = 1) -> [FoundTextLine] {
        guard lines.count <= Self.limit * share else { return lines }
        // Parts are joined from left to right.
        var left = lines.sorted { ($0.box.centre.x, $0.box.centre.y) < ($1.box.centre.x, $1.box.centre.y) }
        var done: [FoundTextLine] = []
        while !left.isEmpty {
            var line = left.removeFirst()
            while let index = left.firstIndex(where: { belongs($0.box, to: line.box) }) {
                line = joined(line, left.remove(at: index))
            }
            done.append(line)
        }
        return done
    }

    private func belongs(_ b: RotatedBox, to a: RotatedBox) -> Bool {
        let (small, large) = (min(a.height, b.height), max(a.height, b.height))
        guard large <= ratio * small, max(a.length / a.height, b.length / b.height) >= Self.shortest else {
            return false
        }
        // The longer one determines the direction.
        let (guide, other) = a.length >= b.length ? (a, b) : (b, a)
        let sine = abs(guide.axis.x * other.axis.y - guide.axis.y * other.axis.x)
        let isShort = other.length < Self.shortest * other.height
        guard isShort || sine <= maximumSine else { return false }
        let relative = guide.local(other.centre)
        guard abs(relative.y) <= offset * small else { return false }
        let space = abs(relative.x) - (guide.length + other.length) / 2
        // Overlapping parts are duplicates.
        return space <= gap * small && space >= -small
    }

    private func joined(_ a: FoundTextLine, _ b: FoundTextLine) -> FoundTextLine {
        let guide = a.box.length >= b.box.length ? a.box : b.box
        let corners = (a.box.quad.corners + b.box.quad.corners).map { SIMD2($0.x, $0.y) }
        // The direction from centre to centre is more reliable than that of either part.
        let between = b.box.centre - a.box.centre
        let distance = (between * between).sum().squareRoot()
        var axis = guide.axis
        if distance > guide.height {
            axis = between / distance
            if (axis * guide.axis).sum() < 0 { axis = -axis }
        }
        var box = RotatedBox(around: corners, axis: axis)
        box.height = min(box.height, max(a.box.height, b.box.height) * 1.15)
        let (m, n) = (a.box.area, b.box.area)
        return FoundTextLine(box: box, score: (a.score * m + b.score * n) / (m + n))
    }
}

/// Sorts text lines from top to bottom, and from left to right where they are side by side.
package enum TextOrder {
    package static func sorted(_ lines: [FoundTextLine]) -> [FoundTextLine] {
        let fromTop = lines.sorted { ($0.box.centre.y, $0.box.centre.x) < ($1.box.centre.y, $1.box.centre.x) }
        var rows: [[FoundTextLine]] = []
        for line in fromTop {
            // A row is compared with its first text line only: a staircase of lines is not one row.
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

extension RotatedBox {
    /// Returns whether a point lies within the box.
    package func contains(_ point: SIMD2<Double>) -> Bool {
        let relative = local(point)
        return abs(relative.x) <= length / 2 && abs(relative.y) <= height / 2
    }
}
