import Foundation
import Vision
import VisionImage

/// A PDF of photos with their text: each page shows a photo, and holds the words invisibly where the photo shows them,
/// so that the document can be searched and its text copied.
enum SearchablePDF {
    /// The unit of a PDF is 1/72 inch; photos are taken to have this many pixels per inch.
    private static let resolution: CGFloat = 150

    /// Returns the document.
    ///
    /// - Throws: The error of decoding a photo or encoding it again.
    static func document(of pages: [TextPage]) throws -> Data {
        let document = PDFWriter(mediaBox: CGRect(x: 0, y: 0, width: 612, height: 792), information: [:])
        let scale = 72 / resolution
        for page in pages {
            let (width, height) = (CGFloat(page.photo.width) * scale, CGFloat(page.photo.height) * scale)
            document.beginPage(CGRect(x: 0, y: 0, width: width, height: height))
            document.draw(
                jpeg: try page.photo.jpeg(), width: page.photo.width, height: page.photo.height,
                CGAffineTransform(a: width, b: 0, c: 0, d: height, tx: 0, ty: 0))
            for word in page.lines.flatMap(\.words) { write(word, of: page, to: document, scale) }
        }
        return document.finished()
    }

    /// Writes one word: stretched to its box, and along its line.
    private static func write(_ word: TextWord, of page: TextPage, to document: PDFWriter, _ scale: CGFloat) {
        let corners = word.quad.corners.map { CGPoint(x: $0.x, y: CGFloat(page.photo.height) - $0.y) }
        let (left, right, top) = (corners[3], corners[2], corners[0])
        let length = hypot(right.x - left.x, right.y - left.y)
        let height = hypot(top.x - left.x, top.y - left.y)
        guard length.isFinite, height.isFinite, length > 0 else { return }
        let (c, s) = (scale * (right.x - left.x) / length, scale * (right.y - left.y) / length)
        document.write(
            text: word.text, size: height, width: length,
            CGAffineTransform(a: c, b: s, c: -s, d: c, tx: left.x * scale, ty: left.y * scale))
    }
}
