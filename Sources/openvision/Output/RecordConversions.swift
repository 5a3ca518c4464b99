import Foundation
import Vision
import VisionImage
import VisionRecords
import VisionPhotos

extension Photo {
    /// The photo in a record.
    func reference(_ path: FilePath) -> MediaReference { MediaReference(path: path.text, width: width, height: height) }
}

extension PixelQuad {
    /// The corners in a record.
    var points: [PixelPoint] { corners.map { PixelPoint(x: Double($0.x), y: Double($0.y)) } }

    /// The box around the corners.
    var bounds: PixelRectangleRecord {
        let (xs, ys) = (corners.map { Double($0.x) }, corners.map { Double($0.y) })
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        return PixelRectangleRecord(
            x: left, y: top, width: (xs.max() ?? 0) - left, height: (ys.max() ?? 0) - top)
    }
}

extension VideoFormat {
    /// A video of this format in a record.
    func reference(_ path: String) -> MediaReference { MediaReference(path: path, width: width, height: height) }
}

/// Matrices between pixels from the lower left corner, as Vision has them, and from the top left, as records have them.
enum RecordMatrix {
    /// - Parameters:
    ///   - rows: A matrix by rows that takes pixels of one image to pixels of another, from their lower left corners.
    ///   - height: Of the first image.
    ///   - resultHeight: Of the second one.
    /// - Returns: The same for pixels from the top left corners.
    static func fromTopLeft(_ rows: [[Double]], height: Double, resultHeight: Double) -> [[Double]] {
        // Turned upside down before and after: y becomes height - y.
        let turned = rows.map { row in [row[0], -row[1], row[1] * height + row[2]] }
        return [turned[0], (0..<3).map { resultHeight * turned[2][$0] - turned[1][$0] }, turned[2]]
    }
}

/// Sizes of images that nothing else tells.
enum ImageSizes {
    /// An image in a record, with its size; without where it cannot be read. Reads the header only.
    static func reference(_ path: FilePath) throws -> MediaReference {
        let size = try? ImageSource(url: URL(fileURLWithPath: path.text)).uprightSize()
        return MediaReference(path: path.text, width: size?.width, height: size?.height)
    }
}

extension RegistrationRecord {
    /// - Parameter rows: What takes pixels of `floating` to pixels of `reference`, from their lower left corners, by
    ///   rows.
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
