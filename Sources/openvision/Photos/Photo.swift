import Vision
import VisionPhotos

/// A photo in memory, on which requests run and results are drawn.
struct Photo: Sendable {
    /// The size of the upright photo.
    let width: Int
    let height: Int
    private let data: Data

    /// - Throws: `PhotoFile.Failure`, and `ImageError` when the file is not an image.
    init(_ path: FilePath) throws {
        data = try PhotoFile.read(path).data
        (width, height) = try ImageSource(data: data).uprightSize()
    }

    func perform(_ requests: [VNRequest]) throws {
        try VNImageRequestHandler(data: data).perform(requests)
    }

    /// Returns the corners of an observation in pixels from the top left.
    func quad(of observation: VNRectangleObservation) -> PixelQuad {
        PixelQuad(observation, width: width, height: height)
    }

    /// Decodes the whole photo, upright, as `bgra8`.
    func image() throws -> Raster {
        try ImageSource(data: data).derivative(
            Derivative(
                region: PixelRegion(width: width, height: height), width: width, height: height, format: .bgra8))
    }

    /// Writes the photo with the drawing of `paint` on it.
    func write(to file: String, paint: (Canvas) -> Void) throws {
        try Self.write(image(), to: file, paint: paint)
    }

    static func write(_ image: Raster, to file: String, paint: (Canvas) -> Void = { _ in }) throws {
        let buffer = try CVPixelBuffer.make(
            width: image.width, height: image.height, format: kCVPixelFormatType_32BGRA, path: file)
        try Canvas.paint(on: buffer) { canvas in
            canvas.draw(image, x: 0, y: 0)
            paint(canvas)
        }
        try ImageFile.write(buffer, to: file)
    }
}
