import Foundation
import Vision
import VisionImage
import VisionPhotos

/// One photo in memory: to be looked at by requests, and to be drawn on.
struct Photo: Sendable {
    /// Of the upright photo.
    let width: Int
    let height: Int
    private let data: Data

    /// - Throws: `PhotoFile.Failure`, and `ImageError` when the file is no photo.
    init(_ path: FilePath) throws {
        data = try PhotoFile.read(path).data
        (width, height) = try ImageSource(data: data).uprightSize()
    }

    func perform(_ requests: [VNRequest]) throws {
        try VNImageRequestHandler(data: data).perform(requests)
    }

    /// The corners of an observation in pixels from the top left.
    func quad(of observation: VNRectangleObservation) -> PixelQuad {
        PixelQuad(observation, width: width, height: height)
    }

    /// All of it, upright, as `bgra8`.
    func picture() throws -> Raster {
        try ImageSource(data: data).derivative(
            Derivative(
                region: PixelRegion(width: width, height: height), width: width, height: height, format: .bgra8))
    }

    /// Writes the photo with what `paint` adds.
    func write(to file: String, paint: (Canvas) -> Void) throws {
        try Self.write(picture(), to: file, paint: paint)
    }

    static func write(_ picture: Raster, to file: String, paint: (Canvas) -> Void = { _ in }) throws {
        let buffer = try CVPixelBuffer.make(
            width: picture.width, height: picture.height, format: kCVPixelFormatType_32BGRA, path: file)
        try Canvas.paint(on: buffer) { canvas in
            canvas.draw(picture, x: 0, y: 0)
            paint(canvas)
        }
        try ImageFile.write(buffer, to: file)
    }
}
