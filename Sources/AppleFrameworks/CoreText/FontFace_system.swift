import CCairo
import VisionImage

/// A family of fonts in one style and size, as Cairo has it: fontconfig chooses the installed font that is nearest to
/// the name, so there is always one.
struct FontFace {
    let family: String
    let isBold: Bool
    let isItalic: Bool
    let size: Double

    /// The metrics of the font in units of text space, downwards positive for the descent.
    struct Metrics {
        var ascent = 0.0
        var descent = 0.0
        var leading = 0.0
    }

    var metrics: Metrics {
        withContext { context in
            var found = cairo_font_extents_t()
            cairo_font_extents(context, &found)
            return Metrics(
                ascent: found.ascent, descent: found.descent,
                leading: max(0, found.height - found.ascent - found.descent))
        } ?? Metrics()
    }

    /// The distance from the start of the text to where the next text goes on.
    func advance(of text: String) -> Double {
        withContext { context in
            var found = cairo_text_extents_t()
            cairo_text_extents(context, text, &found)
            return found.x_advance.isFinite ? found.x_advance : 0
        } ?? 0
    }

    /// Returns the outlines of the text, with its baseline from the origin to the right, y up.
    func outline(of text: String) -> CGPath {
        let path = CGMutablePath()
        withContext { context in
            cairo_move_to(context, 0, 0)
            cairo_text_path(context, text)
            guard let copied = cairo_copy_path(context) else { return }
            defer { cairo_path_destroy(copied) }
            guard copied.pointee.status == CAIRO_STATUS_SUCCESS, let data = copied.pointee.data else { return }
            var index = 0
            let count = Int(copied.pointee.num_data)
            func point(_ offset: Int) -> CGPoint {
                CGPoint(x: data[index + offset].point.x, y: -data[index + offset].point.y)
            }
            while index < count {
                let header = data[index].header
                switch header.type {
                case CAIRO_PATH_MOVE_TO: path.move(to: point(1))
                case CAIRO_PATH_LINE_TO: path.addLine(to: point(1))
                case CAIRO_PATH_CURVE_TO: path.addCurve(to: point(3), control1: point(1), control2: point(2))
                default: path.closeSubpath()
                }
                index += max(1, Int(header.length))
            }
        }
        return path
    }

    /// Runs a closure with a context that has the font; nil where memory is short.
    private func withContext<Result>(_ body: (OpaquePointer) -> Result) -> Result? {
        // Nothing is drawn on it, so it needs no pixels; hints would round advances to whole ones.
        let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1)
        defer { cairo_surface_destroy(surface) }
        guard let surface, let context = cairo_create(surface) else { return nil }
        defer { cairo_destroy(context) }
        cairo_select_font_face(
            context, family, isItalic ? CAIRO_FONT_SLANT_ITALIC : CAIRO_FONT_SLANT_NORMAL,
            isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
        cairo_set_font_size(context, size)
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_set_font_options(context, options)
        cairo_font_options_destroy(options)
        guard cairo_status(context) == CAIRO_STATUS_SUCCESS else { return nil }
        return body(context)
    }
}
