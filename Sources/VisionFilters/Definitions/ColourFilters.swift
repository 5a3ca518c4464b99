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

    /// A filter that applies a matrix to the colours of each pixel, not multiplied by alpha.
    private static func linear(
        _ name: String, _ category: String, _ inputs: [(String, Standard)],
        _ matrix: @escaping @Sendable (FilterValues) -> ColourMatrix
    ) -> FilterDefinition {
        FilterDefinition(name, category, [(kCIInputImageKey, .none)] + inputs) { values in
            guard let image = values.image() else { return nil }
            return CIImage(MatrixRecipe(image: image, matrix: matrix(values)), extent: image.extent)
        }
    }

    /// The matrix that leaves alpha as it is, and has for each colour its own value times a factor, the luminance times
    /// a factor, and a constant.
    private static func matrix(own: Float, luminance: SIMD3<Float>, bias: SIMD3<Float> = .zero) -> ColourMatrix {
        let rows = (0..<3).map { channel in
            var row = SIMD4(luma * luminance[channel], 0)
            row[channel] += own
            return row
        }
        return ColourMatrix(rows + [SIMD4(0, 0, 0, 1)], bias: SIMD4(bias, 0))
    }

    static let colours: [FilterDefinition] = [
        linear(
            "CIColorControls", kCICategoryColorAdjustment,
            [
                (kCIInputSaturationKey, .number(1)), (kCIInputBrightnessKey, .number(0)),
                (kCIInputContrastKey, .number(1)),
            ]
        ) { values in
            let saturation = Float(values.number(kCIInputSaturationKey))
            let brightness = Float(values.number(kCIInputBrightnessKey))
            let contrast = Float(values.number(kCIInputContrastKey))
            // ((value - grey) * saturation + grey + brightness - 1/2) * contrast + 1/2
            return matrix(
                own: saturation * contrast, luminance: SIMD3(repeating: (1 - saturation) * contrast),
                bias: SIMD3(repeating: (brightness - 0.5) * contrast + 0.5))
        },
        linear(
            "CIColorMatrix", kCICategoryColorAdjustment,
            [
                ("inputRVector", .vector([1, 0, 0, 0])), ("inputGVector", .vector([0, 1, 0, 0])),
                ("inputBVector", .vector([0, 0, 1, 0])), ("inputAVector", .vector([0, 0, 0, 1])),
                ("inputBiasVector", .vector([0, 0, 0, 0])),
            ]
        ) { values in
            let rows = ["inputRVector", "inputGVector", "inputBVector", "inputAVector"].map(values.coefficients)
            let bias = values.coefficients("inputBiasVector")
            return ColourMatrix(rows, bias: bias)
        },
        linear("CIExposureAdjust", kCICategoryColorAdjustment, [(kCIInputEVKey, .number(0))]) { values in
            let factor = Float(exp2(values.number(kCIInputEVKey, -60...60)))
            return matrix(own: factor, luminance: .zero)
        },
        colour("CIGammaAdjust", kCICategoryColorAdjustment, [("inputPower", .number(1))]) { values in
            let power = Float(values.number("inputPower", -100...100))
            return { pixel in
                func raised(_ value: Float) -> Float { min(powf(max(value, 0), power), 1e3) }
                return FloatImage.Pixel(raised(pixel.x), raised(pixel.y), raised(pixel.z), pixel.w)
            }
        },
        linear("CIColorInvert", kCICategoryColorEffect, []) { _ in
            matrix(own: -1, luminance: .zero, bias: SIMD3(repeating: 1))
        },
        linear(
            "CIColorMonochrome", kCICategoryColorEffect,
            [
                (kCIInputColorKey, .colour(CIColor(red: 0.6, green: 0.45, blue: 0.3))),
                (kCIInputIntensityKey, .number(1)),
            ]
        ) { values in
            let colour = values.colour(kCIInputColorKey).unpremultiplied
            let intensity = Float(values.number(kCIInputIntensityKey))
            return matrix(own: 1 - intensity, luminance: SIMD3(colour.x, colour.y, colour.z) * intensity)
        },
        linear("CIPhotoEffectMono", kCICategoryColorEffect, []) { _ in
            matrix(own: 0, luminance: SIMD3(repeating: 1))
        },
        colour("CIMaskToAlpha", kCICategoryColorEffect, []) { _ in
            { pixel in FloatImage.Pixel(1, 1, 1, min(max(luminance(pixel), 0), 1) * pixel.w) }
        },
    ]
}
