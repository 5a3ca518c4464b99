import VisionFilters
import XCTest

final class ColourFilterTests: XCTestCase {
    private let pictures = [Picture.noise(31, 9), Picture.noise(31, 9, seed: 5, isOpaque: false)]
    private let area = CGRect(x: 0, y: 0, width: 31, height: 9)

    /// A formula of colours 0…1 that are not multiplied by alpha, on stored bytes.
    private func check(
        _ name: String, _ parameters: [String: Any], file: StaticString = #filePath, line: UInt = #line,
        _ formula: (Pixel) -> Pixel
    ) {
        for picture in pictures {
            let image = picture.image.applyingFilter(name, parameters: parameters)
            XCTAssertEqual(image.extent, area, file: file, line: line)
            assertRenders(image, area, file: file, line: line) { x, y in
                var pixel = picture[x, y] / 255
                let alpha = pixel.w
                guard alpha > 0 else { return .zero }
                pixel /= alpha
                pixel.w = alpha
                var result = formula(pixel)
                result = Pixel(result.x * result.w, result.y * result.w, result.z * result.w, result.w)
                return result * 255
            }
        }
    }

    private func luma(_ pixel: Pixel) -> Double { 0.2125 * pixel.x + 0.7154 * pixel.y + 0.0721 * pixel.z }

    private func grey(_ value: Double, _ alpha: Double) -> Pixel { Pixel(value, value, value, alpha) }

    func testControlsFollowSaturationThenBrightnessThenContrast() {
        let parameters: [String: Any] = [
            kCIInputSaturationKey: 0.4, kCIInputBrightnessKey: 0.1, kCIInputContrastKey: Float(1.3),
        ]
        check("CIColorControls", parameters) { pixel in
            let grey = luma(pixel)
            func part(_ value: Double) -> Double { ((grey + (value - grey) * 0.4 + 0.1) - 0.5) * 1.3 + 0.5 }
            return Pixel(part(pixel.x), part(pixel.y), part(pixel.z), pixel.w)
        }
        check("CIColorControls", [kCIInputSaturationKey: 0]) { grey(luma($0), $0.w) }
    }

    func testTheMatrixMixesAllComponents() {
        let parameters: [String: Any] = [
            "inputRVector": CIVector(x: 0.2, y: 0.5, z: 0, w: 0), "inputGVector": CIVector(x: 0, y: 0, z: 1, w: 0),
            "inputAVector": CIVector(x: 0, y: 0, z: 0, w: 0.5),
            "inputBiasVector": CIVector(x: 0.05, y: 0, z: 0.1, w: 0.2),
        ]
        check("CIColorMatrix", parameters) { pixel in
            Pixel(0.2 * pixel.x + 0.5 * pixel.y + 0.05, pixel.z, pixel.z + 0.1, 0.5 * pixel.w + 0.2)
        }
    }

    func testExposureGammaInversionAndMonochrome() {
        check("CIExposureAdjust", [kCIInputEVKey: -0.7]) { pixel in
            let factor = exp2(-0.7)
            return Pixel(pixel.x * factor, pixel.y * factor, pixel.z * factor, pixel.w)
        }
        check("CIGammaAdjust", ["inputPower": 0.6]) { pixel in
            Pixel(pow(pixel.x, 0.6), pow(pixel.y, 0.6), pow(pixel.z, 0.6), pixel.w)
        }
        check("CIColorInvert", [:]) { Pixel(1 - $0.x, 1 - $0.y, 1 - $0.z, $0.w) }
        check("CIPhotoEffectMono", [:]) { grey(luma($0), $0.w) }
        check("CIMaskToAlpha", [:]) { Pixel(1, 1, 1, luma($0) * $0.w) }
        check(
            "CIColorMonochrome",
            [kCIInputColorKey: CIColor(red: 0.8, green: 0.5, blue: 0.2), kCIInputIntensityKey: 0.75]
        ) { pixel in
            let grey = luma(pixel)
            return Pixel(
                pixel.x * 0.25 + grey * 0.8 * 0.75, pixel.y * 0.25 + grey * 0.5 * 0.75,
                pixel.z * 0.25 + grey * 0.2 * 0.75, pixel.w)
        }
    }

