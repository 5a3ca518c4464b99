public import Foundation

/// How carefully an image is resampled when it is drawn.
public enum CGInterpolationQuality: Int32, Sendable {
    /// The context chooses: high.
    case `default` = 0
    /// The nearest pixel decides. Drawn bilinearly here.
    case none = 1
    /// Bilinear.
    case low = 2
    /// Antialiased.
    case high = 3
    /// Antialiased.
    case medium = 4
}

/// Draws images and rectangles into memory: 8 bits a component, grey or RGB in four bytes.
///
/// Coordinates have their origin at the lower left and y up; row 0 of the memory is the top row. Edges are not
/// antialiased: a pixel belongs to a shape when its centre does. Not to be used by several threads at once.
public final class CGContext {
    struct State {
        var transform = CGAffineTransform.identity
        var fill = Colour.black
        var stroke = Colour.black
        var lineWidth: CGFloat = 1
        var alpha: CGFloat = 1
        var interpolation = CGInterpolationQuality.default
        var dash: (phase: CGFloat, lengths: [CGFloat]) = (0, [])
    }

    /// Pixels a row.
    public let width: Int
    /// Rows.
    public let height: Int
    /// Bytes from one row to the next.
    public let bytesPerRow: Int
    /// Alpha and byte order of the pixels.
    public let bitmapInfo: CGBitmapInfo
    /// Grey or RGB.
    public let colorSpace: CGColorSpace?
    /// The pixels, top row first. Valid while the context is.
    public var data: UnsafeMutableRawPointer? { memory.address }
    /// Bits of one component: always 8.
    public var bitsPerComponent: Int { 8 }
    /// Where alpha is.
    public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alphaInfo ?? .none }

    let layout: Raster.Format
    let memory: PixelMemory
    var state = State()
    /// The straight lines of the path that is being made, in pixels, lower-left origin.
    var path: [[CGPoint]] = []
    private var saved: [State] = []

    /// A context that draws into `data`, or into memory of its own where `data` is nil.
    ///
    /// - Parameters:
    ///   - bitsPerComponent: 8.
    ///   - bytesPerRow: at least the bytes of a row's pixels; 0 to let the context choose when `data` is nil.
    ///   - space: grey (one byte a pixel, no alpha) or RGB (four bytes a pixel).
    ///   - bitmapInfo: alpha first or last, and byte order, as in `CGImage`. B, G, R, A is
    ///     `CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue`.
    /// - Returns: nil where the layout is none of these, or there is no memory.
    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: UInt32
    ) {
        let info = CGBitmapInfo(rawValue: bitmapInfo)
        let bits = space.model == .grey ? 8 : 32
        guard width > 0, height > 0, width < 1 << 20, height < 1 << 20, bytesPerRow < 1 << 32,
            let layout = BitmapLayout(
                bitsPerComponent: bitsPerComponent, bitsPerPixel: bits, space: space, info: info)?.format
        else { return nil }
        let packed = width * layout.bytesPerPixel
        if let data {
            guard bytesPerRow >= packed else { return nil }
            memory = PixelMemory(borrowing: data, count: (height - 1) * bytesPerRow + packed, release: {})
            self.bytesPerRow = bytesPerRow
        } else {
            guard bytesPerRow == 0 || bytesPerRow >= packed else { return nil }
            let row = bytesPerRow == 0 ? Raster.rowBytes(width: width, format: layout) : bytesPerRow
            guard (try? ImageLimits.check(width: width, height: height)) != nil,
                let memory = PixelMemory(count: row * height)
            else { return nil }
            memset(memory.address, 0, row * height)
            self.memory = memory
            self.bytesPerRow = row
        }
        self.width = width
        self.height = height
        self.layout = layout
        self.bitmapInfo = info
        colorSpace = space
    }

    /// A copy of what has been drawn so far.
    public func makeImage() -> CGImage? {
        guard let colorSpace else { return nil }
        let raster = try? Raster(width: width, height: height, format: layout) { target, rowBytes in
            for y in 0..<height {
                (target + y * rowBytes).copyMemory(
                    from: memory.address + y * bytesPerRow, byteCount: width * layout.bytesPerPixel)
            }
        }
        return raster.map { CGImage(raster: $0, bitmapInfo: bitmapInfo, colorSpace: colorSpace) }
    }

    // MARK: State

    /// Puts a copy of transform, colours and line width on a stack.
    public func saveGState() { saved.append(state) }

    /// Takes the last saved state back; nothing happens when there is none.
    public func restoreGState() {
        if let last = saved.popLast() { state = last }
    }

    /// From the user's coordinates to pixels, lower-left origin.
    public var ctm: CGAffineTransform { state.transform }

    /// Applies a transform before those applied so far.
    public func concatenate(_ transform: CGAffineTransform) {
        state.transform = transform.concatenating(state.transform)
    }

    /// Moves the origin.
    public func translateBy(x tx: CGFloat, y ty: CGFloat) { concatenate(CGAffineTransform(translationX: tx, y: ty)) }

    /// Scales the axes.
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) { concatenate(CGAffineTransform(scaleX: sx, y: sy)) }

    /// Turns the axes by `angle` radians, counter-clockwise.
    public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

    /// The colour of filled shapes; components 0…1.
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.fill = Colour(red, green, blue, alpha)
    }

    /// The grey of filled shapes; components 0…1.
    public func setFillColor(gray: CGFloat, alpha: CGFloat) { state.fill = Colour(gray, gray, gray, alpha) }

    /// The colour of lines; components 0…1.
    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.stroke = Colour(red, green, blue, alpha)
    }

    /// The grey of lines; components 0…1.
    public func setStrokeColor(gray: CGFloat, alpha: CGFloat) { state.stroke = Colour(gray, gray, gray, alpha) }

    /// The width of lines in the user's coordinates.
    public func setLineWidth(_ width: CGFloat) { state.lineWidth = max(0, width) }

    /// An opacity for all that is drawn, 0…1.
    public func setAlpha(_ alpha: CGFloat) { state.alpha = alpha > 0 ? min(alpha, 1) : 0 }

    /// How images are resampled.
    public var interpolationQuality: CGInterpolationQuality {
        get { state.interpolation }
        set { state.interpolation = newValue }
    }
}
