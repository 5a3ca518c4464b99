public import Foundation
public import VisionImage

/// What a detector found, in the coordinates of the image: pixels, lower-left origin.
public class CIFeature: NSObject, @unchecked Sendable {
    // Unchecked because of NSObject: everything is constant.

    /// The kind: `CIFeatureTypeFace` and so on.
    public let type: String
    /// The box.
    public let bounds: CGRect

    fileprivate init(_ type: String, _ bounds: CGRect) {
        self.type = type
        self.bounds = bounds
        super.init()
    }
}

/// The kind of a face.
public let CIFeatureTypeFace: String = "Face"
/// The kind of a rectangle.
public let CIFeatureTypeRectangle: String = "Rectangle"
/// The kind of a QR code.
public let CIFeatureTypeQRCode: String = "QRCode"
/// The kind of a line of text.
public let CIFeatureTypeText: String = "Text"

/// A face. Smiles and closed eyes are not recognised, and faces are not followed.
public final class CIFaceFeature: CIFeature, @unchecked Sendable {
    private let leftEye, rightEye, mouth: CGPoint?

    /// Whether the position of the person's left eye is known.
    public var hasLeftEyePosition: Bool { leftEye != nil }
    /// The position of the left eye; zero if it is not known.
    public var leftEyePosition: CGPoint { leftEye ?? .zero }
    /// Whether the position of the person's right eye is known.
    public var hasRightEyePosition: Bool { rightEye != nil }
    /// The position of the right eye; zero if it is not known.
    public var rightEyePosition: CGPoint { rightEye ?? .zero }
    /// Whether the position of the mouth is known.
    public var hasMouthPosition: Bool { mouth != nil }
    /// The position of the mouth; zero if it is not known.
    public var mouthPosition: CGPoint { mouth ?? .zero }
    /// Whether the angle is known.
    public let hasFaceAngle: Bool
    /// The rotation of the face in degrees, counter-clockwise.
    public let faceAngle: Float
    /// Whether smiles are recognised: false.
    public var hasSmile: Bool { false }
    /// Whether the left eye is closed: not recognised, false.
    public var leftEyeClosed: Bool { false }
    /// Whether the right eye is closed: not recognised, false.
    public var rightEyeClosed: Bool { false }
    /// Whether the face is followed from image to image: false.
    public var hasTrackingID: Bool { false }
    /// The number of a face that is followed: 0.
    public var trackingID: Int32 { 0 }

    init(bounds: CGRect, leftEye: CGPoint?, rightEye: CGPoint?, mouth: CGPoint?, roll: Double?) {
        (self.leftEye, self.rightEye, self.mouth) = (leftEye, rightEye, mouth)
        hasFaceAngle = roll != nil
        faceAngle = Float((roll ?? 0) * 180 / .pi)
        super.init(CIFeatureTypeFace, bounds)
    }
}

/// Four corners.
public class CIQuadFeature: CIFeature, @unchecked Sendable {
    /// The corner at the top left.
    public let topLeft: CGPoint
    /// The corner at the top right.
    public let topRight: CGPoint
    /// The corner at the bottom left.
    public let bottomLeft: CGPoint
    /// The corner at the bottom right.
    public let bottomRight: CGPoint

    fileprivate init(_ type: String, _ quad: DetectedQuad) {
        (topLeft, topRight) = (quad.topLeft, quad.topRight)
        (bottomLeft, bottomRight) = (quad.bottomLeft, quad.bottomRight)
        super.init(type, quad.bounds)
    }
}

/// A rectangle in perspective.
public final class CIRectangleFeature: CIQuadFeature, @unchecked Sendable {
    init(_ quad: DetectedQuad) { super.init(CIFeatureTypeRectangle, quad) }
}

/// A QR code.
public final class CIQRCodeFeature: CIQuadFeature, @unchecked Sendable {
    /// What the code holds, if it is text.
    public let messageString: String?
    /// The data for drawing the code again.
    public let symbolDescriptor: CIQRCodeDescriptor?

    init(_ quad: DetectedQuad, message: String?, descriptor: CIQRCodeDescriptor?) {
        (messageString, symbolDescriptor) = (message, descriptor)
        super.init(CIFeatureTypeQRCode, quad)
    }
}

/// A line of text, which is not read.
public final class CITextFeature: CIQuadFeature, @unchecked Sendable {
    /// The boxes of the characters as text features, where `CIDetectorReturnSubFeatures` asked for them.
    public let subFeatures: [Any]?

    init(_ quad: DetectedQuad, characters: [CITextFeature]?) {
        subFeatures = characters
        super.init(CIFeatureTypeText, quad)
    }
}

/// The corners of a feature and the box around them.
struct DetectedQuad {
    let topLeft, topRight, bottomLeft, bottomRight: CGPoint
    let bounds: CGRect
}
