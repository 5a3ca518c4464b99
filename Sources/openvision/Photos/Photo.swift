import Foundation
import Vision
import VisionImage
import VisionPhotos
import VisionVideo

/// The bytes of a photo file, which may have several pages.
struct PhotoPages: Sendable {
    private let pages: TIFFPages
    /// The number of pages: the directories of a TIFF file, 1 for other files.
    var count: Int { pages.count }

    /// - Parameter path: The path of a file, or "-" for the standard input.
    /// - Throws: `PhotoFile.Failure`.
    init(_ path: FilePath) throws {
        pages = TIFFPages(try PhotoFile.read(path).data)
    }

    /// Processes the pages one after the other.
    ///
    /// - Parameter process: Gets a page with its number from 1, or nil for a file with a single page.
    /// - Returns: The results of the pages that can be processed, and why the others cannot.
    /// - Throws: The error of a file with a single page.
    func processed<Result>(
        _ process: (_ photo: Photo, _ number: Int?) throws -> Result
    ) throws -> (results: [Result], failure: String?) {
        guard count > 1 else { return ([try process(try Photo(self, page: 0), nil)], nil) }
        var results: [Result] = []
        var failures: [String] = []
        for page in 0..<count {
            do {
                results.append(try process(try Photo(self, page: page), page + 1))
            } catch {
                failures.append("page \(page + 1) of \(count): \(error.photoReason)")
            }
        }
        return (results, failures.isEmpty ? nil : failures.joined(separator: "; "))
    }

    /// Returns the bytes of an image file that shows a page.
    func data(ofPage index: Int) -> Data { pages.page(index) }
}

/// A photo in memory, on which requests run and results are drawn.
struct Photo: Sendable {
    /// The size of the upright photo.
    let width: Int
    let height: Int
    private let pages: PhotoPages
    private let page: Int

    /// The bytes are shared by the pages of a file, so they are selected for each use.
    private var data: Data { pages.data(ofPage: page) }

    /// - Throws: `PhotoFile.Failure`, and `ImageError` when the file is not an image.
    init(_ path: FilePath) throws { try self.init(PhotoPages(path), page: 0) }

    /// - Throws: `ImageError` when the page is not an image.
    init(_ pages: PhotoPages, page: Int) throws {
        (self.pages, self.page) = (pages, page)
        (width, height) = try ImageSource(data: pages.data(ofPage: page)).uprightSize()
    }

    func perform(_ requests: [VNRequest]) throws { try handler().perform(requests) }

    /// Returns a new handler of the photo.
    func handler() -> VNImageRequestHandler { VNImageRequestHandler(data: data) }

    /// Returns the corners of an observation in pixels from the top left.
    func quad(of observation: VNRectangleObservation) -> PixelQuad {
        PixelQuad(observation, width: width, height: height)
    }

    /// Decodes the whole photo, upright, as `bgra8`.
    func image() throws -> Raster {
        try image(of: PixelRegion(width: width, height: height), width: width, height: height)
    }

    /// Decodes a region of the upright photo, scaled to a size, as `bgra8`.
    func image(of region: PixelRegion, width: Int, height: Int) throws -> Raster {
        try ImageSource(data: data).derivative(
            Derivative(region: region, width: width, height: height, format: .bgra8))
    }

    /// Returns the upright photo as a JPEG file.
    func jpeg() throws -> Data { try image().converted(to: .rgb8).encodedJPEG(quality: 0.85) }

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
