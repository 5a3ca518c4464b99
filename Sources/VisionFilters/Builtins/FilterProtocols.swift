public import Foundation
public import VisionImage

// Filters with properties. A property reads and sets the value of the key of its name.

/// A filter with properties.
public protocol CIFilterProtocol: AnyObject {
    /// The image that the filter makes; nil while an image is missing that it needs, or if values make no image.
    var outputImage: CIImage? { get }
}

/// The properties of `CIGaussianBlur`.
public protocol CIGaussianBlur: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The radius in pixels.
    var radius: Float { get set }
}

/// The properties of `CIBoxBlur`.
public protocol CIBoxBlur: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The radius in pixels.
    var radius: Float { get set }
}

/// The properties of `CIEdges`.
public protocol CIEdges: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The strength.
    var intensity: Float { get set }
}

/// The properties of `CIColorControls`.
public protocol CIColorControls: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// 0 for grey, 1 for the colours of the image.
    var saturation: Float { get set }
    /// What is added to the colours.
    var brightness: Float { get set }
    /// The factor of differences from grey.
    var contrast: Float { get set }
}

/// The properties of `CIColorMatrix`.
public protocol CIColorMatrix: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The coefficients of red.
    var rVector: CIVector { get set }
    /// The coefficients of green.
    var gVector: CIVector { get set }
    /// The coefficients of blue.
    var bVector: CIVector { get set }
    /// The coefficients of alpha.
    var aVector: CIVector { get set }
    /// What is added.
    var biasVector: CIVector { get set }
}

/// The properties of `CIExposureAdjust`.
public protocol CIExposureAdjust: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The exposure in stops.
    var ev: Float { get set }
}

/// The properties of `CIGammaAdjust`.
public protocol CIGammaAdjust: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The exponent.
    var power: Float { get set }
}

/// The properties of `CIColorInvert`.
public protocol CIColorInvert: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
}

/// The properties of `CIColorMonochrome`.
public protocol CIColorMonochrome: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The colour.
    var color: CIColor { get set }
    /// The strength.
    var intensity: Float { get set }
}

/// The properties of an effect without settings.
public protocol CIPhotoEffect: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
}

/// The properties of `CIMaskToAlpha`.
public protocol CIMaskToAlpha: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
}

/// The properties of `CIAffineClamp`.
public protocol CIAffineClamp: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The transform of the plane.
    var transform: CGAffineTransform { get set }
}

/// The properties of `CILanczosScaleTransform`.
public protocol CILanczosScaleTransform: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The vertical scale.
    var scale: Float { get set }
    /// The horizontal scale relative to the vertical one.
    var aspectRatio: Float { get set }
}

/// The properties of `CIStretchCrop`.
public protocol CIStretchCrop: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// Width and height of the result.
    var size: CGPoint { get set }
    /// 0 to fit the size by stretching alone, 1 by cropping alone.
    var cropAmount: Float { get set }
    /// 0 if the centre keeps its aspect ratio, 1 if all is stretched alike.
    var centerStretchAmount: Float { get set }
}

/// The properties of `CIPerspectiveTransform`.
public protocol CIPerspectiveTransform: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The corner at the top left.
    var topLeft: CGPoint { get set }
    /// The corner at the top right.
    var topRight: CGPoint { get set }
    /// The corner at the bottom right.
    var bottomRight: CGPoint { get set }
    /// The corner at the bottom left.
    var bottomLeft: CGPoint { get set }
}

/// The properties of `CIPerspectiveTransformWithExtent`.
public protocol CIPerspectiveTransformWithExtent: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The rectangle.
    var extent: CGRect { get set }
    /// The corner at the top left.
    var topLeft: CGPoint { get set }
    /// The corner at the top right.
    var topRight: CGPoint { get set }
    /// The corner at the bottom right.
    var bottomRight: CGPoint { get set }
    /// The corner at the bottom left.
    var bottomLeft: CGPoint { get set }
}

/// The properties of `CIPerspectiveCorrection`.
public protocol CIPerspectiveCorrection: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The corner at the top left.
    var topLeft: CGPoint { get set }
    /// The corner at the top right.
    var topRight: CGPoint { get set }
    /// The corner at the bottom right.
    var bottomRight: CGPoint { get set }
    /// The corner at the bottom left.
    var bottomLeft: CGPoint { get set }
}

/// The properties of an image over another one.
public protocol CICompositeOperation: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The image behind.
    var backgroundImage: CIImage? { get set }
}

/// The properties of two images by a mask.
public protocol CIBlendWithMask: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The image behind.
    var backgroundImage: CIImage? { get set }
    /// The mask: the background shows where it is 0.
    var maskImage: CIImage? { get set }
}

/// The properties of a rectangle as one pixel.
public protocol CIAreaReductionFilter: CIFilterProtocol {
    /// The image.
    var inputImage: CIImage? { get set }
    /// The rectangle.
    var extent: CGRect { get set }
}

/// The properties of `CIQRCodeGenerator`.
public protocol CIQRCodeGenerator: CIFilterProtocol {
    /// What the code holds.
    var message: Data { get set }
    /// The level of error correction.
    var correctionLevel: String { get set }
}

/// The properties of `CIAztecCodeGenerator`.
public protocol CIAztecCodeGenerator: CIFilterProtocol {
    /// What the code holds.
    var message: Data { get set }
    /// The share or the level of error correction.
    var correctionLevel: Float { get set }
}

/// The properties of `CIPDF417BarcodeGenerator`.
public protocol CIPDF417BarcodeGenerator: CIFilterProtocol {
    /// What the code holds.
    var message: Data { get set }
    /// The share or the level of error correction.
    var correctionLevel: Float { get set }
}

/// The properties of `CICode128BarcodeGenerator`.
public protocol CICode128BarcodeGenerator: CIFilterProtocol {
    /// What the code holds.
    var message: Data { get set }
    /// The light modules on each side.
    var quietSpace: Float { get set }
    /// The height in modules.
    var barcodeHeight: Float { get set }
}
