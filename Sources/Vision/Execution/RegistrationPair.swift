import VisionImage

/// The parts of two images that are registered, in grey and of one size.
struct RegistrationPair {
    let reference: Raster
    let floating: Raster

    init(reference: ImageSource, floating: ImageSource, region: NormalizedRegion) throws {
        let referenceSize = try reference.uprightImageSize()
        let floatingSize = try floating.uprightImageSize()
        let part = region.wholePixels(in: floatingSize)
        self.floating = try floating.grey(in: part)
        if referenceSize == floatingSize {
            self.reference = try reference.grey(in: part)
            return
        }
        guard referenceSize == ImageSize(width: Int(part.width), height: Int(part.height)) else {
            let ofRegion =
                region == .whole ? "" : ", \(Int(part.width)) × \(Int(part.height)) in the region of interest,"
            throw visionError(
                .invalidArgument,
                "Registration needs two images of one size: the targeted one has \(floatingSize.width) × "
                    + "\(floatingSize.height) pixels\(ofRegion) and the handler's \(referenceSize.width) × "
                    + "\(referenceSize.height).")
        }
        self.reference = try reference.fullSizeGrey()
    }
}

extension ImageSource {
    /// A part of the upright image, whole pixels at full size, in grey.
    func grey(in part: PixelRegion) throws -> Raster {
        try derivative(
            Derivative(region: part, width: Int(part.width), height: Int(part.height), format: .grey8))
    }
}
