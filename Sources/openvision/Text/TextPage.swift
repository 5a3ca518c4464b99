import Foundation
import Vision
import VisionImage
import VisionPhotos

/// A part of a line between spaces.
struct TextWord: Sendable {
    let text: String
    let quad: PixelQuad
}

/// A line of text.
struct TextLine: Sendable {
    let text: String
    let confidence: Float
    let quad: PixelQuad
    let words: [TextWord]
}

/// How text is read.
struct TextReadingOptions: Sendable {
    var level = VNRequestTextRecognitionLevel.accurate
    /// Empty to read every script.
    var languages: [String] = []
    var customWords: [String] = []
    var revision: Int?

    var request: VNRecognizeTextRequest {
        let request = VNRecognizeTextRequest()
        request.revision = revision ?? VNRecognizeTextRequestRevision3
        request.recognitionLevel = level
        request.automaticallyDetectsLanguage = languages.isEmpty
        if !languages.isEmpty { request.recognitionLanguages = languages }
        request.customWords = customWords
        return request
    }
}

/// The text of one photo, or of one page of a file with several.
struct TextPage: Sendable {
    let path: FilePath
    /// The number of the page from 1; nil for a file with a single page.
    let number: Int?
    let photo: Photo
    let lines: [TextLine]

    /// What the page is called: the path, with the number of the page if the file has several.
    var title: String { photo.title(path, page: number) }

    init(path: FilePath, number: Int? = nil, photo: Photo, lines: [TextLine]) {
        (self.path, self.number, self.photo, self.lines) = (path, number, photo, lines)
    }

    /// - Throws: The error of the request.
    init(_ photo: Photo, path: FilePath, number: Int?, _ options: TextReadingOptions) throws {
        let request = options.request
        try photo.perform([request])
        let lines = try (request.results ?? []).compactMap { observation -> TextLine? in
            guard let top = observation.topCandidates(1).first else { return nil }
            return TextLine(
                text: top.string, confidence: top.confidence, quad: photo.quad(of: observation),
                words: try Self.words(of: top, in: photo))
        }
        self.init(path: path, number: number, photo: photo, lines: lines)
    }

    private static func words(of text: VNRecognizedText, in photo: Photo) throws -> [TextWord] {
        try text.string.split(separator: " ").compactMap { word in
            guard let box = try text.boundingBox(for: word.startIndex..<word.endIndex) else { return nil }
            return TextWord(text: String(word), quad: photo.quad(of: box))
        }
    }

    /// Writes the photo with an outline around each line and its text above it.
    func render(to file: String) throws {
        try photo.write(to: file) { canvas in
            let painter = QuadPainter(videoHeight: max(photo.width, photo.height) / 2)
            for (index, line) in lines.enumerated() {
                painter.draw(line.quad, confidence: line.confidence, target: index, on: canvas)
            }
            for (index, line) in lines.enumerated() { draw(line, index, on: canvas) }
        }
    }

    /// Writes the text of a line on a plate at its top left corner, as large as the line is high. What the bitmap font
    /// lacks is drawn as a question mark.
    private func draw(_ line: TextLine, _ index: Int, on canvas: Canvas) {
        let corners = line.quad.corners
        let height = hypot(corners[3].x - corners[0].x, corners[3].y - corners[0].y)
        guard height.isFinite, let left = corners.map(\.x).min(), let top = corners.map(\.y).min() else { return }
        let scale = max(1, Int(height * 0.45 / Double(BitmapFont.height)))
        let text = BitmapFont.drawable(line.text, limit: .max)
        let (width, plate) = (BitmapFont.width(of: text, scale: scale) + 2 * scale, (BitmapFont.height + 2) * scale)
        let (x, y) = (max(0, Int(left)), max(0, Int(top) - plate))
        canvas.fill(PixelRectangle(x: x, y: y, width: width, height: plate), Colour.forTarget(index))
        BitmapFont.draw(text, x: x + scale, y: y + scale, scale: scale, .black, on: canvas)
    }
}
