import Foundation
import VisionImage

/// One way to look at a grey image: resampled, turned, sharpened.
///
/// Blurred and small codes are read in views that undo what the lens and the sensor did; each view does it for other codes.
struct BarcodeView: Hashable, Sendable {
    /// Sharpening or a threshold, see `Raster.contrasted`; reach in pixels of the view.
    struct Contrast: Hashable, Sendable {
        var columns: Int
        var rows: Int
        var gain: Double
        var middle = 1.0
        var offset = 0.0
    }

    /// Pixels of the view for one of the image, along each axis.
    var scaleX = 1.0
    var scaleY = 1.0
    /// Degrees by which the view is turned, clockwise.
    var turn = 0.0
    var contrast: Contrast?
    var isInverted = false
    /// White pixels around the image, for codes that touch its edge.
    var margin = 0
    /// The view's axes exchanged: columns become rows.
    var isTransposed = false

    /// The most pixels of a view; larger ones are made smaller.
    static let pixelLimit = 3_000_000.0

    /// The pixels of the view and the map from them to the image.
    func make(of image: Raster) throws -> (pixels: Raster, map: CGAffineTransform) {
        let (width, height) = (Double(image.width), Double(image.height))
        let growth = scaleX * scaleY
        let shrink = growth > 1 ? min(1, (Self.pixelLimit / (width * height * growth)).squareRoot()) : 1
        let columns = max(1, Int((width * max(min(1, scaleX), scaleX * shrink)).rounded()))
        let rows = max(1, Int((height * max(min(1, scaleY), scaleY * shrink)).rounded()))
        var (pixels, map) = (image, CGAffineTransform.identity)
        if turn != 0 {
            (pixels, map) = try turned(image)
        } else if columns != image.width || rows != image.height {
            pixels = try image.resized(width: columns, height: rows, filter: .antialiasedBilinear)
            map = CGAffineTransform(
                a: width / Double(columns), b: 0, c: 0, d: height / Double(rows), tx: 0, ty: 0)
        }
        if isTransposed {
            // Row y of the transposed view is column y: the corner stays where it is.
            pixels = try pixels.oriented(.leftMirrored)
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

    /// The image turned about its middle on a canvas that holds all of it; what lies beyond the image repeats its edge.
    private func turned(_ image: Raster) throws -> (Raster, CGAffineTransform) {
        let whole = (width: Double(image.width), height: Double(image.height))
        let scale = min(scaleX, (Self.pixelLimit / (whole.width * whole.height)).squareRoot())
        var (source, map) = (image, CGAffineTransform.identity)
        if scale < 1 {
            source = try image.resized(
                width: max(1, Int((whole.width * scale).rounded())),
                height: max(1, Int((whole.height * scale).rounded())), filter: .antialiasedBilinear)
            map = CGAffineTransform(
                a: whole.width / Double(source.width), b: 0, c: 0, d: whole.height / Double(source.height), tx: 0, ty: 0
            )
        }
        let growth = max(1, scale)
        let (width, height) = (Double(source.width), Double(source.height))
        let (c, s) = (cos(turn * .pi / 180), sin(turn * .pi / 180))
        let columns = max(1, Int(((width * abs(c) + height * abs(s)) * growth).rounded(.up)))
        let rows = max(1, Int(((width * abs(s) + height * abs(c)) * growth).rounded(.up)))
        let (x, y) = (Double(columns) / 2, Double(rows) / 2)
        let (a, b) = (c / growth, -s / growth)
        let turn = CGAffineTransform(
            a: a, b: b, c: -b, d: a, tx: width / 2 - a * x + b * y, ty: height / 2 - b * x - a * y)
        return (
            try source.warped(by: turn, width: columns, height: rows, border: .replicate), turn.concatenating(map)
        )
    }
}
