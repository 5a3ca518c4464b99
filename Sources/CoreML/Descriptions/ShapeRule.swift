/// The shapes that an input may have, where a file lists several or states ranges.
enum ShapeRule: Hashable, Sendable {
    case list([[Int]])
    case axes([ClosedRange<Int>])

    var isList: Bool { if case .list = self { true } else { false } }

    /// The lengths of each axis: from the shortest to the longest.
    var ranges: [ClosedRange<Int>] {
        switch self {
        case .axes(let ranges): ranges
        case .list(let shapes):
            (shapes.first ?? []).indices.map { axis in
                let lengths = shapes.map { $0[axis] }
                return (lengths.min() ?? 0)...(lengths.max() ?? 0)
            }
        }
    }

    func allows(_ shape: [Int]) -> Bool {
        switch self {
        case .list(let shapes): shapes.contains(shape)
        case .axes(let ranges): ranges.count == shape.count && zip(ranges, shape).allSatisfy { $0.contains($1) }
        }
    }

    /// The allowed height and width that are closest to those of an image: of a list the one of the most similar area,
    /// within ranges the nearest lengths.
    func nearest(height: Int, width: Int) -> (height: Int, width: Int) {
        switch self {
        case .axes(let ranges):
            guard ranges.count == 2 else { return (height, width) }
            func limited(_ side: Int, _ range: ClosedRange<Int>) -> Int {
                min(max(side, range.lowerBound), range.upperBound)
            }
            return (limited(height, ranges[0]), limited(width, ranges[1]))
        case .list(let sizes):
            func distance(_ size: [Int]) -> Double {
                abs(Double(size[0]) * Double(size[1]) - Double(height) * Double(width))
            }
            let best = sizes.min { distance($0) < distance($1) }
            return best.map { ($0[0], $0[1]) } ?? (height, width)
        }
    }
}
