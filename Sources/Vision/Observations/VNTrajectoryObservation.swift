public import Foundation
import VisionAlgorithms
public import VisionImage

/// The path of an object that flies along a parabola, up to the present frame.
///
/// Coordinates are normalised to the region of interest, origin at the lower left. Observations of one object have the
/// same `uuid` from frame to frame. `timeRange` reaches from the first detected point to the present frame; the
/// confidence grows with the number of points and falls with their distance from the parabola.
open class VNTrajectoryObservation: VNObservation, @unchecked Sendable {
    /// The centres of the object as they were detected, in the order of the frames.
    open private(set) var detectedPoints: [VNPoint]
    /// Five points of the parabola, from the first detected point to the last one, evenly spaced in time.
    open private(set) var projectedPoints: [VNPoint]
    /// The coefficients a, b and c of the parabola y = a x² + b x + c, by least squares over the detected points. Of an
    /// object that moves up or down only, a and b are 0, and c is the mean height.
    open private(set) var equationCoefficients: simd_float3
    /// The mean radius of the object in the last five points, relative to the longer side of the region of interest in
    /// pixels.
    open private(set) var movingAverageRadius: CGFloat

    /// The number of projected points.
    static let projectedCount = 5

    init(
        uuid: UUID, confidence: VNConfidence, detectedPoints: [VNPoint], projectedPoints: [VNPoint],
        equationCoefficients: simd_float3, movingAverageRadius: CGFloat, requestRevision: Int, timeRange: CMTimeRange
    ) {
        self.detectedPoints = detectedPoints
        self.projectedPoints = projectedPoints
        self.equationCoefficients = equationCoefficients
        self.movingAverageRadius = movingAverageRadius
        super.init(uuid: uuid, confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let count = archive.integer("detectedPointCount"),
            (1...1 << 20).contains(count),
            let detected = archive.points("detectedPoints", count: count),
            let projected = archive.points("projectedPoints", count: Self.projectedCount),
            let coefficients = archive.numbers("equationCoefficients", count: 3),
            let radius = archive.number("movingAverageRadius"), radius >= 0
        else { return nil }
        detectedPoints = detected.map(VNPoint.init(location:))
        projectedPoints = projected.map(VNPoint.init(location:))
        equationCoefficients = simd_float3(
            Float(coefficients[0]), Float(coefficients[1]), Float(coefficients[2]))
        movingAverageRadius = CGFloat(radius)
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("detectedPointCount", detectedPoints.count)
        archive.set("detectedPoints", detectedPoints.map(\.location))
        archive.set("projectedPoints", projectedPoints.map(\.location))
        let (a, b, c) = (equationCoefficients.x, equationCoefficients.y, equationCoefficients.z)
        archive.set("equationCoefficients", [Double(a), Double(b), Double(c)])
        archive.set("movingAverageRadius", Double(movingAverageRadius))
    }

    /// The base description, the number of points, and the coefficients.
    open override var description: String {
        let (a, b, c) = (equationCoefficients.x, equationCoefficients.y, equationCoefficients.z)
        return "\(super.description) points=\(detectedPoints.count) y = \(a) x² + \(b) x + \(c)"
    }
}

extension VNTrajectoryObservation {
    /// - Parameters:
    ///   - trajectory: A trajectory in pixels, origin at the top left, with at least two points.
    ///   - width: The width of the region of interest in these pixels.
    ///   - height: Its height.
    convenience init(
        _ trajectory: Trajectory, width: Int, height: Int, requestRevision: Int, timeRange: CMTimeRange
    ) {
        let points = trajectory.points.map {
            (x: $0.x / Double(width), y: 1 - $0.y / Double(height), time: $0.time)
        }
        let xs = points.map(\.x), first = points[0].time, last = points[points.count - 1].time
        let spread = (xs.max() ?? 0) - (xs.min() ?? 0)
        // A parabola over less than a few pixels would say nothing.
        let hasParabola = spread * Double(width) > 2
        let parabola = QuadraticFit(hasParabola ? points.map { ($0.x, $0.y) } : points.map { (0, $0.y) })
        let across = QuadraticFit(points.map { ($0.time - first, $0.x) })
        let up = QuadraticFit(points.map { ($0.time - first, $0.y) })
        let projected = (0..<Self.projectedCount).map { index in
            let time = (last - first) * Double(index) / Double(Self.projectedCount - 1)
            let x = across.value(at: time)
            return VNPoint(x: x, y: hasParabola ? parabola.value(at: x) : up.value(at: time))
        }
        let recent = trajectory.points.suffix(5)
        let radius = recent.reduce(0) { $0 + $1.radius } / Double(recent.count) / Double(max(width, height))
        self.init(
            uuid: trajectory.id, confidence: VNConfidence(trajectory.confidence),
            detectedPoints: points.map { VNPoint(x: $0.x, y: $0.y) }, projectedPoints: projected,
            equationCoefficients: simd_float3(Float(parabola.a), Float(parabola.b), Float(parabola.c)),
            movingAverageRadius: CGFloat(radius), requestRevision: requestRevision, timeRange: timeRange)
    }
}
