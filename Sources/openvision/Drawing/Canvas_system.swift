import CCairo
import TextLayout
import Vision
import VisionVideo

/// A rectangle in whole pixels, origin at the top left.
struct PixelRectangle: Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
}

/// Draws on a 32BGRA buffer with Cairo: lines with smooth edges, and text. Everything is clipped to the buffer.
///
/// Points are in pixels from the top left corner; the centre of the first pixel is (0.5, 0.5). What is not finite, or
/// lies further than a million pixels away, is not drawn. A canvas is valid only inside `paint`.
struct Canvas {
    let width: Int
    let height: Int
    private let rowBytes: Int
    private let pixels: UnsafeMutableRawPointer
    private let surface: OpaquePointer
    private let context: OpaquePointer

    /// The typeface of texts. Where it is not installed, or has no glyph for a character, others are taken.
    private static let typeface = "DejaVu Sans"

    /// Locks the buffer, runs `paint` on it and unlocks it.
    ///
    /// - Throws: `VideoError` when the buffer is not 32BGRA or too large for Cairo (32767 pixels along a side).
    static func paint(on buffer: CVPixelBuffer, _ paint: (Canvas) throws -> Void) throws {
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA,
            let pixels = CVPixelBufferGetBaseAddress(buffer)
        else { throw VideoError(kind: .unsupported, path: "canvas", reason: "only 32BGRA buffers can be drawn on") }
        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
        let surface = cairo_image_surface_create_for_data(
            pixels.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32, Int32(clamping: width),
            Int32(clamping: height), Int32(clamping: rowBytes))
        defer { cairo_surface_destroy(surface) }
        let context = cairo_create(surface)
        defer { cairo_destroy(context) }
        guard let surface, let context, cairo_status(context) == CAIRO_STATUS_SUCCESS else {
            throw VideoError(
                kind: .unsupported, path: "canvas", reason: "an image of \(width)×\(height) pixels cannot be drawn on")
        }
        cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
        try paint(
            Canvas(
                width: width, height: height, rowBytes: rowBytes, pixels: pixels, surface: surface, context: context))
        cairo_surface_flush(surface)
    }

    // MARK: - Areas

    /// Fills whole pixels.
    func fill(_ rectangle: PixelRectangle, _ colour: Colour, opacity: Double = 1) {
        guard rectangle.width > 0, rectangle.height > 0 else { return }
        set(colour, opacity)
        cairo_rectangle(
            context, Double(rectangle.x), Double(rectangle.y), Double(rectangle.width), Double(rectangle.height))
        cairo_fill(context)
    }

    /// Fills a rectangle with round corners.
    func fill(_ rectangle: CGRect, cornerRadius: Double, _ colour: Colour, opacity: Double = 1) {
        let corners = [
            CGPoint(x: rectangle.minX, y: rectangle.minY), CGPoint(x: rectangle.maxX, y: rectangle.maxY),
        ]
        guard corners.allSatisfy(Self.isDrawable), rectangle.width > 0, rectangle.height > 0 else { return }
        let radius = min(cornerRadius, Double(rectangle.width) / 2, Double(rectangle.height) / 2)
        cairo_new_path(context)
        for (index, centre) in [
            (rectangle.maxX, rectangle.minY), (rectangle.maxX, rectangle.maxY), (rectangle.minX, rectangle.maxY),
            (rectangle.minX, rectangle.minY),
        ].enumerated() {
            let (dx, dy) = ([0, 1].contains(index) ? -radius : radius, [0, 3].contains(index) ? radius : -radius)
            let start = Double(index - 1) * .pi / 2
            cairo_arc(context, Double(centre.0) + dx, Double(centre.1) + dy, radius, start, start + .pi / 2)
        }
        cairo_close_path(context)
        set(colour, opacity)
        cairo_fill(context)
    }

    /// Fills a circle.
    func dot(_ centre: CGPoint, radius: Double, _ colour: Colour, opacity: Double = 1) {
        guard Self.isDrawable(centre), radius > 0, radius < 1e6 else { return }
        cairo_new_path(context)
        cairo_arc(context, Double(centre.x), Double(centre.y), radius, 0, 2 * .pi)
        set(colour, opacity)
        cairo_fill(context)
    }

    /// Fills the area inside a polygon.
    func fill(_ points: [CGPoint], _ colour: Colour, opacity: Double = 1) {
        guard trace(points, isClosed: true) else { return }
        set(colour, opacity)
        cairo_fill(context)
    }

    // MARK: - Lines

    /// Draws a polyline through the points.
    ///
    /// - Parameters:
    ///   - dash: The lengths of a dash and of a gap; nil for a solid line. Every side starts and ends with a dash.
    ///   - halo: The width in pixels of a dark border, with which the line is seen on light and dark photos.
    func stroke(
        _ points: [CGPoint], isClosed: Bool = false, width: Double, _ colour: Colour, opacity: Double = 1,
        dash: (on: Double, off: Double)? = nil, halo: Double = 0
    ) {
        guard width > 0, points.count > 1 else { return }
        let sides =
            dash == nil ? [points] : zip(points, points.dropFirst() + (isClosed ? [points[0]] : [])).map { [$0, $1] }
        for (ink, wide, opaque) in [(Colour.black, width + 2 * halo, 0.45 * opacity), (colour, width, opacity)]
        where ink == colour || halo > 0 {
            for side in sides {
                guard trace(side, isClosed: isClosed && dash == nil) else { continue }
                let fitted = dash.map { Self.dashes($0, along: side) } ?? []
                cairo_set_dash(context, fitted, Int32(fitted.count), 0)
                cairo_set_line_cap(context, dash == nil ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT)
                cairo_set_line_width(context, wide)
                set(ink, opaque)
                cairo_stroke(context)
            }
        }
    }

