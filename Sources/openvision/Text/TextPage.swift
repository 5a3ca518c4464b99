import Foundation
import Vision
import VisionImage
import VisionPhotos
import VisionVideo

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
    /// Lines with a lower confidence are left out.
    var minConfidence: Float = 0
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
            guard let top = observation.topCandidates(1).first, top.confidence >= options.minConfidence else {
                return nil
            }
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

    /// Whether a drawing has boxes for letters that no installed font has.
    var lacksLetters: Bool { lines.contains { !Canvas.canDraw($0.text) } }

    /// Writes the photo with an outline and a number for each line in reading order, and beside it what was read, each
    /// line where it is in the photo.
    func render(to file: String) throws {
        let image = try photo.image()
        let buffer = try CVPixelBuffer.make(
            width: 2 * photo.width, height: photo.height, format: kCVPixelFormatType_32BGRA, path: file)
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), .white)
            canvas.draw(image, x: 0, y: 0)
            let scale = DrawingScale(width: photo.width, height: photo.height)
            for (index, line) in lines.enumerated() {
                canvas.stroke(
                    line.quad.corners, isClosed: true, width: max(1.5, scale.line / 2), .forTarget(index),
                    dash: line.confidence >= BoxPainter.solidConfidence ? nil : (5 * scale.line, 4 * scale.line),
                    halo: 1)
            }
            LabelLayout.draw(
                lines.enumerated().map { index, line in
                    let box = line.quad.bounds
                    return LabelLayout.Label(
                        text: "\(index + 1)",
                        anchor: CGRect(x: box.x ?? 0, y: box.y ?? 0, width: box.width ?? 0, height: box.height ?? 0),
                        colour: .forTarget(index), isBeside: true)
                }, size: max(9, scale.letters * 0.7), on: canvas)
            for (index, line) in lines.enumerated() { draw(line, index, on: canvas) }
        }
        try ImageFile.write(buffer, to: file)
    }

    /// Writes the text of a line into its outline, beside the photo.
    private func draw(_ line: TextLine, _ index: Int, on canvas: Canvas) {
        let corners = line.quad.corners.map { CGPoint(x: $0.x + CGFloat(photo.width), y: $0.y) }
        func length(_ from: Int, _ to: Int) -> Double {
            hypot(Double(corners[to].x - corners[from].x), Double(corners[to].y - corners[from].y))
        }
        let (height, width) = ((length(0, 3) + length(1, 2)) / 2, (length(0, 1) + length(3, 2)) / 2)
        guard height.isFinite, width.isFinite, height > 1, width > 1 else { return }
        canvas.fill(corners, .forTarget(index), opacity: 0.18)
        let size = height * 0.78
        let natural = canvas.size(of: line.text, size: size)
        // As high as the line, and narrower or wider so that it fills it; vertical lines are read downwards.
        let stretch = min(max(width / max(natural.width, 1), 0.35), 1.6)
        let down = CGPoint(
            x: (corners[3].x - corners[0].x) / CGFloat(height), y: (corners[3].y - corners[0].y) / CGFloat(height))
        let baseline = CGFloat((height + natural.ascent - natural.descent) / 2)
        canvas.text(
            line.text, at: CGPoint(x: corners[0].x + down.x * baseline, y: corners[0].y + down.y * baseline),
            size: size, .black,
            angle: atan2(Double(corners[1].y - corners[0].y), Double(corners[1].x - corners[0].x)), stretch: stretch)
    }
}
