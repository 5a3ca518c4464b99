import Vision
import VisionAnalysis
import VisionPhotos
import VisionRecords

/// The joints of a body or of a hand in pixels from the top left.
struct PixelJoints<Joint: Hashable & Sendable>: Sendable {
    struct Value: Sendable {
        let point: CGPoint
        let confidence: Float
    }

    let confidence: Float
    let values: [Joint: Value]

    /// - Parameters:
    ///   - width: The columns of the image that the points are normalised to.
    ///   - height: Its rows.
    init(_ points: [Joint: VNRecognizedPoint], confidence: Float, width: Int, height: Int) {
        self.confidence = confidence
        values = points.mapValues { point in
            Value(
                point: CGPoint(x: point.x * Double(width), y: (1 - point.y) * Double(height)),
                confidence: point.confidence)
        }
    }

    /// Returns the joints for a record.
    func records(_ names: [(joint: Joint, name: String)]) -> [String: JointRecord] {
        Dictionary(
            uniqueKeysWithValues: names.compactMap { joint, name in
                values[joint].map { value in
                    let point = PixelPoint(x: Double(value.point.x), y: Double(value.point.y))
                    return (
                        name, JointRecord(point: point, confidence: Decimals.rounded(Double(value.confidence), 4))
                    )
                }
            })
    }

    /// Returns a line of text for each joint.
    func lines(_ names: [(joint: Joint, name: String)]) -> [String] {
        names.compactMap { joint, name in
            values[joint].map { value in
                let numbers = [
                    Decimals.text(Double(value.point.x), 1), Decimals.text(Double(value.point.y), 1),
                    Decimals.text(Double(value.confidence), 2),
                ]
                let padding = String(repeating: " ", count: max(0, 14 - name.count))
                return "    \(name)\(padding)  \(numbers.joined(separator: "  "))"
            }
        }
    }

    /// The joints as they are drawn.
    var drawn: SkeletonPainter<Joint>.Joints { values.mapValues { ($0.point, $0.confidence) } }
}
