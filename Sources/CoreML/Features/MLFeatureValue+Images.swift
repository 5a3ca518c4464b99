extension MLFeatureValue {
    /// An option for cropping and scaling an image to the size of a feature.
    public struct ImageOption: RawRepresentable, Hashable, Sendable {
        /// The name of the option.
        public let rawValue: String

        /// Creates an option with that name. Unknown names are ignored.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A `CGRect`: the region of the upright image to be used, normalised, origin at the lower left. The whole by
        /// default.
        public static let cropRect = ImageOption(rawValue: "MLFeatureValueImageOptionCropRect")

        /// The raw value of a `VNImageCropAndScaleOption`, or the option itself: how the region is fitted to the size.
        /// `scaleFill` by default.
        public static let cropAndScale = ImageOption(rawValue: "MLFeatureValueImageOptionCropAndScale")
    }

    /// Creates a feature from the image in a file, in the orientation stored in the file, scaled to a size.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - pixelsWide: The width of the feature; 0 for that of the image.
    ///   - pixelsHigh: The height of the feature; 0 for that of the image.
    ///   - pixelFormatType: The format of the feature: one of the `kCVPixelFormatType_…` constants.
    ///   - options: How the image is cropped and scaled.
    /// - Throws: `MLModelError.io` if the file cannot be read, `MLModelError.featureType` if it holds no image or a
    ///   size, format or option is invalid.
    public convenience init(
        imageAt url: URL, pixelsWide: Int, pixelsHigh: Int, pixelFormatType: OSType,
        options: [ImageOption: Any]? = nil
    ) throws {
        try self.init(
            ImageSource(url: url), width: pixelsWide, height: pixelsHigh, format: pixelFormatType, options: options)
    }

    /// Creates a feature from the image in a file, in a given orientation, scaled to a size.
    ///
    /// - Parameter orientation: The orientation of the stored pixels, whatever the file states.
    public convenience init(
        imageAt url: URL, orientation: CGImagePropertyOrientation, pixelsWide: Int, pixelsHigh: Int,
        pixelFormatType: OSType, options: [ImageOption: Any]? = nil
    ) throws {
        try self.init(
            ImageSource(url: url, orientation: orientation), width: pixelsWide, height: pixelsHigh,
            format: pixelFormatType, options: options)
    }

    /// Creates a feature from the image in a file, in the orientation stored in the file, with the size and format of a
    /// constraint.
    public convenience init(
        imageAt url: URL, constraint: MLImageConstraint, options: [ImageOption: Any]? = nil
    ) throws {
        try self.init(ImageSource(url: url), constraint, options)
    }

    /// Creates a feature from the image in a file, in a given orientation, with the size and format of a constraint.
    public convenience init(
        imageAt url: URL, orientation: CGImagePropertyOrientation, constraint: MLImageConstraint,
        options: [ImageOption: Any]? = nil
    ) throws {
        try self.init(ImageSource(url: url, orientation: orientation), constraint, options)
    }

    /// Creates a feature from an image, scaled to a size.
    ///
    /// - Parameters:
    ///   - cgImage: The image, which counts as upright.
    ///   - pixelsWide: The width of the feature; 0 for that of the image.
    ///   - pixelsHigh: The height of the feature; 0 for that of the image.
    ///   - pixelFormatType: The format of the feature: one of the `kCVPixelFormatType_…` constants.
    ///   - options: How the image is cropped and scaled.
    /// - Throws: `MLModelError.featureType` if a size, format or option is invalid.
    public convenience init(
        cgImage: CGImage, pixelsWide: Int, pixelsHigh: Int, pixelFormatType: OSType,
        options: [ImageOption: Any]? = nil
    ) throws {
        try self.init(
            ImageSource(cgImage: cgImage), width: pixelsWide, height: pixelsHigh, format: pixelFormatType,
            options: options)
    }

    /// Creates a feature from an image in a given orientation, scaled to a size.
    public convenience init(
        cgImage: CGImage, orientation: CGImagePropertyOrientation, pixelsWide: Int, pixelsHigh: Int,
        pixelFormatType: OSType, options: [ImageOption: Any]? = nil
    ) throws {
        try self.init(
            ImageSource(cgImage: cgImage, orientation: orientation), width: pixelsWide, height: pixelsHigh,
            format: pixelFormatType, options: options)
    }

    /// Creates a feature from an image, with the size and format of a constraint.
    public convenience init(
        cgImage: CGImage, constraint: MLImageConstraint, options: [ImageOption: Any]? = nil
    ) throws {
        try self.init(ImageSource(cgImage: cgImage), constraint, options)
    }

    /// Creates a feature from an image in a given orientation, with the size and format of a constraint.
    public convenience init(
        cgImage: CGImage, orientation: CGImagePropertyOrientation, constraint: MLImageConstraint,
        options: [ImageOption: Any]? = nil
    ) throws {
        try self.init(ImageSource(cgImage: cgImage, orientation: orientation), constraint, options)
    }

    // MARK: - Making

    private convenience init(
        _ source: ImageSource, _ constraint: MLImageConstraint, _ options: [ImageOption: Any]?
    ) throws {
        try self.init(
            source, width: constraint.pixelsWide, height: constraint.pixelsHigh, format: constraint.pixelFormatType,
            options: options)
    }

    private convenience init(
        _ source: ImageSource, width: Int, height: Int, format: OSType, options: [ImageOption: Any]?
    ) throws {
        do {
            let size = try source.uprightSize()
            let region = try Self.region(options?[.cropRect], width: size.width, height: size.height)
            let fit = try Self.fit(options?[.cropAndScale])
            // The constraint of an input of any size has 0 pixels: the image keeps its size.
            let width = width == 0 ? Int(region.width.rounded()) : width
            let height = height == 0 ? Int(region.height.rounded()) : height
            var made: CVPixelBuffer?
            guard width > 0, height > 0,
                CVPixelBufferCreate(nil, width, height, format, nil, &made) == kCVReturnSuccess, let made
            else {
                throw MLModelError(
                    .featureType,
                    "An image of \(width) × \(height) pixels in the format \(PixelFormatLayout.name(of: format)) "
                        + "is not possible."
                )
            }
            let raster = try source.derivative(
                Derivative(region: region, width: width, height: height, format: made.rasterFormat, fit: fit))
            try made.write(raster)
            self.init(pixelBuffer: made)
        } catch let error as ImageError {
            throw MLModelError(error)
        }
    }

    private static func region(_ option: Any?, width: Int, height: Int) throws -> PixelRegion {
        guard let option else { return PixelRegion(width: width, height: height) }
        guard let rect = option as? CGRect ?? (option as? NSValue)?.rectValue else {
            throw MLModelError(.featureType, "The option cropRect must be a CGRect, not \(Swift.type(of: option)).")
        }
        let (x, y, w, h) = (Double(rect.origin.x), Double(rect.origin.y), Double(rect.width), Double(rect.height))
        return PixelRegion(
            x: x * Double(width), y: (1 - y - h) * Double(height), width: w * Double(width), height: h * Double(height))
    }

    private static func fit(_ option: Any?) throws -> Derivative.Fit {
        let raw: UInt? =
            switch option {
            case nil: 2
            case let value as any BinaryInteger: UInt(exactly: value)
            case let value as NSNumber: UInt(exactly: value.doubleValue)
            case let value as any RawRepresentable<UInt>: value.rawValue
            default: nil
            }
        switch raw {
        case 0: return .centerCrop
        case 1: return .fit
        case 2: return .fill
        default:
            throw MLModelError(
                .featureType,
                "The option cropAndScale must be the raw value of a VNImageCropAndScaleOption: 0, 1 or 2; the options "
                    + "that rotate the image are not implemented.")
        }
    }
}

extension CVBuffer {
    /// Returns the raster format nearest to the buffer's.
    var rasterFormat: Raster.Format {
        guard case .raster(let format) = layout.kind else { return .rgb8 }
        return format == .greyFloat || format == .greyHalf ? .grey8 : format
    }
}

extension MLModelError {
    /// Translates an error of reading or processing pixels to this module's.
    convenience init(_ error: ImageError) {
        let code: Code =
            switch error {
            case .io: .io
            case .invalidImage, .unsupportedFormat, .invalidArgument, .tooManyPixels: .featureType
            case .outOfMemory: .generic
            }
        self.init(code, error.description)
    }
}
