import NetworkMetadata
package import VisionImage

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
        self.shape = DetectorRecognition.trimmed(shape)
        self.values = values
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

    /// The box in pixels of an image, of which the input shows a region.
    package func placed(in region: PixelRegion) -> PixelRegion {
        PixelRegion(
            x: region.x + x * region.width, y: region.y + y * region.height, width: width * region.width,
            height: height * region.height)
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

extension UnitBox {
    /// The part within the unit square of a box from its left, top, right and bottom edges; nil where that is empty or
    /// not finite.
    init?(edges: [Double]) {
        guard edges.count == 4, edges.allSatisfy(\.isFinite) else { return nil }
        let clipped = edges.map { min(max($0, 0), 1) }
        self.init(x: clipped[0], y: clipped[1], width: clipped[2] - clipped[0], height: clipped[3] - clipped[1])
        guard isUsable else { return nil }
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
