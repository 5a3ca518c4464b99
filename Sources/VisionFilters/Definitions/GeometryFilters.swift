import Foundation
import VisionImage

extension FilterDefinition {
    /// The corners and their values in Apple's Core Image Filter Reference.
    private static let corners: [(String, Standard)] = [
        ("inputTopLeft", .vector([118, 484])), ("inputTopRight", .vector([646, 507])),
        ("inputBottomRight", .vector([548, 140])), ("inputBottomLeft", .vector([155, 153])),
    ]

    /// The map from the unit square, y up, to the four points of the filter.
    private static func square(_ values: FilterValues) -> (map: Homography, points: [SIMD2<Double>])? {
        let points = corners.compactMap { values.point($0.0) }
        guard points.count == 4, let map = Homography(points[3], points[2], points[1], points[0]) else { return nil }
        return (map, points)
    }

    private static func distance(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
        ((a - b) * (a - b)).sum().squareRoot()
    }

    private static func perspective(
        _ image: CIImage, onto target: Homography, from area: CGRect, extent: CGRect
    ) -> CIImage? {
        guard let inverse = target.inverse, area.width > 0, area.height > 0, !area.isInfinite else { return nil }
        let rectangle = Homography(
            squareTo: SIMD2(Double(area.minX), Double(area.minY)), SIMD2(Double(area.width), Double(area.height)))
        return CIImage(PerspectiveRecipe(image: image, toSquare: inverse, fromSquare: rectangle), extent: extent)
    }

    private static func box(around points: [SIMD2<Double>]) -> CGRect {
        let low = points.dropFirst().reduce(points[0]) { pointwiseMin($0, $1) }
        let high = points.dropFirst().reduce(points[0]) { pointwiseMax($0, $1) }
        return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
    }

    static let geometry: [FilterDefinition] = [
        FilterDefinition(
            "CIAffineTransform", kCICategoryGeometryAdjustment,
            [(kCIInputImageKey, .none), (kCIInputTransformKey, .transform)]
        ) { $0.image()?.transformed(by: $0.transform(kCIInputTransformKey)) },
        FilterDefinition(
            "CIAffineClamp", kCICategoryGeometryAdjustment,
            [(kCIInputImageKey, .none), (kCIInputTransformKey, .transform)]
        ) { $0.image()?.transformed(by: $0.transform(kCIInputTransformKey)).clampedToExtent() },
        FilterDefinition(
            "CICrop", kCICategoryGeometryAdjustment, [(kCIInputImageKey, .none), ("inputRectangle", .none)]
        ) { values in
            guard let image = values.image(), let rect = values.rect("inputRectangle") else { return values.image() }
            return image.cropped(to: rect)
        },
        FilterDefinition(
            "CILanczosScaleTransform", kCICategoryGeometryAdjustment,
            [(kCIInputImageKey, .none), (kCIInputScaleKey, .number(1)), (kCIInputAspectRatioKey, .number(1))]
        ) { values in
            guard let image = values.image(), let area = PixelRect(image.extent) else { return nil }
            let scale = values.number(kCIInputScaleKey, 1e-6...1e6)
            let across = min(max(scale * values.number(kCIInputAspectRatioKey, 1e-6...1e6), 1e-6), 1e6)
            // Whole pixels, at least one.
            func edge(_ value: Int, _ scale: Double) -> CGFloat { CGFloat((Double(value) * scale).rounded()) }
            let (left, bottom) = (edge(area.x, across), edge(area.y, scale))
            let extent = CGRect(
                x: left, y: bottom, width: max(1, edge(area.maxX, across) - left),
                height: max(1, edge(area.maxY, scale) - bottom))
            return CIImage(
                LanczosRecipe(image: image, area: area, scaleX: across, scaleY: scale), extent: extent)
        },
        FilterDefinition(
            "CIStretchCrop", kCICategoryGeometryAdjustment,
            [
                (kCIInputImageKey, .none), ("inputSize", .vector([1280, 720])), ("inputCropAmount", .number(0.25)),
                ("inputCenterStretchAmount", .number(0.25)),
            ]
        ) { values in
            guard let image = values.image(), let area = PixelRect(image.extent), let size = values.point("inputSize")
            else { return nil }
            let (width, height) = (size.x.rounded(), size.y.rounded())
            guard width >= 1, height >= 1 else { return nil }
            let recipe = StretchRecipe(
                image: image, area: area, size: SIMD2(width, height), crop: values.number("inputCropAmount", 0...1),
                centreStretch: values.number("inputCenterStretchAmount", 0...1))
            return CIImage(recipe, extent: CGRect(x: 0, y: 0, width: width, height: height))
        },
        FilterDefinition(
            "CIPerspectiveTransform", kCICategoryGeometryAdjustment,
            [(kCIInputImageKey, .none)] + corners
        ) { values in
            guard let image = values.image(), let (map, points) = square(values) else { return nil }
            return perspective(image, onto: map, from: image.extent, extent: box(around: points))
        },
        FilterDefinition(
            "CIPerspectiveTransformWithExtent", kCICategoryGeometryAdjustment,
            [(kCIInputImageKey, .none), (kCIInputExtentKey, .none)] + corners
        ) { values in
            guard let image = values.image(), let (map, points) = square(values),
                let area = values.rect(kCIInputExtentKey)
            else { return nil }
            return perspective(image, onto: map, from: area.standardized, extent: box(around: points))
        },
        FilterDefinition(
            "CIPerspectiveCorrection", kCICategoryGeometryAdjustment,
            [(kCIInputImageKey, .none)] + corners
        ) { values in
            guard let image = values.image(), let (map, points) = square(values) else { return nil }
            let width = max(distance(points[0], points[1]), distance(points[3], points[2])).rounded()
            let height = max(distance(points[0], points[3]), distance(points[1], points[2])).rounded()
            guard width >= 1, height >= 1 else { return nil }
            let toSquare = Homography(squareTo: .zero, SIMD2(1 / width, 1 / height))
            return CIImage(
                PerspectiveRecipe(image: image, toSquare: toSquare, fromSquare: map),
                extent: CGRect(x: 0, y: 0, width: width, height: height))
        },
    ]
}
