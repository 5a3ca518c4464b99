package import Foundation
package import Vision
package import VisionRecords

/// Converts normalised coordinates of observations to those of records: pixels of the upright image, origin at the top
/// left.
package struct RecordCoordinates: Sendable {
    /// The size of the upright image in pixels.
    let width: Int
    let height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Returns a normalised box in pixels, origin at the top left.
    package func box(_ box: CGRect) -> PixelRectangleRecord {
        PixelRectangleRecord(
            x: Double(box.minX) * Double(width), y: (1 - Double(box.maxY)) * Double(height),
            width: Double(box.width) * Double(width), height: Double(box.height) * Double(height))
    }

    /// Returns a normalised point in pixels, origin at the top left.
    package func point(_ point: CGPoint) -> PixelPoint {
        PixelPoint(x: Double(point.x) * Double(width), y: (1 - Double(point.y)) * Double(height))
    }

    /// Returns the corners of an observation from its top left one, in its own direction.
    package func corners(_ quad: VNRectangleObservation) -> [PixelPoint] {
        [quad.topLeft, quad.topRight, quad.bottomRight, quad.bottomLeft].map { point($0) }
    }

    /// Returns the joints of a pose by their names.
    package func joints<Joint: Hashable>(
        _ points: [Joint: VNRecognizedPoint], _ names: [(joint: Joint, name: String)]
    ) -> [String: JointRecord] {
        Dictionary(
            uniqueKeysWithValues: names.compactMap { joint, name in
                points[joint].map {
                    (name, JointRecord(point: point($0.location), confidence: $0.confidence.record))
                }
            })
    }
}

extension Float {
    /// A confidence for a record: four decimals; nil if it is not finite.
    var record: Double? { Double(self).rounded(decimals: 4) }
}
