/// An output of a network as a detector is read from it: numbers with the last axis running fastest.
package struct DetectorOutput: Sendable {
    package let name: String
    /// The lengths of the axes without those in front that are 1.
    package let shape: [Int]
    package let values: [Float]

    /// - Precondition: the shape counts the values.
    package init(name: String, shape: [Int], values: [Float]) {
        precondition(shape.reduce(1, *) == values.count)
        self.name = name
        self.shape = Self.trimmed(shape)
        self.values = values
    }

    /// Batches hold one image: their axis says nothing. A last axis always stays.
    package static func trimmed(_ shape: [Int]) -> [Int] {
        var shape = shape[...]
        while shape.count > 1, shape.first == 1, shape.count > 2 { shape = shape.dropFirst() }
        return Array(shape)
    }
}

/// A box of a detector in its input: the whole input has width and height 1, origin at the top left.
package struct UnitBox: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    var isUsable: Bool {
        x.isFinite && y.isFinite && width.isFinite && height.isFinite && width > 0 && height > 0
    }

    /// The area that both share, divided by the area that they cover together.
    func overlap(with other: UnitBox) -> Double {
        let shared =
            max(0, min(x + width, other.x + other.width) - max(x, other.x))
            * max(0, min(y + height, other.y + other.height) - max(y, other.y))
        let covered = width * height + other.width * other.height - shared
        return covered > 0 ? shared / covered : 0
    }
}

/// One object: where it is, and the model's score for each class.
package struct Detection: Equatable, Sendable {
    package let box: UnitBox
    /// In the order of the classes, the background left out.
    package let scores: [Float]
}

/// Why outputs cannot be read as those of a detector.
package enum DetectorError: Error, Equatable, Sendable {
    case missingOutput(String)
    case unexpectedShape(String)
}
