import Foundation
import VisionImage

/// Finds features in an image and in simulated tilted views of it, so that they match under steep viewing angles.
///
/// Morel and Yu, "ASIFT: a new framework for fully affine invariant image comparison" (2009), with few views.
struct FeatureViews {
    /// A tilted view: foreshortened to 1 / tilt along the direction `angle`.
    struct Tilt {
        var tilt: Double
        var angle: Double
    }

    /// Views foreshortened to a half, in four directions.
    static let sides = (0..<4).map { Tilt(tilt: 2, angle: Double($0) * .pi / 4) }
    /// Views foreshortened to a quarter, in eight directions.
    static let steepSides = (0..<8).map { Tilt(tilt: 4, angle: Double($0) * .pi / 8) }

    /// The image at the size at which features are found.
    private let scaled: Raster
    private let scaleX: Double
    private let scaleY: Double
    private let limit: Int
    private let assumedBlur: Double

    /// - Parameters:
    ///   - longest: The longer side is reduced to this length or, if `enlarges`, enlarged by a factor of up to two.
    ///   - limit: The largest number of features in a view.
    init(_ image: Raster, longest: Int, enlarges: Bool = false, limit: Int) throws {
        let long = max(image.width, image.height)
        var factor = min(1, Double(longest) / Double(long))
        if enlarges { factor = min(2, Double(longest) / Double(long)) }
        let width = max(1, Int((Double(image.width) * factor).rounded()))
        let height = max(1, Int((Double(image.height) * factor).rounded()))
        scaled = try image.resized(width: width, height: height, filter: .antialiasedBilinear)
        scaleX = Double(image.width) / Double(width)
        scaleY = Double(image.height) / Double(height)
        assumedBlur = max(0.5, 0.5 * factor)
        self.limit = limit
    }

    /// The size of a pixel of the scaled image, in pixels of the original.
    var pixel: Double { max(scaleX, scaleY) }

    /// Returns the features of the image itself.
    func plain() throws -> FeatureSet {
        let finder = FeatureFinder(limit: limit, assumedBlur: assumedBlur)
        return try finder.features(in: scaled) { point, size in
            Feature(point: PlanarPoint(x: point.x * scaleX, y: point.y * scaleY), size: size * scaleX)
        }
    }

    /// Returns the features of a tilted view.
    func tilted(_ tilt: Tilt) throws -> FeatureSet {
        let (c, s) = (cos(tilt.angle), sin(tilt.angle))
        let (w, h) = (Double(scaled.width), Double(scaled.height))
        let rotated = (width: abs(c) * w + abs(s) * h, height: abs(s) * w + abs(c) * h)
        let width = max(1, Int(rotated.width.rounded())), height = max(1, Int(rotated.height.rounded()))
        // From the rotated image to the scaled one, about their centres.
        let (x0, y0) = (
            w / 2 - c * Double(width) / 2 + s * Double(height) / 2,
            h / 2 - s * Double(width) / 2 - c * Double(height) / 2
        )
        let whole =
            tilt.angle == 0
            ? scaled
            : try scaled.warped(
                by: CGAffineTransform(a: c, b: s, c: -s, d: c, tx: x0, ty: y0), width: width, height: height,
                border: .replicate)
        let short = max(1, Int((Double(width) / tilt.tilt).rounded()))
        let view = try whole.resized(width: short, height: height, filter: .antialiasedBilinear)
        let stretch = Double(width) / Double(short)
        let finder = FeatureFinder(limit: limit, assumedBlur: assumedBlur)
        return try finder.features(in: view) { point, size in
            let rotated = PlanarPoint(x: point.x * stretch, y: point.y)
            let own = PlanarPoint(x: c * rotated.x - s * rotated.y + x0, y: s * rotated.x + c * rotated.y + y0)
            // Features near the image border depend on the padding.
            let margin = max(6, 3 * size)
            guard own.x >= margin, own.y >= margin, own.x <= w - margin, own.y <= h - margin else { return nil }
            return Feature(point: PlanarPoint(x: own.x * scaleX, y: own.y * scaleY), size: size * scaleX)
        }
    }
}
