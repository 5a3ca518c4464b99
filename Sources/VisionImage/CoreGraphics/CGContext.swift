public import Foundation

/// The quality with which an image is resampled when it is drawn.
public enum CGInterpolationQuality: Int32, Sendable {
    /// Chosen by the context: high.
    case `default` = 0
    /// Nearest neighbour; bilinear in this implementation.
    case none = 1
    /// Bilinear.
    case low = 2
    /// Antialiased.
    case high = 3
    /// Antialiased.
    case medium = 4
}

/// Draws images, paths, lines and gradients into memory: 8 bits a component, grey or RGB in four bytes.
///
/// The origin of the coordinates is at the lower left, y up; row 0 of the memory is the top row. Edges are antialiased,
/// those of images are not: a pixel belongs to one if its centre does. Parameters that are not finite, or beyond 10⁹
/// pixels, draw nothing. Not thread-safe.
public final class CGContext {
    struct State {
        var transform = CGAffineTransform.identity
        var fill = Colour.black
        var stroke = Colour.black
        var stroking = PathStroke()
        var alpha: CGFloat = 1
        var blendMode = CGBlendMode.normal
        var interpolation = CGInterpolationQuality.default
        var antialiases = true
        var textMode = CGTextDrawingMode.fill
        var shadow: Shadow?
        var clip: ClipArea
    }

    /// The number of pixels in a row.
    public let width: Int
    /// The number of rows.
    public let height: Int
    /// The distance between rows in bytes.
    public let bytesPerRow: Int
    /// The alpha information and byte order of the pixels.
    public let bitmapInfo: CGBitmapInfo
    /// The colour space: grey or RGB.
    public let colorSpace: CGColorSpace?
    /// The pixels, top row first. Valid as long as the context exists.
    public var data: UnsafeMutableRawPointer? { isDocument ? nil : memory.address }
    /// The bits of one component: always 8.
    public var bitsPerComponent: Int { 8 }
    /// The position of alpha.
    public var alphaInfo: CGImageAlphaInfo { bitmapInfo.alphaInfo ?? .none }

    let layout: Raster.Format
    let memory: PixelMemory
    var state: State
    /// In pixels with the origin at the lower left.
    var currentPath = CGMutablePath()
    var allowsAntialias = true
    /// From the coordinates of text to user coordinates. Not part of the saved state.
    public var textMatrix = CGAffineTransform.identity
    private var saved: [State] = []
    /// What is drawn goes here instead of the memory; nil for other contexts, and for a document that is closed.
    var document: PDFWriter?
    var consumer: CGDataConsumer?
    /// How much of each pixel has not been drawn on, while the shadow is made. Row 0 is the lowest.
    var castMask: [Float]?

    /// Creates a context that draws into a document.
    init?(document: PDFWriter, consumer: CGDataConsumer, width: Int, height: Int) {
        guard let none = PixelMemory(count: 0) else { return nil }
        (memory, self.width, self.height, bytesPerRow, layout) = (none, width, height, 0, .bgra8)
        bitmapInfo = CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue)
        colorSpace = nil
        state = State(clip: ClipArea(width: width, height: height))
        (self.document, self.consumer) = (document, consumer)
    }

    deinit { closePDF() }

    /// Creates a context that draws into `data`, or into its own memory if `data` is nil.
    ///
    /// - Parameters:
    ///   - bitsPerComponent: 8.
    ///   - bytesPerRow: At least the bytes of a row's pixels; 0 to let the context choose if `data` is nil.
    ///   - space: Grey (one byte a pixel, no alpha) or RGB (four bytes a pixel).
    ///   - bitmapInfo: Alpha first or last, and byte order, as in `CGImage`. B, G, R, A is
    ///     `CGImageAlphaInfo.noneSkipFirst.rawValue | CGBitmapInfo.byteOrder32Little.rawValue`.
    /// - Returns: nil for unsupported layouts, or if memory is short.
    public init?(
        data: UnsafeMutableRawPointer?, width: Int, height: Int, bitsPerComponent: Int, bytesPerRow: Int,
        space: CGColorSpace, bitmapInfo: UInt32
    ) {
        let info = CGBitmapInfo(rawValue: bitmapInfo)
        let bits = space.model == .monochrome ? 8 : 32
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
        state = State(clip: ClipArea(width: width, height: height))
    }

    /// Returns a copy of the current pixels as an image.
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

    /// Pushes a copy of the transform, the clip, colours and the other parameters on a stack. The path is not part of
    /// it.
    public func saveGState() {
        saved.append(state)
        document?.saveState()
    }

    /// Runs a closure between `saveGState` and `restoreGState`.
    public func withGState<Result>(_ body: () throws -> Result) rethrows -> Result {
        saveGState()
        defer { restoreGState() }
        return try body()
    }

    /// Restores the last saved state; does nothing if there is none.
    public func restoreGState() {
        guard let last = saved.popLast() else { return }
        state = last
        document?.restoreState()
    }

    /// Sets all parameters as in a new context.
    func resetState() {
        saved = []
        state = State(clip: ClipArea(width: width, height: height))
    }

    /// The transform from user coordinates to pixels with the origin at the lower left.
    public var ctm: CGAffineTransform { state.transform }

    /// The transform from user coordinates to pixels with the origin at the lower left.
    public var userSpaceToDeviceSpaceTransform: CGAffineTransform { state.transform }

    /// Converts a point from user coordinates to pixels.
    public func convertToDeviceSpace(_ point: CGPoint) -> CGPoint { point.applying(ctm) }

    /// Converts a rectangle from user coordinates to pixels.
    public func convertToDeviceSpace(_ rect: CGRect) -> CGRect { rect.applying(ctm) }

    /// Converts a point from pixels to user coordinates.
    public func convertToUserSpace(_ point: CGPoint) -> CGPoint { point.applying(ctm.inverted()) }

    /// Converts a rectangle from pixels to user coordinates.
    public func convertToUserSpace(_ rect: CGRect) -> CGRect { rect.applying(ctm.inverted()) }

    /// Prepends a transform to the current one.
    public func concatenate(_ transform: CGAffineTransform) {
        state.transform = transform.concatenating(state.transform)
    }

    /// Moves the origin.
    public func translateBy(x tx: CGFloat, y ty: CGFloat) { concatenate(CGAffineTransform(translationX: tx, y: ty)) }

    /// Scales the axes.
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) { concatenate(CGAffineTransform(scaleX: sx, y: sy)) }

    /// Rotates the axes by `angle` radians, counter-clockwise.
    public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }

    /// Sets the colour of filled shapes; components 0…1.
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.fill = Colour(red, green, blue, alpha)
    }

    /// Sets the grey of filled shapes; components 0…1.
    public func setFillColor(gray: CGFloat, alpha: CGFloat) { state.fill = Colour(gray, gray, gray, alpha) }

    /// Sets the colour of lines; components 0…1.
    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.stroke = Colour(red, green, blue, alpha)
    }

    /// Sets the grey of lines; components 0…1.
    public func setStrokeColor(gray: CGFloat, alpha: CGFloat) { state.stroke = Colour(gray, gray, gray, alpha) }

    /// Sets the opacity of everything that is drawn, 0…1.
    public func setAlpha(_ alpha: CGFloat) { state.alpha = alpha > 0 ? min(alpha, 1) : 0 }

    /// The quality of image resampling.
    public var interpolationQuality: CGInterpolationQuality {
        get { state.interpolation }
        set { state.interpolation = newValue }
    }
}
