import Foundation
import Vision
import VisionPhotos

/// The text lines of one photo, or of one page of a file with several, found but not read.
struct PhotoText: Sendable {
    let photo: Photo
    /// The number of the page from 1; nil for a file with a single page.
    let number: Int?
    let lines: [VNTextObservation]

    /// - Throws: The error of the request.
    init(_ photo: Photo, number: Int?, wantsCharacters: Bool, minConfidence: Float, revision: Int?) throws {
        let request = VNDetectTextRectanglesRequest()
        request.reportCharacterBoxes = wantsCharacters
        if let revision { request.revision = revision }
        (self.photo, self.number) = (photo, number)
        try photo.perform([request])
        lines = (request.results ?? []).filter { $0.confidence >= minConfidence }
    }

    /// Writes the photo with an outline around each text line, and thin ones around its characters.
    func render(to file: String) throws {
        try photo.write(to: file) { canvas in
            for (index, line) in lines.enumerated() {
                QuadPainter(weight: 0.5).draw(
                    (line.characterBoxes ?? []).map {
                        QuadPainter.Quad(
                            quad: photo.quad(of: $0), confidence: 1, colour: .forTarget(index + 1), hasDot: false)
                    }, on: canvas)
            }
            QuadPainter().draw(
                lines.enumerated().map {
                    QuadPainter.Quad(
                        quad: photo.quad(of: $1), confidence: 1, label: "\($0 + 1)", colour: .forTarget($0))
                }, on: canvas)
        }
    }
}
