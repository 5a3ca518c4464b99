import VisionAlgorithms
import VisionImage

extension VNImageRequestHandler {
    /// Returns the rectangle of which four corners are a view in perspective: four bytes a pixel, blue first.
    ///
    /// - Parameters:
    ///   - rectangle: The corners, normalised to a region of interest.
    ///   - regionOfInterest: Normalised to the upright image.
    /// - Throws: An error of `VNErrorDomain`.
    package func rectified(
        _ rectangle: VNRectangleObservation, regionOfInterest: CGRect
    ) throws -> CVPixelBuffer {
        do {
            let region = try NormalizedRegion(regionOfInterest)
            let source = try imageSource()
            let size = try source.uprightImageSize()
            func point(_ corner: CGPoint) -> PlanarPoint {
                let (x, y) = region.pixelPoint(of: corner, in: size)
                return PlanarPoint(x: x, y: y)
            }
            let quad = PlanarQuad(
                topLeft: point(rectangle.topLeft), topRight: point(rectangle.topRight),
                bottomRight: point(rectangle.bottomRight), bottomLeft: point(rectangle.bottomLeft))
            let pixels = try source.derivative(
                Derivative(
                    region: PixelRegion(width: size.width, height: size.height), width: size.width,
                    height: size.height, format: .rgba8))
            let rectifier = try PageRectifier(pixels)
            let (width, height) = rectifier.size(of: quad)
            let page = try rectifier.page(quad, width: width, height: height)
            var created: CVPixelBuffer?
            let status = CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &created)
            guard status == kCVReturnSuccess, let buffer = created else {
                throw ImageError.outOfMemory(bytes: 4 * width * height)
            }
            try buffer.write(page)
            return buffer
        } catch {
            throw visionError(from: error)
        }
    }
}