    /// Returns the lengths of dashes and gaps, so changed that the line ends with a dash.
    private static func dashes(_ dash: (on: Double, off: Double), along side: [CGPoint]) -> [Double] {
        let length = hypot(Double(side[1].x - side[0].x), Double(side[1].y - side[0].y))
        let gaps = ((length - dash.on) / (dash.on + dash.off)).rounded()
        guard gaps >= 1 else { return [] }
        return [dash.on, max(1, (length - (gaps + 1) * dash.on) / gaps)]
    }

    /// Makes a path of the points; false where nothing can be drawn.
    private func trace(_ points: [CGPoint], isClosed: Bool) -> Bool {
        guard points.count > 1, points.allSatisfy(Self.isDrawable) else { return false }
        cairo_new_path(context)
        for point in points { cairo_line_to(context, Double(point.x), Double(point.y)) }
        if isClosed { cairo_close_path(context) }
        return true
    }

    private static func isDrawable(_ point: CGPoint) -> Bool {
        point.x.isFinite && point.y.isFinite && abs(point.x) < 1e6 && abs(point.y) < 1e6
    }

    private func set(_ colour: Colour, _ opacity: Double) {
        cairo_set_source_rgba(
            context, Double(colour.red) / 255, Double(colour.green) / 255, Double(colour.blue) / 255,
            min(max(opacity, 0), 1))
    }

    // MARK: - Text

    /// The space that a text needs.
    struct TextSize: Equatable {
        /// How far the next letter would be.
        var width: Double
        /// How far letters reach above the line that they stand on, and below it.
        var ascent: Double
        var descent: Double

        var height: Double { ascent + descent }
    }

    /// Whether the installed fonts have all letters of a text.
    static func canDraw(_ text: String) -> Bool { !line(text, 12, false).lacksGlyphs }

    /// Returns the space of a text.
    ///
    /// - Parameter size: The size of the typeface in pixels.
    func size(of text: String, size: Double, isBold: Bool = false) -> TextSize {
        let line = Self.line(text, size, isBold)
        return TextSize(width: line.width, ascent: line.ascent.rounded(.up), descent: line.descent.rounded(.up))
    }

    /// Draws a text.
    ///
    /// - Parameters:
    ///   - start: Where the line begins that the letters stand on.
    ///   - angle: The direction of the line in radians, clockwise.
    ///   - stretch: By how much the letters are wider than usual.
    func text(
        _ text: String, at start: CGPoint, size: Double, _ colour: Colour, isBold: Bool = false, angle: Double = 0,
        stretch: Double = 1
    ) {
        guard Self.isDrawable(start), angle.isFinite, stretch.isFinite, stretch > 1e-3, stretch < 1e3 else { return }
        cairo_save(context)
        cairo_translate(context, Double(start.x), Double(start.y))
        cairo_rotate(context, angle)
        cairo_scale(context, stretch, 1)
        set(colour, 1)
        for run in Self.line(text, size, isBold).runs {
            let face = run.face.withPattern { cairo_ft_font_face_create_for_pattern($0) }
            cairo_set_font_face(context, face)
            cairo_font_face_destroy(face)
            cairo_set_font_size(context, run.size)
            let glyphs = run.glyphs.map { cairo_glyph_t(index: UInt($0.identifier), x: $0.x, y: -$0.y) }
            cairo_show_glyphs(context, glyphs, Int32(clamping: glyphs.count))
        }
        cairo_restore(context)
        cairo_new_path(context)
    }

    /// Returns a text that is no wider than a limit: the end is left out where it must be.
    func fitted(_ text: String, size: Double, width limit: Double) -> String {
        guard self.size(of: text, size: size).width > limit else { return text }
        var (low, high) = (0, text.count)
        while low < high {
            let middle = (low + high + 1) / 2
            let isShort = self.size(of: text.prefix(middle) + "…", size: size).width <= limit
            (low, high) = isShort ? (middle, high) : (low, middle - 1)
        }
        return text.prefix(low) + "…"
    }

    /// The glyphs of a text, which is cut where it is longer than an image is wide. Glyphs are whole pixels wide, as
    /// their hinted shapes are.
    private static func line(_ text: String, _ size: Double, _ isBold: Bool) -> ShapedLine {
        ShapedLine(
            [
                TextPiece(
                    text: String(text.prefix(2000)), font: FontRequest(family: typeface, isBold: isBold),
                    size: size.isFinite ? min(max(size, 1), 2000) : 1)
            ], roundsAdvances: true)
    }

    // MARK: - Images

    /// Copies an image onto the canvas, with its top left corner at x, y.
    ///
    /// - Precondition: The format of the image is `bgra8`.
    func draw(_ image: Raster, x: Int, y: Int) {
        precondition(image.format == .bgra8)
        let columns = max(0, -x)..<max(0, -x, min(image.width, width - x))
        let rows = max(0, -y)..<max(0, -y, min(image.height, height - y))
        guard !columns.isEmpty else { return }
        cairo_surface_flush(surface)
        image.withUnsafePixels { source in
            for row in rows {
                let from = source + row * image.rowBytes + columns.lowerBound * 4
                let to = pixels + (y + row) * rowBytes + (x + columns.lowerBound) * 4
                to.copyMemory(from: from, byteCount: columns.count * 4)
            }
        }
        cairo_surface_mark_dirty(surface)
    }
}
