import Foundation
import VisionImage

extension FilterDefinition {
    /// Larger radii are limited: a pixel costs twice the radius.
    private static let radii = 0.0...500.0

    private static func blurred(_ image: CIImage, _ weights: [Float]) -> CIImage {
        let radius = CGFloat(weights.count / 2)
        let extent = image.extent.isInfinite ? image.extent : image.extent.insetBy(dx: -radius, dy: -radius)
        return CIImage(SeparableRecipe(image: image, weights: weights), extent: extent)
    }

    static let blurs: [FilterDefinition] = [
        FilterDefinition(
            "CIGaussianBlur", kCICategoryBlur, [(kCIInputImageKey, .none), (kCIInputRadiusKey, .number(10))]
        ) { values in
            guard let image = values.image() else { return nil }
            let sigma = values.number(kCIInputRadiusKey, radii)
            return sigma < 0.01 ? image : blurred(image, SeparableRecipe.gaussian(sigma))
        },
        FilterDefinition(
            "CIBoxBlur", kCICategoryBlur, [(kCIInputImageKey, .none), (kCIInputRadiusKey, .number(10))]
        ) { values in
            guard let image = values.image() else { return nil }
            let radius = values.number(kCIInputRadiusKey, radii)
            return radius < 0.01 ? image : blurred(image, SeparableRecipe.box(radius))
        },
        FilterDefinition(
            "CIEdges", kCICategoryStylize, [(kCIInputImageKey, .none), (kCIInputIntensityKey, .number(1))]
        ) { values in
            guard let image = values.image() else { return nil }
            let intensity = Float(values.number(kCIInputIntensityKey))
            return CIImage(EdgesRecipe(image: image, intensity: intensity), extent: image.extent)
        },
    ]
}
