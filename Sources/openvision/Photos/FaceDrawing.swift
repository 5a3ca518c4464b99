import Vision
import VisionPhotos
import VisionVideo

/// Draws the faces of a photo on it.
enum FaceDrawing {
    /// The largest size of a drawing along either axis, in pixels.
    private static let drawingLimit = 4096.0

    /// Returns the photo with its faces drawn on it.
    ///
    /// - Throws: `ImageError` when the file is not an image.
    static func make(of faces: [VNFaceObservation], on path: FilePath) throws -> CVPixelBuffer {
        let source = ImageSource(data: try PhotoFile.read(path).data)
        let size = try source.uprightSize()
        let scale = min(1, drawingLimit / Double(max(size.width, size.height)))
        let (width, height) = (
            max(1, Int((Double(size.width) * scale).rounded())), max(1, Int((Double(size.height) * scale).rounded()))
        )
        let photo = try source.derivative(
            Derivative(
                region: PixelRegion(width: size.width, height: size.height), width: width, height: height,
                format: .bgra8))
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: path.printable)
        try Canvas.paint(on: buffer) { canvas in
            canvas.draw(photo, x: 0, y: 0)
            FacePainter(width: width, height: height).draw(faces, on: canvas)
        }
        return buffer
    }
}
