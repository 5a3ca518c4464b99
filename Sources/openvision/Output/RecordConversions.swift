import Vision
import VisionRecords
import VisionPhotos
import VisionVideo

extension Photo {
    /// Returns the photo for a record.
    ///
    /// - Parameter page: The number of the page from 1; nil for a file with a single page.
    func reference(_ path: FilePath, page: Int? = nil) -> MediaReference {
        MediaReference(path: path.text, width: width, height: height, page: page)
    }

    /// Returns the name of the photo for people.
    func title(_ path: FilePath, page: Int?) -> String { path.printable + (page.map { ", page \($0)" } ?? "") }
}

extension PixelQuad {
    /// The corners for a record.
    var points: [PixelPoint] { corners.map { PixelPoint(x: Double($0.x), y: Double($0.y)) } }

    /// The bounding box of the corners.
    var bounds: PixelRectangleRecord {
        let (xs, ys) = (corners.map { Double($0.x) }, corners.map { Double($0.y) })
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        return PixelRectangleRecord(
            x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
    }
}

extension VideoFormat {
    /// Returns a video of this format for a record.
    func reference(_ path: String) -> MediaReference { MediaReference(path: path, width: width, height: height) }
}

/// Converts matrices from Vision's pixel coordinates (origin at the lower left) to those of records (top left).
enum RecordMatrix {
    /// - Parameters:
    ///   - rows: The rows of a matrix that maps pixels of one image to pixels of another, origins at the lower left.
    ///   - height: The height of the first image.
    ///   - resultHeight: The height of the second image.
    /// - Returns: The same matrix for origins at the top left.
    static func fromTopLeft(_ rows: [[Double]], height: Double, resultHeight: Double) -> [[Double]] {
        // Flip y before and after: y becomes height - y.
        let flipped = rows.map { row in [row[0], -row[1], row[1] * height + row[2]] }
        return [flipped[0], (0..<3).map { resultHeight * flipped[2][$0] - flipped[1][$0] }, flipped[2]]
    }
}

/// Sizes of images, read from their headers.
enum ImageSizes {
    /// Returns an image for a record, with its size if that can be read. Reads the header only.
    static func reference(_ path: FilePath) throws -> MediaReference {
        let source =
            path == .standardInput
            ? try ImageSource(data: PhotoFile.read(path).data) : ImageSource(url: URL(fileURLWithPath: path.text))
        let size = try? source.uprightSize()
        return MediaReference(path: path.text, width: size?.width, height: size?.height)
    }
}

extension RegistrationRecord {
    /// - Parameter rows: The rows of a matrix that maps pixels of `floating` to pixels of `reference`, origins at the
    ///   lower left.
    init(
        kind: String, _ reference: String, _ floating: String, rows: [[Double]], confidence: Float, elapsed: Duration
    ) throws {
        let (image, moved) = (
            try ImageSizes.reference(FilePath(reference)), try ImageSizes.reference(FilePath(floating))
        )
        let transform = RecordMatrix.fromTopLeft(
            rows, height: Double(moved.height ?? 0), resultHeight: Double(image.height ?? 0))
        self.init(
            kind: kind, image: image, floating: moved, milliseconds: elapsed.milliseconds,
            results: [Result(transform: transform, confidence: Decimals.rounded(Double(confidence), 4))])
    }
}
