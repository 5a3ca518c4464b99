import Foundation
public import VisionImage

/// The angle of the horizon of an image, or of a region of interest.
open class VNHorizonObservation: VNObservation, @unchecked Sendable {
    /// The angle of the horizon in radians, counter-clockwise in the upright image: above 0 if the horizon's right end
    /// is the higher one. From -π/4 to π/4.
    ///
    /// A rotation by `-angle` levels the image.
    open private(set) var angle: CGFloat

    /// The transform that levels the image: a rotation by `-angle` about the origin, in coordinates whose y points up,
    /// such as those of `CIImage`.
    ///
    /// `transform(forImageWidth:height:)` rotates about the centre of the image.
    open var transform: CGAffineTransform { CGAffineTransform(rotationAngle: -angle) }

    /// Returns the transform that levels an image of that size: a rotation by `-angle` about its centre.
    ///
    /// - Parameters:
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    /// - Returns: The rotation, in pixels with the origin at the lower left corner, y up.
    open func transform(forImageWidth width: Int, height: Int) -> CGAffineTransform {
        transform(for: CGSize(width: width, height: height))
    }

    func transform(for size: CGSize) -> CGAffineTransform {
        let (x, y) = (size.width / 2, size.height / 2)
        return CGAffineTransform(translationX: -x, y: -y).concatenating(transform)
            .concatenating(CGAffineTransform(translationX: x, y: y))
    }

    init(angle: CGFloat, confidence: VNConfidence, requestRevision: Int, timeRange: CMTimeRange = .zero) {
        self.angle = angle
        super.init(confidence: confidence, requestRevision: requestRevision, timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let angle = archive.number("angle"), angle.isFinite else {
            return nil
        }
        self.angle = CGFloat(angle)
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("angle", Double(angle))
    }

    /// The base description, and the angle.
    open override var description: String { "\(super.description) angle=\(angle)" }
}
