import VisionImage

/// The regions of two images to be registered, in grey.
struct RegistrationPair {
    let reference: Raster
    let floating: Raster

    /// Creates a pair of regions of equal size.
    init(reference: ImageSource, floating: ImageSource, region: NormalizedRegion) throws {
        let referenceSize = try reference.uprightImageSize()
        let floatingSize = try floating.uprightImageSize()
        let part = region.wholePixels(in: floatingSize)
        self.floating = try floating.grey(in: part)
        if referenceSize == floatingSize {
            self.reference = try reference.grey(in: part)
            return
        }
        try Self.check(referenceSize, floatingSize, part, region)
        self.reference = try reference.fullSizeGrey()
    }

    /// Creates a pair of a region of the floating image and the whole reference, which may have another size.
    init(region: NormalizedRegion, of floating: ImageSource, ontoWhole reference: ImageSource) throws {
        self.floating = try floating.grey(in: region.wholePixels(in: try floating.uprightImageSize()))
        self.reference = try reference.fullSizeGrey()
    }

    private static func check(
        _ referenceSize: ImageSize, _ floatingSize: ImageSize, _ part: PixelRegion, _ region: NormalizedRegion
    ) throws {
        guard referenceSize == ImageSize(width: Int(part.width), height: Int(part.height)) else {
            let ofRegion =
                region == .whole ? "" : ", \(Int(part.width)) × \(Int(part.height)) in the region of interest,"
            throw visionError(
                .invalidArgument,
                "Registration needs two images of one size: the targeted one has \(floatingSize.width) × "
                    + "\(floatingSize.height) pixels\(ofRegion) and the handler's \(referenceSize.width) × "
                    + "\(referenceSize.height).")
        }
    }
}

extension ImageSource {
    /// Returns a region of the upright image at full resolution, in grey.
    func grey(in part: PixelRegion) throws -> Raster {
        try derivative(
            Derivative(region: part, width: Int(part.width), height: Int(part.height), format: .grey8))
    }
}
