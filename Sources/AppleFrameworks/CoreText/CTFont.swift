public import Foundation
import TextLayout
public import VisionImage

/// A font: the name of a family, its style, and a size.
public final class CTFont: Sendable, Hashable {
    let name: String
    let size: Double
    private let request: FontRequest

    /// The largest size: outlines stay finite.
    private static let maximumSize = 10_000.0

    init(name: String, size: CGFloat) {
        self.name = name.contains("\0") ? "" : name
        let parts = self.name.split(separator: "-", maxSplits: 1)
        let style = parts.count > 1 ? parts[1].lowercased() : ""
        self.size = size.isFinite && size > 0 ? min(Double(size), Self.maximumSize) : 12
        request = FontRequest(
            family: parts.first.map(String.init) ?? "", isBold: style.contains("bold") || style.contains("heavy"),
            isItalic: style.contains("italic") || style.contains("oblique"))
    }

    /// A text in this font.
    func piece(_ text: String) -> TextPiece { TextPiece(text: text, font: request, size: size) }

    /// A line without text: its heights are those of the font.
    fileprivate var emptyLine: ShapedLine { ShapedLine([piece("")]) }

    /// Whether both have the same name and size.
    public static func == (left: CTFont, right: CTFont) -> Bool {
        left.name == right.name && left.size == right.size
    }

    /// Feeds the name and the size to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(size)
    }
}

/// Returns the font of a name. Where it is not installed, fontconfig chooses another one.
///
/// - Parameters:
///   - name: The name of a family, with the style behind a hyphen: `Helvetica-BoldOblique`.
///   - size: The size in units of text space; 12 for 0, at most 10 000.
///   - matrix: Not used.
public func CTFontCreateWithName(
    _ name: CFString, _ size: CGFloat, _ matrix: UnsafePointer<CGAffineTransform>?
) -> CTFont { CTFont(name: name, size: size) }

/// Returns the size.
public func CTFontGetSize(_ font: CTFont) -> CGFloat { CGFloat(font.size) }

/// Returns how far letters reach above the baseline.
public func CTFontGetAscent(_ font: CTFont) -> CGFloat { CGFloat(font.emptyLine.ascent) }

/// Returns how far letters reach below the baseline, as a positive number.
public func CTFontGetDescent(_ font: CTFont) -> CGFloat { CGFloat(font.emptyLine.descent) }

/// Returns the distance between the descent of one line and the ascent of the next.
public func CTFontGetLeading(_ font: CTFont) -> CGFloat { CGFloat(font.emptyLine.leading) }

/// Returns the name with which the font was made.
public func CTFontCopyPostScriptName(_ font: CTFont) -> CFString { font.name }
