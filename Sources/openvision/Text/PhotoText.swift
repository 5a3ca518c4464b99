import Foundation
import Vision
import VisionPhotos

/// The text lines of one photo, found but not read.
struct PhotoText: Sendable {
    let photo: Photo
    let lines: [VNTextObservation]

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(of path: FilePath, wantsCharacters: Bool, revision: Int?) throws {
        let request = VNDetectTextRectanglesRequest()
        request.reportCharacterBoxes = wantsCharacters
        if let revision { request.revision = revision }
        photo = try Photo(path)
        try photo.perform([request])
        lines = request.results ?? []
    }

    /// Writes the photo with an outline around each text line, and thin ones around its characters.
    func render(to file: String) throws {
        try photo.write(to: file) { canvas in
            let painter = QuadPainter(videoHeight: max(photo.width, photo.height) / 2)
            let thin = QuadPainter(thickness: 1)
            for (index, line) in lines.enumerated() {
                painter.draw(photo.quad(of: line), confidence: 1, target: index, on: canvas)
                for character in line.characterBoxes ?? [] {
                    thin.draw(photo.quad(of: character), confidence: 1, target: index + 1, on: canvas)
                }
            }
        }
    }
}
