import Foundation
public import VisionImage

/// How far the horizon of an image, or of a region of interest, is from level.
public final class VNHorizonObservation: VNObservation, @unchecked Sendable {
    /// The angle of the horizon in radians, counter-clockwise as the upright image is seen: above 0 where the horizon's right
    /// end is the higher one. From -π/4 to π/4.
    ///
    /// Turned by `-angle` the image is level.
    public let angle: CGFloat

    /// Levels the image: a turn by `-angle` about the origin, in coordinates whose y points up, such as those of `CIImage`.
    ///
    /// `transform(forImageWidth:height:)` turns about the middle of the image.
    public var transform: CGAffineTransform { CGAffineTransform(rotationAngle: -angle) }

    /// Levels an image of that size: a turn by `-angle` about its middle.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    /// - Returns: The turn, in pixels with the origin at the lower left corner, y up.
    public func transform(forImageWidth width: Int, height: Int) -> CGAffineTransform {
        let (x, y) = (CGFloat(width) / 2, CGFloat(height) / 2)
        return CGAffineTransform(translationX: -x, y: -y).concatenating(transform)
            .concatenating(CGAffineTransform(translationX: x, y: y))
    }

    init(angle: CGFloat, confidence: VNConfidence, requestRevision: Int, timeRange: CMTimeRange = .zero) {
        self.angle = angle
        super.init(confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Reads an observation from an archive; nil when the archive holds no observation of this class.
    public required convenience init?(coder: NSCoder) {
        guard let values = ObservationArchive(from: coder) else { return nil }
        self.init(archive: values)
    }

    required init?(archive: ObservationArchive) {
        guard let angle = archive.number("angle"), angle.isFinite else { return nil }
        self.angle = CGFloat(angle)
        super.init(archive: archive)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("angle", Double(angle))
    }

    /// As of every observation, and the angle.
    public override var description: String { "\(super.description) angle=\(angle)" }
}
