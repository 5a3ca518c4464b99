extension Raster {
    fileprivate init(viewing plane: CVBuffer.Plane, as format: Format) {
        self.init(
            width: plane.width, height: plane.height, format: format, rowBytes: plane.rowBytes, memory: plane.memory,
            offset: plane.offset)
    }
}

extension CVBuffer {
    /// The luma plane as a grey view, without a copy.
    package var fullRangeLuma: Raster? {
        guard case .yCbCr(fullRange: true) = layout.kind else { return nil }
        return Raster(viewing: planes[0], as: .grey8)
    }
}

/// The opened image of a handler: its pixels as stored, before orientation.
package struct StoredImage: Sendable {
    package enum Pixels: Sendable {
        /// Pixels in one of the raster layouts.
        case raster(Raster)
        /// Luma and chroma in separate planes.
        case yCbCr(CVPixelBuffer)
        /// The bytes of a file that has not been decoded.
        case encoded(EncodedImage)
        /// A recipe that has not been rendered.
        case recipe(CIImage)
        /// A buffer that holds no image.
        case none
    }

    package let pixels: Pixels
    /// The size as stored, before orientation.
    package let width: Int
    package let height: Int
    /// The orientation that brings the stored pixels upright.
    package let orientation: CGImagePropertyOrientation

    package var uprightWidth: Int { orientation.swapsAxes ? height : width }
    package var uprightHeight: Int { orientation.swapsAxes ? width : height }

    /// - Parameter orientation: The caller's orientation; nil for the image's own.
    package init(pixelBuffer buffer: CVPixelBuffer, orientation: CGImagePropertyOrientation?) {
        switch buffer.layout.kind {
        case .raster(let format): pixels = .raster(Raster(viewing: buffer.planes[0], as: format))
        case .yCbCr: pixels = .yCbCr(buffer)
        case .vectors: pixels = .none
        }
        (width, height) = (buffer.width, buffer.height)
        self.orientation = orientation ?? .up
    }

    package init(image: CGImage, orientation: CGImagePropertyOrientation?) {
        pixels = .raster(image.raster)
        (width, height) = (image.width, image.height)
        self.orientation = orientation ?? .up
    }

    package init(encoded image: EncodedImage, orientation: CGImagePropertyOrientation?) {
        pixels = .encoded(image)
        (width, height) = (image.width, image.height)
        self.orientation = orientation ?? CGImagePropertyOrientation(rawValue: image.orientation) ?? .up
    }

    /// A Core Image recipe counts as upright unless the caller gives an orientation, whatever the file behind it
    /// states.
    package init(ciImage image: CIImage, orientation: CGImagePropertyOrientation?) throws {
        let orientation = orientation ?? .up
        guard !image.isWholeBase else {
            switch image.base {
            case .pixelBuffer(let buffer): self.init(pixelBuffer: buffer, orientation: orientation)
            case .image(let image): self.init(image: image, orientation: orientation)
            case .encoded(let image): self.init(encoded: image, orientation: orientation)
            case .recipe: throw ImageError.invalidArgument("a recipe has no pixels of its own")
            }
            return
        }
        let size = try image.renderedSize()
        self.init(pixels: .recipe(image), width: size.width, height: size.height, orientation: orientation)
    }

    private init(pixels: Pixels, width: Int, height: Int, orientation: CGImagePropertyOrientation) {
        self.pixels = pixels
        self.width = width
        self.height = height
        self.orientation = orientation
    }
}
