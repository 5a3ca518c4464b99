extension CIFilter {
    /// Creates a filter `CIGaussianBlur` with default values.
    public class func gaussianBlur() -> any CIFilter & CIGaussianBlur { BuiltInFilter.make("CIGaussianBlur") }

    /// Creates a filter `CIBoxBlur` with default values.
    public class func boxBlur() -> any CIFilter & CIBoxBlur { BuiltInFilter.make("CIBoxBlur") }

    /// Creates a filter `CIEdges` with default values.
    public class func edges() -> any CIFilter & CIEdges { BuiltInFilter.make("CIEdges") }

    /// Creates a filter `CIColorControls` with default values.
    public class func colorControls() -> any CIFilter & CIColorControls { BuiltInFilter.make("CIColorControls") }

    /// Creates a filter `CIColorMatrix` with default values.
    public class func colorMatrix() -> any CIFilter & CIColorMatrix { BuiltInFilter.make("CIColorMatrix") }

    /// Creates a filter `CIExposureAdjust` with default values.
    public class func exposureAdjust() -> any CIFilter & CIExposureAdjust { BuiltInFilter.make("CIExposureAdjust") }

    /// Creates a filter `CIGammaAdjust` with default values.
    public class func gammaAdjust() -> any CIFilter & CIGammaAdjust { BuiltInFilter.make("CIGammaAdjust") }

    /// Creates a filter `CIColorInvert` with default values.
    public class func colorInvert() -> any CIFilter & CIColorInvert { BuiltInFilter.make("CIColorInvert") }

    /// Creates a filter `CIColorMonochrome` with default values.
    public class func colorMonochrome() -> any CIFilter & CIColorMonochrome { BuiltInFilter.make("CIColorMonochrome") }

    /// Creates a filter `CIPhotoEffectMono` with default values.
    public class func photoEffectMono() -> any CIFilter & CIPhotoEffect { BuiltInFilter.make("CIPhotoEffectMono") }

    /// Creates a filter `CIMaskToAlpha` with default values.
    public class func maskToAlpha() -> any CIFilter & CIMaskToAlpha { BuiltInFilter.make("CIMaskToAlpha") }

    /// Creates a filter `CIAffineClamp` with default values.
    public class func affineClamp() -> any CIFilter & CIAffineClamp { BuiltInFilter.make("CIAffineClamp") }

    /// Creates a filter `CILanczosScaleTransform` with default values.
    public class func lanczosScaleTransform() -> any CIFilter & CILanczosScaleTransform {
        BuiltInFilter.make("CILanczosScaleTransform")
    }

    /// Creates a filter `CIStretchCrop` with default values.
    public class func stretchCrop() -> any CIFilter & CIStretchCrop { BuiltInFilter.make("CIStretchCrop") }

    /// Creates a filter `CIPerspectiveTransform` with default values.
    public class func perspectiveTransform() -> any CIFilter & CIPerspectiveTransform {
        BuiltInFilter.make("CIPerspectiveTransform")
    }

    /// Creates a filter `CIPerspectiveTransformWithExtent` with default values.
    public class func perspectiveTransformWithExtent() -> any CIFilter & CIPerspectiveTransformWithExtent {
        BuiltInFilter.make("CIPerspectiveTransformWithExtent")
    }

    /// Creates a filter `CIPerspectiveCorrection` with default values.
    public class func perspectiveCorrection() -> any CIFilter & CIPerspectiveCorrection {
        BuiltInFilter.make("CIPerspectiveCorrection")
    }

    /// Creates a filter `CISourceOverCompositing` with default values.
    public class func sourceOverCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CISourceOverCompositing")
    }

    /// Creates a filter `CISourceInCompositing` with default values.
    public class func sourceInCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CISourceInCompositing")
    }

    /// Creates a filter `CISourceOutCompositing` with default values.
    public class func sourceOutCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CISourceOutCompositing")
    }

    /// Creates a filter `CISourceAtopCompositing` with default values.
    public class func sourceAtopCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CISourceAtopCompositing")
    }

    /// Creates a filter `CIMultiplyCompositing` with default values.
    public class func multiplyCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CIMultiplyCompositing")
    }

    /// Creates a filter `CIAdditionCompositing` with default values.
    public class func additionCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CIAdditionCompositing")
    }

    /// Creates a filter `CIMaximumCompositing` with default values.
    public class func maximumCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CIMaximumCompositing")
    }

    /// Creates a filter `CIMinimumCompositing` with default values.
    public class func minimumCompositing() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CIMinimumCompositing")
    }

    /// Creates a filter `CIMultiplyBlendMode` with default values.
    public class func multiplyBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CIMultiplyBlendMode")
    }

    /// Creates a filter `CIScreenBlendMode` with default values.
    public class func screenBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CIScreenBlendMode")
    }

    /// Creates a filter `CIDarkenBlendMode` with default values.
    public class func darkenBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CIDarkenBlendMode")
    }

    /// Creates a filter `CILightenBlendMode` with default values.
    public class func lightenBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CILightenBlendMode")
    }

    /// Creates a filter `CIDifferenceBlendMode` with default values.
    public class func differenceBlendMode() -> any CIFilter & CICompositeOperation {
        BuiltInFilter.make("CIDifferenceBlendMode")
    }

    /// Creates a filter `CIBlendWithMask` with default values.
    public class func blendWithMask() -> any CIFilter & CIBlendWithMask { BuiltInFilter.make("CIBlendWithMask") }

    /// Creates a filter `CIBlendWithRedMask` with default values.
    public class func blendWithRedMask() -> any CIFilter & CIBlendWithMask { BuiltInFilter.make("CIBlendWithRedMask") }

    /// Creates a filter `CIBlendWithBlueMask` with default values.
    public class func blendWithBlueMask() -> any CIFilter & CIBlendWithMask {
        BuiltInFilter.make("CIBlendWithBlueMask")
    }

    /// Creates a filter `CIBlendWithAlphaMask` with default values.
    public class func blendWithAlphaMask() -> any CIFilter & CIBlendWithMask {
        BuiltInFilter.make("CIBlendWithAlphaMask")
    }

    /// Creates a filter `CIAreaAverage` with default values.
    public class func areaAverage() -> any CIFilter & CIAreaReductionFilter { BuiltInFilter.make("CIAreaAverage") }

    /// Creates a filter `CIAreaMaximum` with default values.
    public class func areaMaximum() -> any CIFilter & CIAreaReductionFilter { BuiltInFilter.make("CIAreaMaximum") }

    /// Creates a filter `CIAreaMinimum` with default values.
    public class func areaMinimum() -> any CIFilter & CIAreaReductionFilter { BuiltInFilter.make("CIAreaMinimum") }

    /// Creates a filter `CIQRCodeGenerator` with default values.
    public class func qrCodeGenerator() -> any CIFilter & CIQRCodeGenerator { BuiltInFilter.make("CIQRCodeGenerator") }

    /// Creates a filter `CIAztecCodeGenerator` with default values.
    public class func aztecCodeGenerator() -> any CIFilter & CIAztecCodeGenerator {
        BuiltInFilter.make("CIAztecCodeGenerator")
    }

    /// Creates a filter `CIPDF417BarcodeGenerator` with default values.
    public class func pdf417BarcodeGenerator() -> any CIFilter & CIPDF417BarcodeGenerator {
        BuiltInFilter.make("CIPDF417BarcodeGenerator")
    }

    /// Creates a filter `CICode128BarcodeGenerator` with default values.
    public class func code128BarcodeGenerator() -> any CIFilter & CICode128BarcodeGenerator {
        BuiltInFilter.make("CICode128BarcodeGenerator")
    }
}
