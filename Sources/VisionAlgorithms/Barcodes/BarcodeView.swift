import Foundation
import VisionImage

/// A version of a grey image that is given to the reader: resampled, rotated, sharpened.
///
/// Blurred and small codes are read in views that undo what the lens and the sensor did; each view does it for other
/// codes.
struct BarcodeView: Hashable, Sendable {
    /// Sharpening or a threshold, see `Raster.contrasted`; reach in pixels of the view.
    struct Contrast: Hashable, Sendable {
        var columns: Int
        var rows: Int
        var gain: Double
        var middle = 1.0
        var offset = 0.0
    }

    /// The scale of the view along each axis.
    var scaleX = 1.0
    var scaleY = 1.0
    /// Degrees by which the view is rotated, clockwise.
    var turn = 0.0
    var contrast: Contrast?
    var isInverted = false
    /// White pixels around the image, for codes that touch its edge.
    var margin = 0
    /// The view's axes exchanged: columns become rows.
    var isTransposed = false

    /// The view shows the image's own pixels.
    var isPlain: Bool {
        scaleX == 1 && scaleY == 1 && turn == 0 && contrast == nil && !isInverted && margin == 0
    }

    /// The maximum number of pixels of a view; larger ones are reduced.
    static let pixelLimit = 3_000_000.0
    /// The maximum ratio of pixels of a rotated view to those of the image, except for small views: a rotated long
    /// strip is mostly border.
    private static let largestRotatedShare = 6.0
    private static let smallRotated = 262_144.0

    /// Whether the view shows enough of an image of that size to be worth reading.
    func isWorthwhile(width: Int, height: Int) -> Bool {
        guard turn != 0 else { return true }
        let (c, s) = (abs(cos(turn * .pi / 180)), abs(sin(turn * .pi / 180)))
        let (w, h) = (Double(width), Double(height))
        return (w * c + h * s) * (w * s + h * c) <= max(Self.smallRotated, Self.largestRotatedShare * w * h)
    }

    /// The size of the view of an image of that size.
    func size(width: Int, height: Int) -> (width: Int, height: Int) {
        var size: (Int, Int)
        if turn != 0 {
            let rotated = RotatedSize(width: width, height: height, scale: scaleX, turn: turn)
            size = (rotated.columns, rotated.rows)
        } else {
            size = scaled(width, height)
        }
        if isTransposed { size = (size.1, size.0) }
        return (size.0 + 2 * margin, size.1 + 2 * margin)
    }

    private func scaled(_ imageWidth: Int, _ imageHeight: Int) -> (columns: Int, rows: Int) {
        let (width, height) = (Double(imageWidth), Double(imageHeight))
        let growth = scaleX * scaleY
        let shrink = growth > 1 ? min(1, (Self.pixelLimit / (width * height * growth)).squareRoot()) : 1
        return (
            max(1, Int((width * max(min(1, scaleX), scaleX * shrink)).rounded())),
            max(1, Int((height * max(min(1, scaleY), scaleY * shrink)).rounded()))
        )
    }

    /// The pixels of the view and the map from them to the image.
    ///
    /// - Parameter copies: The resized copies that other views of the image may have made.
    func make(of image: Raster, sharing copies: ResizedCopies? = nil) throws -> (pixels: Raster, map: CGAffineTransform)
    {
        let (width, height) = (Double(image.width), Double(image.height))
        let (columns, rows) = scaled(image.width, image.height)
        var (pixels, map) = (image, CGAffineTransform.identity)
        if turn != 0 {
            (pixels, map) = try rotated(image)
        } else {
            // Row y of the transposed view is column y: the corner stays where it is.
            let key = ResizedCopies.Key(of: image, columns: columns, rows: rows, isTransposed: isTransposed)
            pixels = try copies?.copy(key, of: image) ?? key.made(of: image)
            if columns != image.width || rows != image.height {
                map = CGAffineTransform(
                    a: width / Double(columns), b: 0, c: 0, d: height / Double(rows), tx: 0, ty: 0)
            }
        }
        if isTransposed {
            if turn != 0 { pixels = try pixels.oriented(.leftMirrored) }
            map = CGAffineTransform(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0).concatenating(map)
        }
        if margin > 0 {
            let outer = CGAffineTransform(a: 1, b: 0, c: 0, d: 1, tx: -CGFloat(margin), ty: -CGFloat(margin))
            pixels = try pixels.inverted().warped(
                by: outer, width: pixels.width + 2 * margin, height: pixels.height + 2 * margin, border: .black
            ).inverted()
            map = outer.concatenating(map)
        }
        if let contrast {
            pixels = try pixels.contrasted(
                reach: (contrast.columns, contrast.rows), gain: contrast.gain, middle: contrast.middle,
                offset: contrast.offset)
        }
        if isInverted { pixels = try pixels.inverted() }
        return (pixels, map)
    }

    /// The sizes of a rotated view: of the image before it is rotated, and of the canvas that holds all of it.
    private struct RotatedSize {
        var sourceWidth, sourceHeight: Int
        var growth: Double
        var columns, rows: Int

        init(width: Int, height: Int, scale: Double, turn: Double) {
            let (w, h) = (Double(width), Double(height))
            let scale = min(scale, (pixelLimit / (w * h)).squareRoot())
            (sourceWidth, sourceHeight) = (width, height)
            if scale < 1 {
                sourceWidth = max(1, Int((w * scale).rounded()))
                sourceHeight = max(1, Int((h * scale).rounded()))
            }
            growth = max(1, scale)
            let (c, s) = (abs(cos(turn * .pi / 180)), abs(sin(turn * .pi / 180)))
            let (x, y) = (Double(sourceWidth), Double(sourceHeight))
            columns = max(1, Int(((x * c + y * s) * growth).rounded(.up)))
            rows = max(1, Int(((x * s + y * c) * growth).rounded(.up)))
        }
    }

    /// Returns the image rotated about its centre on a canvas that holds all of it; pixels beyond repeat its edge.
    private func rotated(_ image: Raster) throws -> (Raster, CGAffineTransform) {
        let size = RotatedSize(width: image.width, height: image.height, scale: scaleX, turn: turn)
        var (source, map) = (image, CGAffineTransform.identity)
        if size.sourceWidth != image.width || size.sourceHeight != image.height {
            source = try image.resized(width: size.sourceWidth, height: size.sourceHeight, filter: .antialiasedBilinear)
            map = CGAffineTransform(
                a: Double(image.width) / Double(source.width), b: 0, c: 0,
                d: Double(image.height) / Double(source.height), tx: 0, ty: 0)
        }
        let (width, height) = (Double(source.width), Double(source.height))
        let (c, s) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
        let (x, y) = (Double(size.columns) / 2, Double(size.rows) / 2)
        let (a, b) = (c / size.growth, -s / size.growth)
        let turn = CGAffineTransform(
            a: a, b: b, c: -b, d: a, tx: width / 2 - a * x + b * y, ty: height / 2 - b * x - a * y)
        return (
            try source.warped(by: turn, width: size.columns, height: size.rows, border: .replicate),
            turn.concatenating(map)
        )
    }
}
