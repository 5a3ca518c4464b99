import Foundation
import VisionImage

/// Points in space by name: an abstract base class.
open class VNRecognizedPoints3DObservation: VNObservation, @unchecked Sendable {
    /// The points of the class.
    class var layout: PointLayout { .empty }

    /// Returns the points in the order of the layout.
    func points() -> [VNRecognizedPoint3D] { [] }

    /// The names of all points.
    open var availableKeys: [VNRecognizedPointKey] { type(of: self).layout.keys }

    /// The names of all groups of points.
    open var availableGroupKeys: [VNRecognizedPointGroupKey] { type(of: self).layout.groups.map(\.key) + [.all] }

    /// Returns the point of a name.
    ///
    /// - Throws: `invalidArgument` for a name that is not among `availableKeys`.
    open func recognizedPoint(forKey pointKey: VNRecognizedPointKey) throws -> VNRecognizedPoint3D {
        guard let point = points().first(where: { $0.identifier == pointKey }) else {
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
    ) throws -> [VNRecognizedPointKey: VNRecognizedPoint3D] {
        guard let members = type(of: self).layout.members(of: groupKey) else {
            throw visionError(
                .invalidArgument,
                "\(archivedTypeName) has no group “\(groupKey.rawValue)”. See availableGroupKeys.")
        }
        let wanted = Set(members)
        return Dictionary(
            points().filter { wanted.contains($0.identifier) }.map { ($0.identifier, $0) },
            uniquingKeysWith: { first, _ in first })
    }
}
