/// How sure an observation is: 0 (not at all) to 1. Scales differ between algorithms.
public typealias VNConfidence = Float

/// The shorter side of a shape divided by the longer one.
public typealias VNAspectRatio = Float

/// An angle in degrees.
public typealias VNDegrees = Float

/// The unit square: the whole image in normalised coordinates.
public let VNNormalizedIdentityRect = CGRect(x: 0, y: 0, width: 1, height: 1)

/// The revision of observations that no request of Vision made.
public let VNRequestRevisionUnspecified: Int = 0

/// How an image is fitted into the input of a model.
public enum VNImageCropAndScaleOption: UInt, Sendable {
    /// Scale evenly until the short side fills the input; cut the ends of the long side.
    case centerCrop = 0
    /// Scale evenly until all of the image fits; pad the rest.
    case scaleFit = 1
    /// Stretch each axis on its own to fill the input.
    case scaleFill = 2
    /// As `scaleFit`, turned a quarter counter-clockwise.
    case scaleFitRotate90CCW = 0x101
    /// As `scaleFill`, turned a quarter counter-clockwise.
    case scaleFillRotate90CCW = 0x102
}

/// Whether a tracker favours precision or speed.
public enum VNRequestTrackingLevel: UInt, Sendable {
    /// Favour where the target really is.
    case accurate = 0
    /// Favour the time a frame takes.
    case fast = 1
}

/// The type of the numbers in a vector of features.
public enum VNElementType: UInt, Sendable {
    /// Not known.
    case unknown = 0
    /// 32-bit floating point.
    case float = 1
    /// 64-bit floating point.
    case double = 2
}

/// The set of points that face landmarks consist of.
public enum VNRequestFaceLandmarksConstellation: UInt, Sendable {
    /// Left to the revision.
    case constellationNotDefined = 0
    /// 65 points.
    case constellation65Points = 1
    /// 76 points.
    case constellation76Points = 2
}

/// Whether text recognition favours precision or speed.
public enum VNRequestTextRecognitionLevel: Int, Sendable {
    /// Favour getting the words right.
    case accurate = 0
    /// Favour speed.
    case fast = 1
}
