extension Raster {
    fileprivate init(viewing plane: CVBuffer.Plane, as format: Format) {
        self.init(
            width: plane.width, height: plane.height, format: format, rowBytes: plane.rowBytes, memory: plane.memory,
            offset: plane.offset)
    }
}

extension CVBuffer {
    /// The luma plane where it is grey as it stands: without a copy.
    package var fullRangeLuma: Raster? {
        guard case .yCbCr(fullRange: true) = layout.kind else { return nil }
        return Raster(viewing: planes[0], as: .grey8)
    }
}

/// The image behind a handler, opened: its pixels as they are stored, not yet upright.
package struct StoredImage: Sendable {
    package enum Pixels: Sendable {
        /// Pixels in one of the raster layouts.
        case raster(Raster)
        /// Luma and chroma in planes of their own.
        case yCbCr(CVPixelBuffer)
        /// Bytes of a file that is still to be decoded.
        case encoded(EncodedImage)
        /// A recipe that is still to be carried out.
        case recipe(CIImage)
    }

    package let pixels: Pixels
    /// Size as stored, before orientation.
    package let width: Int
    package let height: Int
    /// How the stored pixels are brought upright.
    package let orientation: CGImagePropertyOrientation

    package var uprightWidth: Int { orientation.swapsAxes ? height : width }
    package var uprightHeight: Int { orientation.swapsAxes ? width : height }

    /// - Parameter orientation: what the caller says; nil to take the image's own.
    package init(pixelBuffer buffer: CVPixelBuffer, orientation: CGImagePropertyOrientation?) {
        switch buffer.layout.kind {
        case .raster(let format): pixels = .raster(Raster(viewing: buffer.planes[0], as: format))
        case .yCbCr:
            pixels = .yCbCr(buffer)
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

    /// A Core Image recipe counts as upright unless the caller says otherwise, whatever the file behind it says.
    package init(ciImage image: CIImage, orientation: CGImagePropertyOrientation?) throws {
        let orientation = orientation ?? .up
        guard !image.isWholeBase else {
            switch image.base {
            case .pixelBuffer(let buffer): self.init(pixelBuffer: buffer, orientation: orientation)
            case .image(let image): self.init(image: image, orientation: orientation)
            case .encoded(let image): self.init(encoded: image, orientation: orientation)
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
