import Vision

/// A sheet of thumbnails in rows, each with a caption of figures below it. The first one, the query, is framed.
struct ContactSheet {
    /// The most thumbnails; with more, the sheet is too large for viewers.
    static let imageLimit = 200

    struct Entry {
        /// The upright image, at most `side` pixels along either axis; nil leaves a grey field.
        var image: Raster?
        /// Consists of digits, points, per cent signs, hyphens and spaces.
        var caption: String
    }

    /// The largest size of a thumbnail along either axis, in pixels.
    var side = 224
    private let gap = 12
    private let letters = 2

    private var captionHeight: Int { BitmapFont.height * letters + gap }
    private var cell: (width: Int, height: Int) { (side + gap, side + captionHeight + gap) }

    /// Decodes a thumbnail of at most `side` pixels along either axis, upright, without decoding more than it needs.
    ///
    /// - Throws: `ImageError` when the bytes are not an image.
    func thumbnail(of data: Data) throws -> Raster {
        let source = ImageSource(data: data)
        let size = try source.uprightSize()
        let scale = min(1, Double(side) / Double(max(size.width, size.height)))
        return try source.derivative(
            Derivative(
                region: PixelRegion(width: size.width, height: size.height),
                width: max(1, Int((Double(size.width) * scale).rounded())),
                height: max(1, Int((Double(size.height) * scale).rounded())), format: .bgra8))
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
        let text = BitmapFont.width(of: entry.caption, scale: letters)
        BitmapFont.draw(
            entry.caption, x: x + (side - text) / 2, y: y + side + gap / 2, scale: letters, .black, on: canvas)
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
