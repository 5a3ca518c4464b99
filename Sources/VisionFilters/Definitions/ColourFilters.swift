import Foundation
import VisionImage

extension FilterDefinition {
    /// The share of each component in the luminance of Rec. 709, as Core Image's colour controls use it.
    private static let luma = SIMD3<Float>(0.2125, 0.7154, 0.0721)

    private static func luminance(_ pixel: FloatImage.Pixel) -> Float {
        pixel.x * luma.x + pixel.y * luma.y + pixel.z * luma.z
    }

    /// A filter that changes the colours of each pixel, not multiplied by alpha; `change` gets the values once.
    private static func colour(
        _ name: String, _ category: String, _ inputs: [(String, Standard)],
        _ change: @escaping @Sendable (FilterValues) -> @Sendable (FloatImage.Pixel) -> FloatImage.Pixel
    ) -> FilterDefinition {
        FilterDefinition(name, category, [(kCIInputImageKey, .none)] + inputs) { values in
            guard let image = values.image() else { return nil }
            let change = change(values)
            return CIImage(
                ColourRecipe(image: image) { change($0.unpremultiplied).premultiplied }, extent: image.extent)
        }
    }

    static let colours: [FilterDefinition] = [
        colour(
            "CIColorControls", kCICategoryColorAdjustment,
            [
                (kCIInputSaturationKey, .number(1)), (kCIInputBrightnessKey, .number(0)),
                (kCIInputContrastKey, .number(1)),
            ]
        ) { values in
            let saturation = Float(values.number(kCIInputSaturationKey))
            let brightness = Float(values.number(kCIInputBrightnessKey))
            let contrast = Float(values.number(kCIInputContrastKey))
            return { pixel in
                let grey = luminance(pixel)
                var result = (pixel - grey) * saturation + (grey + brightness)
                result = (result - 0.5) * contrast + 0.5
                result.w = pixel.w
                return result
            }
        },
        colour(
            "CIColorMatrix", kCICategoryColorAdjustment,
            [
                ("inputRVector", .vector([1, 0, 0, 0])), ("inputGVector", .vector([0, 1, 0, 0])),
                ("inputBVector", .vector([0, 0, 1, 0])), ("inputAVector", .vector([0, 0, 0, 1])),
                ("inputBiasVector", .vector([0, 0, 0, 0])),
            ]
        ) { values in
            let rows = ["inputRVector", "inputGVector", "inputBVector", "inputAVector"].map(values.coefficients)
            let bias = values.coefficients("inputBiasVector")
            return { pixel in
                var result = FloatImage.Pixel(
                    (pixel * rows[0]).sum(), (pixel * rows[1]).sum(), (pixel * rows[2]).sum(), (pixel * rows[3]).sum())
                result += bias
                result.w = min(max(result.w, 0), 1)
                return result
            }
        },
        colour("CIExposureAdjust", kCICategoryColorAdjustment, [(kCIInputEVKey, .number(0))]) { values in
            let factor = Float(exp2(values.number(kCIInputEVKey, -60...60)))
            return { pixel in
                var result = pixel * factor
                result.w = pixel.w
                return result
            }
        },
        colour("CIGammaAdjust", kCICategoryColorAdjustment, [("inputPower", .number(1))]) { values in
            let power = Float(values.number("inputPower", -100...100))
            return { pixel in
                func raised(_ value: Float) -> Float { min(powf(max(value, 0), power), 1e3) }
                return FloatImage.Pixel(raised(pixel.x), raised(pixel.y), raised(pixel.z), pixel.w)
            }
        },
        colour("CIColorInvert", kCICategoryColorEffect, []) { _ in
            { FloatImage.Pixel(1 - $0.x, 1 - $0.y, 1 - $0.z, $0.w) }
        },
        colour(
            "CIColorMonochrome", kCICategoryColorEffect,
            [
                (kCIInputColorKey, .colour(CIColor(red: 0.6, green: 0.45, blue: 0.3))),
                (kCIInputIntensityKey, .number(1)),
            ]
        ) { values in
            let colour = values.colour(kCIInputColorKey).unpremultiplied
            let intensity = Float(values.number(kCIInputIntensityKey))
            return { pixel in
                var result = pixel + (colour * luminance(pixel) - pixel) * intensity
                result.w = pixel.w
                return result
            }
        },
        colour("CIPhotoEffectMono", kCICategoryColorEffect, []) { _ in
            { pixel in
                let grey = luminance(pixel)
                return FloatImage.Pixel(grey, grey, grey, pixel.w)
            }
        },
        colour("CIMaskToAlpha", kCICategoryColorEffect, []) { _ in
            { pixel in FloatImage.Pixel(1, 1, 1, min(max(luminance(pixel), 0), 1) * pixel.w) }
        },
    ]
}
