/// The responses of a `TargetClassifier` at the positions of a search window, for means over boxes.
struct PresenceMap {
    private static let cells = TrackerGraphs.searchCells
    private static let side = cells + 1
    /// The part of a box, along both axes, whose mean counts.
    private static let inner = 0.8
    /// The smallest area that the mean is taken over, in positions.
    private static let leastArea = 0.25
    /// A summed-area table.
    private let sums: [Double]

    /// - Parameter responses: 16 × 16 responses, row by row.
    init(_ responses: [Float]) {
        precondition(responses.count == Self.cells * Self.cells)
        var sums = [Double](repeating: 0, count: Self.side * Self.side)
        for row in 0..<Self.cells {
            var line = 0.0
            for column in 0..<Self.cells {
                let value = Double(responses[row * Self.cells + column])
                line += value.isFinite ? value : 0
                sums[(row + 1) * Self.side + column + 1] = sums[row * Self.side + column + 1] + line
            }
        }
        self.sums = sums
    }

    /// Returns the mean response within a box around a point, all in positions from the left and the top of the window.
    func mean(x: Double, y: Double, width: Double, height: Double) -> Double {
        func limited(_ value: Double) -> Double { min(max(value, 0), Double(Self.cells)) }
        let left = limited(x - width * Self.inner / 2), right = limited(x + width * Self.inner / 2)
        let top = limited(y - height * Self.inner / 2), bottom = limited(y + height * Self.inner / 2)
        let area = max((right - left) * (bottom - top), Self.leastArea)
        return (sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top)) / area
    }

    /// Returns the sum left of and above a point.
    private func sum(_ x: Double, _ y: Double) -> Double {
        let column = min(Int(x), Self.cells - 1), row = min(Int(y), Self.cells - 1)
        let (a, b) = (x - Double(column), y - Double(row))
        let at = row * Self.side + column
        return sums[at] * (1 - a) * (1 - b) + sums[at + 1] * a * (1 - b) + sums[at + Self.side] * (1 - a) * b
            + sums[at + Self.side + 1] * a * b
    }
}
