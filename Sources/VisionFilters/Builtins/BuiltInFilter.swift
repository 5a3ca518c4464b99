import Foundation
import VisionImage

/// A filter of the functions of `CIFilter`: it has all properties, of which the type of the function shows its own.
final class BuiltInFilter: CIFilter, CIGaussianBlur, CIBoxBlur, CIEdges, CIColorControls, CIColorMatrix,
    CIExposureAdjust, CIGammaAdjust, CIColorInvert, CIColorMonochrome, CIPhotoEffect, CIMaskToAlpha, CIAffineClamp,
    CILanczosScaleTransform, CIPerspectiveTransform, CIPerspectiveTransformWithExtent, CIPerspectiveCorrection,
    CICompositeOperation, CIBlendWithMask, CIAreaReductionFilter, CIQRCodeGenerator, CIAztecCodeGenerator,
    CIPDF417BarcodeGenerator, CICode128BarcodeGenerator, CIStretchCrop
{
    static func make(_ name: String) -> BuiltInFilter { BuiltInFilter(FilterDefinition.all[name] ?? .none) }

    private func number(_ key: String) -> Float {
        value(forKey: key).flatMap(FilterValues.double).map { Float($0) } ?? 0
    }

    var inputImage: CIImage? {
        get { value(forKey: "inputImage") as? CIImage }
        set { setValue(newValue, forKey: "inputImage") }
    }

    var backgroundImage: CIImage? {
        get { value(forKey: "inputBackgroundImage") as? CIImage }
        set { setValue(newValue, forKey: "inputBackgroundImage") }
    }

    var maskImage: CIImage? {
        get { value(forKey: "inputMaskImage") as? CIImage }
        set { setValue(newValue, forKey: "inputMaskImage") }
    }

    var radius: Float {
        get { number("inputRadius") }
        set { setValue(newValue, forKey: "inputRadius") }
    }

    var size: CGPoint {
        get { (value(forKey: "inputSize") as? CIVector)?.cgPointValue ?? .zero }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputSize") }
    }

    var cropAmount: Float {
        get { number("inputCropAmount") }
        set { setValue(newValue, forKey: "inputCropAmount") }
    }

    var centerStretchAmount: Float {
        get { number("inputCenterStretchAmount") }
        set { setValue(newValue, forKey: "inputCenterStretchAmount") }
    }

    var scale: Float {
        get { number("inputScale") }
        set { setValue(newValue, forKey: "inputScale") }
    }

    var aspectRatio: Float {
        get { number("inputAspectRatio") }
        set { setValue(newValue, forKey: "inputAspectRatio") }
    }

    var transform: CGAffineTransform {
        get { value(forKey: "inputTransform") as? CGAffineTransform ?? .identity }
        set { setValue(newValue, forKey: "inputTransform") }
    }

    var extent: CGRect {
        get { (value(forKey: "inputExtent") as? CIVector)?.cgRectValue ?? .zero }
        set { setValue(CIVector(cgRect: newValue), forKey: "inputExtent") }
    }

    var color: CIColor {
        get { value(forKey: "inputColor") as? CIColor ?? .black }
        set { setValue(newValue, forKey: "inputColor") }
    }

    var saturation: Float {
        get { number("inputSaturation") }
        set { setValue(newValue, forKey: "inputSaturation") }
    }

    var brightness: Float {
        get { number("inputBrightness") }
        set { setValue(newValue, forKey: "inputBrightness") }
    }

    var contrast: Float {
        get { number("inputContrast") }
        set { setValue(newValue, forKey: "inputContrast") }
    }

    var rVector: CIVector {
        get { value(forKey: "inputRVector") as? CIVector ?? CIVector([]) }
        set { setValue(newValue, forKey: "inputRVector") }
    }

    var gVector: CIVector {
        get { value(forKey: "inputGVector") as? CIVector ?? CIVector([]) }
        set { setValue(newValue, forKey: "inputGVector") }
    }

    var bVector: CIVector {
        get { value(forKey: "inputBVector") as? CIVector ?? CIVector([]) }
        set { setValue(newValue, forKey: "inputBVector") }
    }

    var aVector: CIVector {
        get { value(forKey: "inputAVector") as? CIVector ?? CIVector([]) }
        set { setValue(newValue, forKey: "inputAVector") }
    }

    var biasVector: CIVector {
        get { value(forKey: "inputBiasVector") as? CIVector ?? CIVector([]) }
        set { setValue(newValue, forKey: "inputBiasVector") }
    }

    var ev: Float {
        get { number("inputEV") }
        set { setValue(newValue, forKey: "inputEV") }
    }

    var power: Float {
        get { number("inputPower") }
        set { setValue(newValue, forKey: "inputPower") }
    }

    var intensity: Float {
        get { number("inputIntensity") }
        set { setValue(newValue, forKey: "inputIntensity") }
    }

    var topLeft: CGPoint {
        get { (value(forKey: "inputTopLeft") as? CIVector)?.cgPointValue ?? .zero }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputTopLeft") }
    }

    var topRight: CGPoint {
        get { (value(forKey: "inputTopRight") as? CIVector)?.cgPointValue ?? .zero }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputTopRight") }
    }

    var bottomRight: CGPoint {
        get { (value(forKey: "inputBottomRight") as? CIVector)?.cgPointValue ?? .zero }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputBottomRight") }
    }

    var bottomLeft: CGPoint {
        get { (value(forKey: "inputBottomLeft") as? CIVector)?.cgPointValue ?? .zero }
        set { setValue(CIVector(cgPoint: newValue), forKey: "inputBottomLeft") }
    }

    var message: Data {
        get { value(forKey: "inputMessage") as? Data ?? Data() }
        set { setValue(newValue, forKey: "inputMessage") }
    }

    var quietSpace: Float {
        get { number("inputQuietSpace") }
        set { setValue(newValue, forKey: "inputQuietSpace") }
    }

    var barcodeHeight: Float {
        get { number("inputBarcodeHeight") }
        set { setValue(newValue, forKey: "inputBarcodeHeight") }
    }

    var correctionLevel: Float {
        get { number("inputCorrectionLevel") }
        set { setValue(newValue, forKey: "inputCorrectionLevel") }
    }
}

// One key with a text in QR codes and a number in others.

extension CIQRCodeGenerator where Self: CIFilter {
    var correctionLevel: String {
        get { value(forKey: "inputCorrectionLevel") as? String ?? "" }
        set { setValue(newValue, forKey: "inputCorrectionLevel") }
    }
}
