import Foundation
import Vision

/// What stands out in an image: the map as a mask, and the image cropped to the salient objects.
///
/// Written as for Apple's Vision; the same file compiles there.
struct SaliencyViewer {
    enum Kind: String {
        case attention, objectness
    }

    let image: CGImage
    let observation: VNSaliencyImageObservation

    /// - Throws: The error of the perform.
    init(image: CGImage, kind: Kind) throws {
        let request: VNImageBasedRequest =
            switch kind {
            case .attention: VNGenerateAttentionBasedSaliencyImageRequest()
            case .objectness: VNGenerateObjectnessBasedSaliencyImageRequest()
            }
        try VNImageRequestHandler(cgImage: image, options: [:]).perform([request])
        guard let observation = request.results?.first as? VNSaliencyImageObservation else {
            throw CocoaError(.featureUnsupported)
        }
        self.image = image
        self.observation = observation
    }

    /// The image, dark where nothing stands out.
    ///
    /// - Returns: nil where memory is short.
    func masked() -> CGImage? {
        guard let context = Self.context(width: image.width, height: image.height) else { return nil }
        context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
        let map = observation.pixelBuffer
        CVPixelBufferLockBaseAddress(map, .readOnly)
        defer { CVPixelBufferUnlockBaseAddress(map, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddress(map) else { return nil }
        let (columns, rows) = (CVPixelBufferGetWidth(map), CVPixelBufferGetHeight(map))
        let rowBytes = CVPixelBufferGetBytesPerRow(map)
        let cell = CGSize(
            width: CGFloat(image.width) / CGFloat(columns), height: CGFloat(image.height) / CGFloat(rows))
        for row in 0..<rows {
            for column in 0..<columns {
                let value = base.load(fromByteOffset: row * rowBytes + 4 * column, as: Float.self)
                context.setFillColor(gray: 0, alpha: CGFloat(1 - min(max(value, 0), 1)) * 0.85)
                // Rows of the map count from the top, those of the context from the bottom.
                context.fill(
                    CGRect(
                        x: CGFloat(column) * cell.width, y: CGFloat(rows - 1 - row) * cell.height,
                        width: cell.width, height: cell.height))
            }
        }
        return context.makeImage()
    }

    /// The image cropped to the box around all salient objects; the whole image where nothing stands out.
    func cropped() -> CGImage? {
        guard let objects = observation.salientObjects, !objects.isEmpty else { return image }
        let union = objects.reduce(CGRect.null) { $0.union($1.boundingBox) }
        let box = VNImageRectForNormalizedRect(union, image.width, image.height).integral
        guard let context = Self.context(width: Int(box.width), height: Int(box.height)) else { return nil }
        context.draw(
            image, in: CGRect(x: -box.minX, y: -box.minY, width: CGFloat(image.width), height: CGFloat(image.height)))
        return context.makeImage()
    }

    private static func context(width: Int, height: Int) -> CGContext? {
        CGContext(
            data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
    }
}
