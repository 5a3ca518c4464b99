import VisionFilters
import XCTest

/// Filters of filtered images, whose steps in between may be bytes.
final class ChainTests: XCTestCase {
    private let area = CGRect(x: 0, y: 0, width: 41, height: 19)

    /// A picture after a function of each pixel.
    private func changed(_ picture: Picture, _ change: (Pixel) -> Pixel) -> Picture {
        Picture(picture.width, picture.height) { change(picture[$0, $1]) }
    }

    /// The mean of 5 × 5 pixels, those of the edges repeated.
    private func mean(_ picture: Picture, _ x: Int, _ y: Int) -> Pixel {
        var sum = Pixel.zero
        for row in y - 2...y + 2 {
            for column in x - 2...x + 2 {
                sum += picture[min(max(column, 0), picture.width - 1), min(max(row, 0), picture.height - 1)]
            }
        }
        return sum / 25
    }

    private func blurred(_ image: CIImage) -> CIImage {
        image.clampedToExtent().applyingFilter("CIBoxBlur", parameters: [kCIInputRadiusKey: 2]).cropped(to: area)
    }

    private func exposed(_ image: CIImage, _ value: Double) -> CIImage {
        image.applyingFilter("CIExposureAdjust", parameters: [kCIInputEVKey: value])
    }

    func testColoursThenBlur() {
        for isOpaque in [true, false] {
            let picture = Picture.noise(41, 19, isOpaque: isOpaque)
            let darker = changed(picture) { Pixel($0.x / 2, $0.y / 2, $0.z / 2, $0.w) }
            assertRenders(blurred(exposed(picture.image, -1)), area) { mean(darker, $0, $1) }
        }
    }

    func testBlurThenColours() {
        for isOpaque in [true, false] {
            let picture = Picture.noise(41, 19, seed: 3, isOpaque: isOpaque)
            assertRenders(exposed(blurred(picture.image), -1), area) { x, y in
                let pixel = mean(picture, x, y)
                return Pixel(pixel.x / 2, pixel.y / 2, pixel.z / 2, pixel.w)
            }
        }
    }

    /// What is brighter than white in between is not cut off.
    func testStepsInBetweenHaveMoreThanBytesHold() {
        let picture = Picture(41, 19) { x, _ in x < 20 ? Pixel(200, 180, 160, 255) : Pixel(0, 0, 20, 255) }
        let brighter = changed(picture) { Pixel($0.x * 4, $0.y * 4, $0.z * 4, $0.w) }
        assertRenders(blurred(exposed(picture.image, 2)), area) { mean(brighter, $0, $1) }
        let negative = changed(picture) { Pixel(2 * $0.x - 200, $0.y, $0.z, $0.w) }
        let matrix: [String: Any] = [
            "inputRVector": CIVector(x: 2, y: 0, z: 0, w: 0),
            "inputBiasVector": CIVector(x: -200 / 255, y: 0, z: 0, w: 0),
        ]
        assertRenders(
            blurred(picture.image.applyingFilter("CIColorMatrix", parameters: matrix)), area
        ) { mean(negative, $0, $1) }
    }

    func testThreeStepsAndSharedOnes() {
        let picture = Picture.noise(41, 19, seed: 9)
        let darker = changed(picture) { Pixel($0.x / 2, $0.y / 2, $0.z / 2, $0.w) }
        let once = Picture(41, 19) { mean(darker, $0, $1) }
        assertRenders(blurred(blurred(exposed(picture.image, -1))), area) { mean(once, $0, $1) }
        // The same step in front and behind, blended by its own green.
        let step = exposed(picture.image, -1)
        let blended = step.applyingFilter(
            "CIBlendWithMask", parameters: [kCIInputBackgroundImageKey: picture.image, kCIInputMaskImageKey: step])
        assertRenders(blended, area) { x, y in
            let share = darker[x, y].y / 255
            return darker[x, y] * share + picture[x, y] * (1 - share)
        }
    }

    func testAPartOfAnImageHasItsPlace() {
        let picture = Picture.noise(41, 19, seed: 2)
        let part = CGRect(x: 7, y: 4, width: 20, height: 9)
        let image = exposed(picture.image, -1).cropped(to: part).clampedToExtent()
            .applyingFilter("CIBoxBlur", parameters: [kCIInputRadiusKey: 2])
        let inside = Picture(20, 9) { x, y in
            let pixel = picture[x + 7, y + 4]
            return Pixel(pixel.x / 2, pixel.y / 2, pixel.z / 2, pixel.w)
        }
        assertRenders(image, CGRect(x: -3, y: -2, width: 50, height: 22)) { mean(inside, $0 - 7, $1 - 4) }
    }
}
