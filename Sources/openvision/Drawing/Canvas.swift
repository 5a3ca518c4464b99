import Vision

/// A colour with 8 bits per component.
struct Colour: Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    static let black = Colour(red: 0, green: 0, blue: 0)
    static let white = Colour(red: 255, green: 255, blue: 255)

    /// Returns the colour of a target: bright, and far on the colour wheel from the colours of neighbouring numbers.
    static func forTarget(_ index: Int) -> Colour {
        // Steps of the golden angle never repeat a hue.
        let hue = (Double(index) * 137.507764 + 130).truncatingRemainder(dividingBy: 360) / 60
        func part(_ offset: Double) -> UInt8 {
            let position = (offset + hue).truncatingRemainder(dividingBy: 6)
            let strength = 1 - max(0, min(position, 4 - position, 1))
            return UInt8(60 + 195 * strength)
        }
        return Colour(red: part(5), green: part(3), blue: part(1))
    }
}

/// A rectangle in whole pixels, origin at the top left.
struct PixelRectangle: Equatable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
}

/// Draws on a 32BGRA buffer, clipped to its bounds.
struct Canvas {
    let width: Int
    let height: Int
    private let rowBytes: Int
    private let pixels: UnsafeMutableRawPointer

    /// Locks the buffer, runs `paint` on it and unlocks it.
    ///
    /// - Throws: `VideoError` when the buffer is not 32BGRA.
    static func paint(on buffer: CVPixelBuffer, _ paint: (Canvas) throws -> Void) throws {
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_32BGRA,
            let pixels = CVPixelBufferGetBaseAddress(buffer)
        else { throw VideoError(kind: .unsupported, path: "canvas", reason: "only 32BGRA buffers can be drawn on") }
        try paint(
            Canvas(
                width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer),
                rowBytes: CVPixelBufferGetBytesPerRow(buffer), pixels: pixels))
    }

    func fill(_ rectangle: PixelRectangle, _ colour: Colour) {
        let columns = max(0, rectangle.x)..<max(0, rectangle.x, min(width, rectangle.x + rectangle.width))
        let rows = max(0, rectangle.y)..<max(0, rectangle.y, min(height, rectangle.y + rectangle.height))
        guard !columns.isEmpty else { return }
        let value =
            0xFF00_0000 | UInt32(colour.red) << 16 | UInt32(colour.green) << 8 | UInt32(colour.blue)
        for y in rows {
            for x in columns {
                pixels.storeBytes(of: value.littleEndian, toByteOffset: y * rowBytes + x * 4, as: UInt32.self)
            }
        }
    }

    /// Draws a straight line with round ends and smooth edges; a dot where both ends are the same.
    ///
    /// - Parameters:
    ///   - from: In pixels; the centre of the first one is (0.5, 0.5).
    ///   - radius: Half the width of the line.
    ///   - opacity: 0…1.
    func line(from: CGPoint, to: CGPoint, radius: CGFloat, _ colour: Colour, opacity: Double) {
        guard [from.x, from.y, to.x, to.y, radius].allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else { return }
        let reach = radius + 1
        func span(_ low: CGFloat, _ high: CGFloat, _ limit: Int) -> Range<Int> {
            let first = min(max(Int((low - reach).rounded(.down)), 0), limit)
            return first..<min(max(Int((high + reach).rounded(.up)), first), limit)
        }
        let columns = span(min(from.x, to.x), max(from.x, to.x), width)
        let (along, length) = (CGPoint(x: to.x - from.x, y: to.y - from.y), hypot(to.x - from.x, to.y - from.y))
        for y in span(min(from.y, to.y), max(from.y, to.y), height) {
            for x in columns {
                let offset = CGPoint(x: CGFloat(x) + 0.5 - from.x, y: CGFloat(y) + 0.5 - from.y)
                let share =
                    length > 0
                    ? min(max((offset.x * along.x + offset.y * along.y) / (length * length), 0), 1) : 0
                let distance = hypot(offset.x - share * along.x, offset.y - share * along.y)
                let coverage = min(max(Double(radius - distance) + 0.5, 0), 1)
                if coverage > 0 { blend(x, y, colour, opacity * coverage) }
            }
        }
    }

    /// Mixes a colour into a pixel of the canvas.
    private func blend(_ x: Int, _ y: Int, _ colour: Colour, _ opacity: Double) {
        let pixel = pixels + (y * rowBytes + x * 4)
        for (index, part) in [colour.blue, colour.green, colour.red].enumerated() {
            let old = Double(pixel.load(fromByteOffset: index, as: UInt8.self))
            let new = old + (Double(part) - old) * min(max(opacity, 0), 1)
            pixel.storeBytes(of: UInt8(new.rounded()), toByteOffset: index, as: UInt8.self)
        }
    }

    /// Copies an image onto the canvas, with its top left corner at x, y.
    ///
    /// - Precondition: The format of the image is `bgra8`.
    func draw(_ image: Raster, x: Int, y: Int) {
        precondition(image.format == .bgra8)
        let columns = max(0, -x)..<max(0, -x, min(image.width, width - x))
        let rows = max(0, -y)..<max(0, -y, min(image.height, height - y))
        guard !columns.isEmpty else { return }
        image.withUnsafePixels { source in
            for row in rows {
                let from = source + row * image.rowBytes + columns.lowerBound * 4
                let to = pixels + (y + row) * rowBytes + (x + columns.lowerBound) * 4
                to.copyMemory(from: from, byteCount: columns.count * 4)
            }
        }
    }
}
