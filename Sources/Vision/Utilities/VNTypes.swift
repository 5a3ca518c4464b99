/// The confidence of an observation: 0 to 1, 1 being certain. Scales differ between algorithms.
public typealias VNConfidence = Float

/// The shorter side of a shape divided by the longer one.
public typealias VNAspectRatio = Float

/// An angle in degrees.
public typealias VNDegrees = Float

/// The unit square: the whole image in normalised coordinates.
public let VNNormalizedIdentityRect = CGRect(x: 0, y: 0, width: 1, height: 1)

/// The revision of observations that were not made by a request.
public let VNRequestRevisionUnspecified: Int = 0

/// How an image is fitted to the input of a model.
public enum VNImageCropAndScaleOption: UInt, Sendable {
    /// Scales uniformly until the short side fills the input, and crops the ends of the long side.
    case centerCrop = 0
    /// Scales uniformly until all of the image fits, and pads the rest.
    case scaleFit = 1
    /// Stretches both axes independently to fill the input.
    case scaleFill = 2
    /// As `scaleFit`, rotated by 90° counter-clockwise.
    case scaleFitRotate90CCW = 0x101
    /// As `scaleFill`, rotated by 90° counter-clockwise.
    case scaleFillRotate90CCW = 0x102
}

/// Whether a tracker favours accuracy or speed.
public enum VNRequestTrackingLevel: UInt, Sendable {
    /// Favours an accurate position.
    case accurate = 0
    /// Favours a short time for each frame.
    case fast = 1
}

/// The type of the numbers in a feature vector.
public enum VNElementType: UInt, Sendable {
    /// Unknown.
    case unknown = 0
    /// 32-bit floating point.
    case float = 1
    /// 64-bit floating point.
    case double = 2
}

/// The set of points of face landmarks.
public enum VNRequestFaceLandmarksConstellation: UInt, Sendable {
    /// The default of the revision.
    case constellationNotDefined = 0
    /// 65 points.
    case constellation65Points = 1
    /// 76 points.
    case constellation76Points = 2
}

/// Whether text recognition favours accuracy or speed.
public enum VNRequestTextRecognitionLevel: Int, Sendable {
    /// Favours accuracy.
    case accurate = 0
    /// Favours speed.
    case fast = 1
}