    func testCompositionsFollowTheirFormulas() {
        let (front, back) = (pictures[1], Picture.noise(20, 14, seed: 9, isOpaque: false))
        let all = CGRect(x: 0, y: 0, width: 31, height: 14)
        func check(_ name: String, _ extent: CGRect, _ formula: (Pixel, Pixel) -> Pixel) {
            let image = front.image.applyingFilter(name, parameters: [kCIInputBackgroundImageKey: back.image])
            XCTAssertEqual(image.extent, extent, name)
            assertRenders(image, all) { x, y in
                guard extent.contains(CGPoint(x: Double(x) + 0.5, y: Double(y) + 0.5)) else { return .zero }
                return formula(front[x, y] / 255, back[x, y] / 255) * 255
            }
        }
        let shared = CGRect(x: 0, y: 0, width: 20, height: 9)
        check("CISourceOverCompositing", all) { $0 + $1 * (1 - $0.w) }
        check("CISourceInCompositing", shared) { $0 * $1.w }
        check("CISourceOutCompositing", area) { $0 * (1 - $1.w) }
        check("CISourceAtopCompositing", CGRect(x: 0, y: 0, width: 20, height: 14)) { $0 * $1.w + $1 * (1 - $0.w) }
        check("CIMultiplyCompositing", shared) { $0 * $1 }
        check("CIAdditionCompositing", all) { $0 + $1 }
        // Where both are premultiplied, a product of colours times both alphas is the product of the stored values.
        check("CIMultiplyBlendMode", all) { front, back in
            var result = front * back + front * (1 - back.w) + back * (1 - front.w)
            result.w = front.w + back.w - front.w * back.w
            return result
        }
        check("CIScreenBlendMode", all) { $0 + $1 - $0 * $1 }
        check("CIMaximumCompositing", all) { pointwiseMax($0, $1) }
        check("CIMinimumCompositing", all) { pointwiseMin($0, $1) }
        /// A blend of colours that are not multiplied by alpha, and each image by itself where the other is not.
        func blend(_ name: String, _ mix: @escaping (Pixel, Pixel) -> Pixel) {
            check(name, all) { front, back in
                let both = front.w * back.w
                var result = front * (1 - back.w) + back * (1 - front.w)
                if both > 0 { result += mix(front / front.w, back / back.w) * both }
                result.w = front.w + back.w - both
                return result
            }
        }
        blend("CIDarkenBlendMode") { pointwiseMin($0, $1) }
        blend("CILightenBlendMode") { pointwiseMax($0, $1) }
        blend("CIDifferenceBlendMode") { pointwiseMax($0, $1) - pointwiseMin($0, $1) }
    }

    func testMasksMixTwoImages() {
        let (front, back, mask) = (pictures[0], Picture.noise(31, 9, seed: 3), Picture.noise(31, 9, seed: 4))
        let image = front.image.applyingFilter(
            "CIBlendWithMask",
            parameters: [kCIInputBackgroundImageKey: back.image, kCIInputMaskImageKey: mask.image])
        assertRenders(image, area) { x, y in
            back[x, y] + (front[x, y] - back[x, y]) * (mask[x, y].y / 255)
        }
        let shares: [(String, KeyPath<Pixel, Double>)] = [
            ("CIBlendWithRedMask", \.x), ("CIBlendWithBlueMask", \.z), ("CIBlendWithAlphaMask", \.w),
        ]
        for (name, channel) in shares {
            let shade = Picture.noise(31, 9, seed: 6, isOpaque: false)
            let image = front.image.applyingFilter(
                name, parameters: [kCIInputBackgroundImageKey: back.image, kCIInputMaskImageKey: shade.image])
            assertRenders(image, area) { x, y in
                back[x, y] + (front[x, y] - back[x, y]) * (shade[x, y][keyPath: channel] / 255)
            }
        }
        let cut = front.image.applyingFilter(
            "CIBlendWithAlphaMask", parameters: [kCIInputMaskImageKey: pictures[1].image])
        assertRenders(cut, area) { x, y in front[x, y] * (pictures[1][x, y].w / 255) }
    }

    func testAveragesAreThoseOfTheRectangle() {
        let picture = pictures[1]
        let rect = CGRect(x: 4, y: 2, width: 20, height: 5)
        let image = picture.image.applyingFilter(
            "CIAreaAverage", parameters: [kCIInputExtentKey: CIVector(cgRect: rect)])
        XCTAssertEqual(image.extent, CGRect(x: 0, y: 0, width: 1, height: 1))
        var (sum, largest, smallest) = (Pixel.zero, Pixel.zero, Pixel(repeating: 255))
        for y in 2..<7 {
            for x in 4..<24 {
                sum += picture[x, y]
                largest = pointwiseMax(largest, picture[x, y])
                smallest = pointwiseMin(smallest, picture[x, y])
            }
        }
        assertRenders(image, image.extent) { _, _ in sum / 100 }
        let most = picture.image.applyingFilter(
            "CIAreaMaximum", parameters: [kCIInputExtentKey: CIVector(cgRect: rect)])
        assertRenders(most, most.extent) { _, _ in largest }
        let least = picture.image.applyingFilter(
            "CIAreaMinimum", parameters: [kCIInputExtentKey: CIVector(cgRect: rect)])
        assertRenders(least, least.extent) { _, _ in smallest }
    }
}
