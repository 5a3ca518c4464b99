import CoreML
import Foundation
import VisionImage

/// The points that a class of observations has, in the order in which they are stored, and their groups.
struct PointLayout: Sendable {
    let keys: [VNRecognizedPointKey]
    let groups: [(key: VNRecognizedPointGroupKey, members: [VNRecognizedPointKey])]
    /// The columns of `keypointsMultiArray()`.
    let columns: [VNRecognizedPointKey]

    static let empty = PointLayout(keys: [], groups: [], columns: [])

    /// Returns the names of a group's points; nil for a group that is not in the layout.
    func members(of group: VNRecognizedPointGroupKey) -> [VNRecognizedPointKey]? {
        group == .all ? keys : groups.first { $0.key == group }?.members
    }
}

/// A position and the confidence in it: x, y, confidence.
typealias PointValues = (x: Double, y: Double, confidence: Double)

/// Points of the image by name: an abstract base class.
open class VNRecognizedPointsObservation: VNObservation, @unchecked Sendable {
    /// In the order of the layout.
    private let points: [VNRecognizedPoint]

    /// The points of the class.
    class var layout: PointLayout { .empty }

    /// - Parameter points: The values of each point of the layout, in its order.
    init(
        points: [PointValues], uuid: UUID = UUID(), confidence: VNConfidence, requestRevision: Int,
        timeRange: CMTimeRange
    ) {
        self.points = Self.named(points)
        super.init(uuid: uuid, confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    private static func named(_ points: [PointValues]) -> [VNRecognizedPoint] {
        zip(layout.keys, points).map { key, point in
            VNRecognizedPoint(
                identifier: key, x: point.x, y: point.y, confidence: limited(VNConfidence(point.confidence)))
        }
    }

    /// The names of all points.
    open var availableKeys: [VNRecognizedPointKey] { points.map(\.identifier) }

    /// The names of all groups of points.
    open var availableGroupKeys: [VNRecognizedPointGroupKey] {
        type(of: self).layout.groups.map(\.key) + [.all]
    }

    /// Returns the point of a name.
    ///
    /// - Throws: `invalidArgument` for a name that is not among `availableKeys`.
    open func recognizedPoint(forKey pointKey: VNRecognizedPointKey) throws -> VNRecognizedPoint {
        guard let point = points.first(where: { $0.identifier == pointKey }) else {
            throw visionError(
                .invalidArgument, "\(archivedTypeName) has no point “\(pointKey.rawValue)”. See availableKeys.")
        }
        return point
    }

    /// Returns the points of a group by name.
    ///
    /// - Throws: `invalidArgument` for a group that is not among `availableGroupKeys`.
    open func recognizedPoints(
        forGroupKey groupKey: VNRecognizedPointGroupKey
    ) throws -> [VNRecognizedPointKey: VNRecognizedPoint] {
        guard let members = type(of: self).layout.members(of: groupKey) else {
            throw visionError(
                .invalidArgument,
                "\(archivedTypeName) has no group “\(groupKey.rawValue)”. See availableGroupKeys.")
        }
        let wanted = Set(members)
        return Dictionary(
            points.filter { wanted.contains($0.identifier) }.map { ($0.identifier, $0) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns the points as an array of floats of the shape 1 × 3 × points: x, y and confidence, in the form that
    /// action classifiers of Create ML read.
    ///
    /// Bodies have 18 columns: nose, neck; shoulder, elbow and wrist, right then left; hip, knee and ankle, right then
    /// left; eyes and ears, right before left. Hands have 21: the wrist, then the thumb to the little finger, each from
    /// the palm to the tip.
    ///
    /// - Throws: The error of an array that cannot be made.
    open func keypointsMultiArray() throws -> MLMultiArray {
        let columns = try type(of: self).layout.columns.map { try recognizedPoint(forKey: $0) }
        let array = try MLMultiArray(shape: [1, 3, NSNumber(value: columns.count)], dataType: .float32)
        for (index, point) in columns.enumerated() {
            array[index] = NSNumber(value: Float(point.x))
            array[columns.count + index] = NSNumber(value: Float(point.y))
            array[2 * columns.count + index] = NSNumber(value: point.confidence)
        }
        return array
    }

    // MARK: - Archives

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder) else { return nil }
        let count = Self.layout.keys.count
        guard count > 0, let numbers = archive.numbers("points", count: 3 * count),
            (0..<count).allSatisfy({ (0...1).contains(numbers[3 * $0 + 2]) })
        else { return nil }
        points = Self.named((0..<count).map { (numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) })
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("points", points.flatMap { [$0.x, $0.y, Double($0.confidence)] })
    }
}
