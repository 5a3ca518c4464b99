import CHarfBuzz
import Foundation
package import VisionImage

extension GlyphRun {
    /// Returns the outlines of the glyphs at their place in the line, y up.
    package func outline() -> CGPath {
        let pen = OutlinePen()
        let functions = hb_draw_funcs_create()
        defer { hb_draw_funcs_destroy(functions) }
        hb_draw_funcs_set_move_to_func(
            functions, { _, pen, _, x, y, _ in OutlinePen.at(pen)?.move(x, y) }, nil, nil)
        hb_draw_funcs_set_line_to_func(
            functions, { _, pen, _, x, y, _ in OutlinePen.at(pen)?.line(x, y) }, nil, nil)
        hb_draw_funcs_set_quadratic_to_func(
            functions, { _, pen, _, cx, cy, x, y, _ in OutlinePen.at(pen)?.quadratic(cx, cy, x, y) }, nil, nil)
        hb_draw_funcs_set_cubic_to_func(
            functions, { _, pen, _, ax, ay, bx, by, x, y, _ in OutlinePen.at(pen)?.cubic(ax, ay, bx, by, x, y) }, nil,
            nil)
        hb_draw_funcs_set_close_path_func(functions, { _, pen, _, _ in OutlinePen.at(pen)?.close() }, nil, nil)
        pen.scale = size / face.unitsPerEm
        for glyph in glyphs {
            (pen.x, pen.y) = (glyph.x, glyph.y)
            chb_draw_glyph(face.font, glyph.identifier, functions, Unmanaged.passUnretained(pen).toOpaque())
        }
        return pen.path
    }
}

/// Makes a path of what HarfBuzz draws, in the units of the font.
private final class OutlinePen {
    let path = CGMutablePath()
    var scale = 1.0
    var x = 0.0
    var y = 0.0

    static func at(_ address: UnsafeMutableRawPointer?) -> OutlinePen? {
        address.map { Unmanaged<OutlinePen>.fromOpaque($0).takeUnretainedValue() }
    }

    private func point(_ dx: Float, _ dy: Float) -> CGPoint {
        CGPoint(x: x + Double(dx) * scale, y: y + Double(dy) * scale)
    }

    func move(_ x: Float, _ y: Float) { path.move(to: point(x, y)) }

    func line(_ x: Float, _ y: Float) { path.addLine(to: point(x, y)) }

    func quadratic(_ cx: Float, _ cy: Float, _ x: Float, _ y: Float) {
        path.addQuadCurve(to: point(x, y), control: point(cx, cy))
    }

    func cubic(_ ax: Float, _ ay: Float, _ bx: Float, _ by: Float, _ x: Float, _ y: Float) {
        path.addCurve(to: point(x, y), control1: point(ax, ay), control2: point(bx, by))
    }

    func close() { path.closeSubpath() }
}
