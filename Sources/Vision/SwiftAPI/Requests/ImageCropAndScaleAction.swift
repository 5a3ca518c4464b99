/// How an image is fitted to the input of a network.
public enum ImageCropAndScaleAction: CaseIterable, Codable, Hashable, Sendable {
    /// Scales uniformly until the short side fills the input, and crops the ends of the long side.
    case centerCrop
    /// Scales uniformly until all of the image fits, and pads the rest.
    case scaleToFit
    /// Stretches both axes independently to fill the input.
    case scaleToFill
    /// As `scaleToFit`, rotated by 90° counter-clockwise. Performs fail with `unsupportedRequest`.
    case scaleToFitPlus90CCWRotation
    /// As `scaleToFill`, rotated by 90° counter-clockwise. Performs fail with `unsupportedRequest`.
    case scaleToFillPlus90CCWRotation

    /// The option of the classic API.
    var classic: VNImageCropAndScaleOption {
        switch self {
        case .centerCrop: .centerCrop
        case .scaleToFit: .scaleFit
        case .scaleToFill: .scaleFill
        case .scaleToFitPlus90CCWRotation: .scaleFitRotate90CCW
        case .scaleToFillPlus90CCWRotation: .scaleFillRotate90CCW
        }
    }

    /// The action of an option of the classic API.
    init(_ option: VNImageCropAndScaleOption) {
        self =
            switch option {
            case .centerCrop: .centerCrop
            case .scaleFit: .scaleToFit
            case .scaleFill: .scaleToFill
            case .scaleFitRotate90CCW: .scaleToFitPlus90CCWRotation
            case .scaleFillRotate90CCW: .scaleToFillPlus90CCWRotation
            }
    }
}
