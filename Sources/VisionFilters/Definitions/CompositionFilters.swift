import Foundation
import VisionImage

extension FilterDefinition {
    private typealias Pixel = FloatImage.Pixel

    /// Where the result of a composition can be visible.
    private enum Reach { case both, front, back, shared }

    private static func composition(
        _ name: String, _ reach: Reach, bytes: CompositeRecipe.ByteForm? = nil,
        _ combine: @escaping @Sendable (_ front: Pixel, _ back: Pixel) -> Pixel
    ) -> FilterDefinition {
        FilterDefinition(
            name, kCICategoryCompositeOperation, [(kCIInputImageKey, .none), (kCIInputBackgroundImageKey, .none)]
        ) { values in
            guard let front = values.image() else { return nil }
            guard let back = values.image(kCIInputBackgroundImageKey) else { return front }
            let extent: CGRect =
                switch reach {
                case .both: front.extent.around(back.extent)
                case .front: front.extent
                case .back: back.extent
                case .shared: front.extent.overlap(with: back.extent)
                }
            return CIImage(
                CompositeRecipe(inputs: [front, back], byteForm: bytes) { combine($0[0], $0[1]) }, extent: extent)
        }
    }

    /// A blend of the colours where both images are opaque, and each by itself elsewhere.
    private static func blend(
        _ name: String, _ mix: @escaping @Sendable (_ front: Pixel, _ back: Pixel) -> Pixel
    ) -> FilterDefinition {
        composition(name, .both) { front, back in
            var both = mix(front.unpremultiplied, back.unpremultiplied) * (front.w * back.w)
            both += front * (1 - back.w) + back * (1 - front.w)
            both.w = front.w + back.w - front.w * back.w
            return both
        }
    }

    /// - Parameter channel: That of `share` in bytes: 0 for blue, 1 for green, 2 for red, 3 for alpha.
    private static func masked(
        _ name: String, channel: Int, _ share: @escaping @Sendable (Pixel) -> Float
    ) -> FilterDefinition {
        FilterDefinition(
            name, kCICategoryStylize,
            [(kCIInputImageKey, .none), (kCIInputBackgroundImageKey, .none), (kCIInputMaskImageKey, .none)]
        ) { values in
            guard let front = values.image(), let mask = values.image(kCIInputMaskImageKey) else { return nil }
            let back = values.image(kCIInputBackgroundImageKey) ?? .empty()
            return CIImage(
                CompositeRecipe(inputs: [front, back, mask], byteForm: .mask(channel: channel)) { pixels in
                    let part = min(max(share(pixels[2]), 0), 1)
                    return pixels[1] + (pixels[0] - pixels[1]) * part
                }, extent: front.extent.around(back.extent))
        }
    }

    static let compositions: [FilterDefinition] = [
        composition("CISourceOverCompositing", .both, bytes: .over) { $0 + $1 * (1 - $0.w) },
        composition("CISourceInCompositing", .shared) { $0 * $1.w },
        composition("CISourceOutCompositing", .front) { $0 * (1 - $1.w) },
        composition("CISourceAtopCompositing", .back) { $0 * $1.w + $1 * (1 - $0.w) },
        composition("CIMultiplyCompositing", .shared) { $0 * $1 },
        composition("CIAdditionCompositing", .both) { pointwiseMin($0 + $1, Pixel(repeating: 1)) },
        composition("CIMaximumCompositing", .both) { pointwiseMax($0, $1) },
        composition("CIMinimumCompositing", .both) { pointwiseMin($0, $1) },
        blend("CIMultiplyBlendMode") { $0 * $1 },
        blend("CIScreenBlendMode") { $0 + $1 - $0 * $1 },
        blend("CIDarkenBlendMode") { pointwiseMin($0, $1) },
        blend("CILightenBlendMode") { pointwiseMax($0, $1) },
        blend("CIDifferenceBlendMode") { pointwiseMax($0 - $1, $1 - $0) },
        masked("CIBlendWithMask", channel: 1) { $0.y },
        masked("CIBlendWithRedMask", channel: 2) { $0.x },
        masked("CIBlendWithBlueMask", channel: 0) { $0.z },
        masked("CIBlendWithAlphaMask", channel: 3) { $0.w },
    ]
}

extension CGRect {
    /// The smallest rectangle around both; null and empty ones do not count.
    func around(_ other: CGRect) -> CGRect {
        if isInfinite || other.isInfinite { return .infinite }
        if overlap(with: self).isNull { return other }
        return other.overlap(with: other).isNull ? self : union(other)
    }
}
