public import Foundation
import TextLayout
public import VisionImage

/// A line of text: runs of letters that have one font and one colour.
///
/// Letters are shaped by HarfBuzz: ligatures, kerning, marks, Arabic and Indic scripts. Parts that are written from
/// right to left stand as in Unicode's bidirectional algorithm; the first letter decides the direction of the line.
/// Letters that a font lacks come from the other installed fonts; letters of bitmaps, such as coloured emoji, are not
/// drawn.
public final class CTLine {
    let line: ShapedLine
    /// The colours of the pieces of the line.
    private let colours: [CGColor?]

    init(_ string: NSAttributedString) {
        var pieces: [TextPiece] = []
        var colours: [CGColor?] = []
        string.enumerateAttributes(in: NSRange(location: 0, length: string.length)) { attributes, range, _ in
            let font =
                attributes[NSAttributedString.Key(rawValue: kCTFontAttributeName)] as? CTFont
                ?? CTFont(name: "Helvetica", size: 12)
            pieces.append(font.piece((string.string as NSString).substring(with: range)))
            colours.append(attributes[NSAttributedString.Key(rawValue: kCTForegroundColorAttributeName)] as? CGColor)
        }
        (line, self.colours) = (ShapedLine(pieces), colours)
    }

    /// The colour of a run; nil for the fill colour of the context.
    func colour(of run: GlyphRun) -> CGColor? { colours[run.piece] }
}

/// Returns a line of the text.
public func CTLineCreateWithAttributedString(_ attrString: CFAttributedString) -> CTLine { CTLine(attrString) }

/// Returns the width of a line, and the largest ascent, descent and leading of its fonts.
@discardableResult
public func CTLineGetTypographicBounds(
    _ line: CTLine, _ ascent: UnsafeMutablePointer<CGFloat>?, _ descent: UnsafeMutablePointer<CGFloat>?,
    _ leading: UnsafeMutablePointer<CGFloat>?
) -> Double {
    ascent?.pointee = CGFloat(line.line.ascent)
    descent?.pointee = CGFloat(line.line.descent)
    leading?.pointee = CGFloat(line.line.leading)
    return line.line.width
}

/// Returns the smallest rectangle around the outlines of the letters, with the text at the text position of the
/// context; `CGRect.null` for a line without ink.
public func CTLineGetImageBounds(_ line: CTLine, _ context: CGContext?) -> CGRect {
    let box = line.line.runs.reduce(CGRect.null) { box, run in
        // The outline of a space is a point.
        let inked = run.outline().boundingBoxOfPath
        return inked.width > 0 || inked.height > 0 ? box.union(inked) : box
    }
    guard let position = context?.textPosition, !box.isNull else { return box }
    return box.offsetBy(dx: position.x, dy: position.y)
}

/// Draws a line with its baseline at the text position of the context, and moves the text position to its end. Letters
/// are filled, stroked or added to the clip by the text drawing mode.
public func CTLineDraw(_ line: CTLine, _ context: CGContext) {
    let mode = context.textDrawingMode
    var clip: [CGPath] = []
    for run in line.line.runs {
        var transform = context.textMatrix
        context.addSearchable(
            text: run.text, size: CGFloat(run.size), width: CGFloat(run.width),
            matrix: CGAffineTransform(translationX: CGFloat(run.offset), y: 0).concatenating(transform))
        guard let outline = run.outline().copy(using: &transform) else { continue }
        if mode.isClipped { clip.append(outline) }
        context.saveGState()
        if let colour = line.colour(of: run) {
            context.setFillColor(colour)
            context.setStrokeColor(colour)
        }
        context.beginPath()
        context.addPath(outline)
        if let drawing = mode.pathMode { context.drawPath(using: drawing) } else { context.beginPath() }
        context.restoreGState()
    }
    if mode.isClipped {
        for outline in clip { context.addPath(outline) }
        context.clip()
    }
    let end = CGPoint(x: CGFloat(line.line.width), y: 0).applying(context.textMatrix)
    context.textPosition = end
}

extension CGTextDrawingMode {
    /// How the outlines are drawn; nil if they are not.
    fileprivate var pathMode: CGPathDrawingMode? {
        switch self {
        case .fill, .fillClip: .fill
        case .stroke, .strokeClip: .stroke
        case .fillStroke, .fillStrokeClip: .fillStroke
        case .invisible, .clip: nil
        }
    }

    fileprivate var isClipped: Bool { rawValue >= CGTextDrawingMode.fillClip.rawValue }
}
