import Vision
import VisionVideo

/// A sheet of thumbnails in rows, each with its name and a caption below it. The first one, the query, is framed.
struct ContactSheet {
    /// The most thumbnails; with more, the sheet is too large for viewers.
    static let imageLimit = 200

    struct Entry {
        /// The upright image, at most `side` pixels along either axis; nil leaves a grey field.
        var image: Raster?
        /// The name of the file; its middle is left out where it is too long.
        var name = ""
        /// The line below the name.
        var caption: String
    }

    /// The largest size of a thumbnail along either axis, in pixels.
    var side = 224
    private let gap = 12
    private let letters = 13.0

    /// Two lines of text.
    private var captionHeight: Int { Int(2.6 * letters) + gap / 2 }
    private var cell: (width: Int, height: Int) { (side + gap, side + captionHeight + gap) }

    /// Decodes a thumbnail of at most `side` pixels along either axis, upright, without decoding more than it needs.
    ///
    /// - Parameter part: The part of the upright image to show, in pixels; nil for all of it.
    /// - Throws: `ImageError` when the bytes are not an image.
    func thumbnail(of data: Data, part: CGRect? = nil) throws -> Raster {
        let source = ImageSource(data: data)
        let size = try source.uprightSize()
        let whole = CGRect(x: 0, y: 0, width: size.width, height: size.height)
        let shown = part.map { $0.intersection(whole).integral.intersection(whole) } ?? whole
        let region = shown.isEmpty ? whole : shown
        let scale = min(1, Double(side) / max(region.width, region.height))
        return try source.derivative(
            Derivative(
                region: PixelRegion(x: region.minX, y: region.minY, width: region.width, height: region.height),
                width: max(1, Int((region.width * scale).rounded())),
                height: max(1, Int((region.height * scale).rounded())), format: .bgra8))
    }

    /// Returns the number of columns of a sheet that is a little wider than high.
    static func columns(for count: Int) -> Int {
        var columns = 1
        while columns < 10, columns * columns * 3 / 4 < count { columns += 1 }
        return min(columns, max(1, count))
    }

    func render(_ entries: [Entry]) throws -> CVPixelBuffer {
        let columns = Self.columns(for: entries.count)
        let rows = max(1, (entries.count + columns - 1) / columns)
        let buffer = try CVPixelBuffer.make(
            width: columns * cell.width + gap, height: rows * cell.height + gap, format: kCVPixelFormatType_32BGRA,
            path: "contact sheet")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), .white)
            for (index, entry) in entries.enumerated() {
                let (x, y) = (gap + index % columns * cell.width, gap + index / columns * cell.height)
                draw(entry, x: x, y: y, isFramed: index == 0, on: canvas)
            }
        }
        return buffer
    }

    private func draw(_ entry: Entry, x: Int, y: Int, isFramed: Bool, on canvas: Canvas) {
        let (width, height) = (entry.image?.width ?? side, entry.image?.height ?? side)
        let (left, top) = (x + (side - width) / 2, y + (side - height) / 2)
        if isFramed {
            let frame = gap / 3
            canvas.fill(
                PixelRectangle(x: left - frame, y: top - frame, width: width + 2 * frame, height: height + 2 * frame),
                Colour(red: 220, green: 40, blue: 40))
        }
        if let image = entry.image {
            canvas.draw(image, x: left, y: top)
        } else {
            canvas.fill(
                PixelRectangle(x: left, y: top, width: width, height: height),
                Colour(red: 200, green: 200, blue: 200))
        }
        let dark = Colour(red: 90, green: 90, blue: 90)
        for (line, (text, colour)) in [(entry.name, Colour.black), (entry.caption, dark)].enumerated() {
            let text = shortened(text, on: canvas)
            let size = canvas.size(of: text, size: letters)
            let baseline = Double(y + side + gap / 2) + Double(line) * 1.3 * letters + size.ascent
            canvas.text(
                text, at: CGPoint(x: Double(x) + (Double(side) - size.width) / 2, y: baseline), size: letters, colour)
        }
    }

    /// Returns a name without its middle where it is wider than a thumbnail: numbers and extensions are at the end.
    private func shortened(_ name: String, on canvas: Canvas) -> String {
        var (text, kept) = (name, name.count)
        while kept > 4, canvas.size(of: text, size: letters).width > Double(side) {
            kept -= 1
            text = name.prefix((kept + 1) / 2) + "…" + name.suffix(kept / 2)
        }
        return text
    }
}

/// The image files that the tool writes: JPEG or PNG, chosen by the extension.
enum ImageFile {
    static func type(of path: String) -> String? {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "jpg", "jpeg": "public.jpeg"
        case "png": "public.png"
        default: nil
        }
    }

    static func write(_ buffer: CVPixelBuffer, to path: String) throws {
        let extent = CGRect(x: 0, y: 0, width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
        guard let type = type(of: path),
            let image = CIContext().createCGImage(CIImage(cvPixelBuffer: buffer), from: extent),
            let file = CGImageDestinationCreateWithURL(URL(fileURLWithPath: path), type, 1, nil)
        else { throw VideoError(kind: .unsupported, path: path, reason: "the extension must be .jpg or .png") }
        CGImageDestinationAddImage(file, image, nil)
        guard CGImageDestinationFinalize(file) else {
            throw VideoError(kind: .io, path: path, reason: "cannot be written")
        }
    }
}
