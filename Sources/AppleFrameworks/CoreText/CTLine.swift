public import Foundation
public import VisionImage

/// A line of text: runs of letters that have one font and one colour.
///
/// Letters are set one behind the other from left to right, with kerning as the font's outlines have it. There is no
/// shaping: Arabic, Indic scripts and ligatures need Pango or HarfBuzz.
public final class CTLine {
    struct Run {
        let text: String
        let font: CTFont
        let colour: CGColor?
        /// Where the run begins, from the start of the line.
        let offset: CGFloat
        let width: CGFloat
    }

    let runs: [Run]
    let width: CGFloat

    init(_ string: NSAttributedString) {
        var runs: [Run] = []
        var offset: CGFloat = 0
        string.enumerateAttributes(in: NSRange(location: 0, length: string.length)) { attributes, range, _ in
            // A zero byte would end the text, and line breaks have no outline.
            let text = (string.string as NSString).substring(with: range)
                .replacingOccurrences(of: "\0", with: "").replacingOccurrences(of: "\n", with: " ")
            let font =
                attributes[NSAttributedString.Key(rawValue: kCTFontAttributeName)] as? CTFont
                ?? CTFont(name: "Helvetica", size: 12)
            let colour = attributes[NSAttributedString.Key(rawValue: kCTForegroundColorAttributeName)] as? CGColor
            let width = CGFloat(font.face.advance(of: text))
            runs.append(Run(text: text, font: font, colour: colour, offset: offset, width: width))
            offset += width
        }
        (self.runs, width) = (runs, offset)
    }

    /// The outlines of a run at its place in the line.
    func outline(of run: Run) -> CGPath {
        var transform = CGAffineTransform(translationX: run.offset, y: 0)
        return run.font.face.outline(of: run.text).copy(using: &transform) ?? CGPath()
    }
}

/// Returns a line of the text.
public func CTLineCreateWithAttributedString(_ attrString: CFAttributedString) -> CTLine { CTLine(attrString) }

/// Returns the width of a line, and the largest ascent, descent and leading of its fonts.
@discardableResult
public func CTLineGetTypographicBounds(
    _ line: CTLine, _ ascent: UnsafeMutablePointer<CGFloat>?, _ descent: UnsafeMutablePointer<CGFloat>?,
    _ leading: UnsafeMutablePointer<CGFloat>?
) -> Double {
    let metrics = line.runs.map(\.font.face.metrics)
    ascent?.pointee = CGFloat(metrics.map(\.ascent).max() ?? 0)
    descent?.pointee = CGFloat(metrics.map(\.descent).max() ?? 0)
    leading?.pointee = CGFloat(metrics.map(\.leading).max() ?? 0)
    return Double(line.width)
}

/// Returns the smallest rectangle around the outlines of the letters, with the text at the text position of the
/// context; `CGRect.null` for a line without ink.
public func CTLineGetImageBounds(_ line: CTLine, _ context: CGContext?) -> CGRect {
    let box = line.runs.reduce(CGRect.null) { box, run in
        // The outline of a space is a point.
        let inked = line.outline(of: run).boundingBoxOfPath
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
    for run in line.runs {
        var transform = context.textMatrix
        context.addSearchable(
            text: run.text, size: CGFloat(run.font.face.size), width: run.width,
            matrix: CGAffineTransform(translationX: run.offset, y: 0).concatenating(transform))
        guard let outline = line.outline(of: run).copy(using: &transform) else { continue }
        if mode.isClipped { clip.append(outline) }
        context.saveGState()
        if let colour = run.colour {
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
    let end = CGPoint(x: line.width, y: 0).applying(context.textMatrix)
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
