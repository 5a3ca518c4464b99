import Foundation
import VisionImage

/// Looks at an image as it is and as it would look from the side, so that features are found again under steep angles.
///
/// Morel and Yu, "ASIFT: a new framework for fully affine invariant image comparison" (2009), with few views.
struct FeatureViews {
    /// A view from the side: shortened to 1 / tilt along the direction `angle`.
    struct Tilt {
        var tilt: Double
        var angle: Double
    }

    /// All directions, at half the length.
    static let sides = (0..<4).map { Tilt(tilt: 2, angle: Double($0) * .pi / 4) }
    /// At a quarter of the length.
    static let steepSides = (0..<8).map { Tilt(tilt: 4, angle: Double($0) * .pi / 8) }

    /// The image at the size that is worked on.
    private let picture: Raster
    private let scaleX: Double
    private let scaleY: Double
    private let limit: Int
    private let assumedBlur: Double

    /// - Parameters:
    ///   - longest: The longer side is brought to this if it is longer, or if `enlarges`, up to twice its length.
    ///   - limit: Features of one view at most.
    init(_ image: Raster, longest: Int, enlarges: Bool = false, limit: Int) throws {
        let long = max(image.width, image.height)
        var factor = min(1, Double(longest) / Double(long))
        if enlarges { factor = min(2, Double(longest) / Double(long)) }
        let width = max(1, Int((Double(image.width) * factor).rounded()))
        let height = max(1, Int((Double(image.height) * factor).rounded()))
        picture = try image.resized(width: width, height: height, filter: .antialiasedBilinear)
        scaleX = Double(image.width) / Double(width)
        scaleY = Double(image.height) / Double(height)
        assumedBlur = max(0.5, 0.5 * factor)
        self.limit = limit
    }

    /// How large a pixel of the picture is in the image.
    var pixel: Double { max(scaleX, scaleY) }

    /// Features of the image as it is.
    func plain() throws -> FeatureSet {
        let finder = FeatureFinder(limit: limit, assumedBlur: assumedBlur)
        return try finder.features(in: picture) { point, size in
            Feature(point: PlanarPoint(x: point.x * scaleX, y: point.y * scaleY), size: size * scaleX)
        }
    }

    /// Features of the image from the side.
    func tilted(_ tilt: Tilt) throws -> FeatureSet {
        let (c, s) = (cos(tilt.angle), sin(tilt.angle))
        let (w, h) = (Double(picture.width), Double(picture.height))
        let turned = (width: abs(c) * w + abs(s) * h, height: abs(s) * w + abs(c) * h)
        let width = max(1, Int(turned.width.rounded())), height = max(1, Int(turned.height.rounded()))
        // From the turned picture to the picture, about their centres.
        let (x0, y0) = (
            w / 2 - c * Double(width) / 2 + s * Double(height) / 2,
            h / 2 - s * Double(width) / 2 - c * Double(height) / 2
        )
        let whole =
            tilt.angle == 0
            ? picture
            : try picture.warped(
                by: CGAffineTransform(a: c, b: s, c: -s, d: c, tx: x0, ty: y0), width: width, height: height,
                border: .replicate)
        let short = max(1, Int((Double(width) / tilt.tilt).rounded()))
        let view = try whole.resized(width: short, height: height, filter: .antialiasedBilinear)
        let stretch = Double(width) / Double(short)
        let finder = FeatureFinder(limit: limit, assumedBlur: assumedBlur)
        return try finder.features(in: view) { point, size in
            let turned = PlanarPoint(x: point.x * stretch, y: point.y)
            let own = PlanarPoint(x: c * turned.x - s * turned.y + x0, y: s * turned.x + c * turned.y + y0)
            // What lies beside the picture has edges that are not the image's.
            let margin = max(6, 3 * size)
            guard own.x >= margin, own.y >= margin, own.x <= w - margin, own.y <= h - margin else { return nil }
            return Feature(point: PlanarPoint(x: own.x * scaleX, y: own.y * scaleY), size: size * scaleX)
        }
    }
}
