// The keys of filters.

/// Key of filters: the image.
public let kCIInputImageKey: String = "inputImage"
/// Key of filters: the image behind.
public let kCIInputBackgroundImageKey: String = "inputBackgroundImage"
/// Key of filters: the mask.
public let kCIInputMaskImageKey: String = "inputMaskImage"
/// Key of filters: a radius in pixels.
public let kCIInputRadiusKey: String = "inputRadius"
/// Key of filters: a scale.
public let kCIInputScaleKey: String = "inputScale"
/// Key of filters: the horizontal scale relative to the vertical one.
public let kCIInputAspectRatioKey: String = "inputAspectRatio"
/// Key of filters: a transform.
public let kCIInputTransformKey: String = "inputTransform"
/// Key of filters: a rectangle.
public let kCIInputExtentKey: String = "inputExtent"
/// Key of filters: a colour.
public let kCIInputColorKey: String = "inputColor"
/// Key of filters: what is added to the colours.
public let kCIInputBrightnessKey: String = "inputBrightness"
/// Key of filters: the factor of differences from grey.
public let kCIInputContrastKey: String = "inputContrast"
/// Key of filters: the saturation.
public let kCIInputSaturationKey: String = "inputSaturation"
/// Key of filters: the exposure in stops.
public let kCIInputEVKey: String = "inputEV"
/// Key of filters: the strength.
public let kCIInputIntensityKey: String = "inputIntensity"
/// Key of filters: what is added.
public let kCIInputBiasKey: String = "inputBias"
/// Key of filters: a point.
public let kCIInputCenterKey: String = "inputCenter"
/// Key of filters: an angle in radians.
public let kCIInputAngleKey: String = "inputAngle"
/// Key of filters: a width in pixels.
public let kCIInputWidthKey: String = "inputWidth"
/// Key of filters: the strength.
public let kCIInputSharpnessKey: String = "inputSharpness"
/// Key of filters: the result.
public let kCIOutputImageKey: String = "outputImage"

/// Key of attributes: the name of the filter.
public let kCIAttributeFilterName: String = "CIAttributeFilterName"
/// Key of attributes: the name in words.
public let kCIAttributeFilterDisplayName: String = "CIAttributeFilterDisplayName"
/// Key of attributes: the categories.
public let kCIAttributeFilterCategories: String = "CIAttributeFilterCategories"
/// Key of attributes: the value of an input that was not set.
public let kCIAttributeDefault: String = "CIAttributeDefault"

/// A category of filters: blur.
public let kCICategoryBlur: String = "CICategoryBlur"
/// A category of filters: color adjustment.
public let kCICategoryColorAdjustment: String = "CICategoryColorAdjustment"
/// A category of filters: color effect.
public let kCICategoryColorEffect: String = "CICategoryColorEffect"
/// A category of filters: composite operation.
public let kCICategoryCompositeOperation: String = "CICategoryCompositeOperation"
/// A category of filters: generator.
public let kCICategoryGenerator: String = "CICategoryGenerator"
/// A category of filters: geometry adjustment.
public let kCICategoryGeometryAdjustment: String = "CICategoryGeometryAdjustment"
/// A category of filters: reduction.
public let kCICategoryReduction: String = "CICategoryReduction"
/// A category of filters: stylize.
public let kCICategoryStylize: String = "CICategoryStylize"
/// A category of filters: all that are built in.
public let kCICategoryBuiltIn: String = "CICategoryBuiltIn"
/// A category of filters: for single images.
public let kCICategoryStillImage: String = "CICategoryStillImage"
