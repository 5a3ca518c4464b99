public import Foundation

/// What is done with the outlines of letters.
public enum CGTextDrawingMode: Int32, Sendable {
    /// Filled.
    case fill = 0
    /// Stroked.
    case stroke = 1
    /// Filled, then stroked.
    case fillStroke = 2
    /// Nothing.
    case invisible = 3
    /// Filled, and added to the clip.
    case fillClip = 4
    /// Stroked, and added to the clip.
    case strokeClip = 5
    /// Filled, stroked, and added to the clip.
    case fillStrokeClip = 6
    /// Added to the clip.
    case clip = 7
}

/// Where and how text goes. Letters are drawn by `CTLineDraw`, in the product `CoreText`, which needs Cairo.
extension CGContext {
    /// The origin of the next text, in user coordinates before the text matrix: its translation.
    public var textPosition: CGPoint {
        get { CGPoint(x: textMatrix.tx, y: textMatrix.ty) }
        set { (textMatrix.tx, textMatrix.ty) = (newValue.x, newValue.y) }
    }

    /// Sets what is done with the outlines of letters.
    public func setTextDrawingMode(_ mode: CGTextDrawingMode) { state.textMode = mode }

    package var textDrawingMode: CGTextDrawingMode { state.textMode }
}
