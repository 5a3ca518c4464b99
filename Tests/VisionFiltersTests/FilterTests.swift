import Vision
import VisionFilters
import XCTest

final class FilterTests: XCTestCase {
    private let picture = Picture.noise(24, 16)
    private let area = CGRect(x: 0, y: 0, width: 24, height: 16)

    func testNamesKeysAndDefaults() throws {
        let filter = try XCTUnwrap(CIFilter(name: "CIGaussianBlur"))
        XCTAssertEqual(filter.name, "CIGaussianBlur")
        XCTAssertEqual(filter.inputKeys, [kCIInputImageKey, kCIInputRadiusKey])
        XCTAssertEqual(filter.value(forKey: kCIInputRadiusKey) as? Double, 10)
        XCTAssertNil(filter.outputImage)
        filter.setValue(picture.image, forKey: kCIInputImageKey)
        XCTAssertNotNil(filter.value(forKey: kCIOutputImageKey) as? CIImage)
        let copy = try XCTUnwrap(filter.copy() as? CIFilter)
        filter.setDefaults()
        XCTAssertNil(filter.outputImage)
        XCTAssertNotNil(copy.outputImage)
        XCTAssertNil(CIFilter(name: "CINothing"))
        XCTAssertTrue(picture.image.applyingFilter("CINothing").extent == area)
        XCTAssertTrue(CIFilter.filterNames(inCategory: kCICategoryBlur).contains("CIBoxBlur"))
        XCTAssertEqual(CIFilter.filterNames(inCategories: [kCICategoryBlur, kCICategoryReduction]), [])
        XCTAssertEqual(CIFilter.localizedName(forFilterName: "CIGaussianBlur"), "Gaussian Blur")
        XCTAssertEqual(filter.attributes[kCIAttributeFilterName] as? String, "CIGaussianBlur")
    }

    func testPropertiesAreTheKeys() throws {
        let blur = CIFilter.gaussianBlur()
        blur.inputImage = picture.image
        blur.radius = 1.5
        XCTAssertEqual(blur.value(forKey: kCIInputRadiusKey) as? Float, 1.5)
        let plain = picture.image.applyingGaussianBlur(sigma: 1.5)
        let expected = Picture(plain, area)
        assertRenders(blur.outputImage, area) { expected[$0, $1] }

        let correction = CIFilter.perspectiveCorrection()
        correction.topLeft = CGPoint(x: 1, y: 14)
        XCTAssertEqual(correction.value(forKey: "inputTopLeft") as? CIVector, CIVector(x: 1, y: 14))
        let matrix = CIFilter.colorMatrix()
        XCTAssertEqual(matrix.rVector, CIVector(x: 1, y: 0, z: 0, w: 0))
        let code = CIFilter.qrCodeGenerator()
        XCTAssertEqual(code.correctionLevel, "M")
        let aztec = CIFilter.aztecCodeGenerator()
        aztec.correctionLevel = 40
        XCTAssertEqual(aztec.value(forKey: "inputCorrectionLevel") as? Float, 40)
        let mean = CIFilter.areaAverage()
        mean.extent = area
        XCTAssertEqual(mean.extent, area)
    }

    func testAFilterOfAUserMayJoinOthers() {
        final class Twice: CIFilter {
            var inputImage: CIImage?
            override var outputImage: CIImage? {
                inputImage?.applyingFilter("CIColorInvert").applyingFilter("CIColorInvert")
            }
        }
        let filter = Twice()
        filter.inputImage = picture.image
        assertRenders(filter.outputImage, area) { picture[$0, $1] }
        XCTAssertTrue(filter.name.contains("Twice"))
    }

    func testRequestsAndContextsReadFilters() throws {
        let image = picture.image.applyingFilter("CIColorInvert").cropped(to: CGRect(x: 2, y: 3, width: 10, height: 8))
        let rendered = try XCTUnwrap(CIContext().createCGImage(image, from: image.extent))
        XCTAssertEqual([rendered.width, rendered.height], [10, 8])
        XCTAssertEqual(rendered.alphaInfo, .premultipliedFirst)
        let request = VNDetectBarcodesRequest()
        try VNImageRequestHandler(ciImage: image).perform([request])
        XCTAssertEqual(request.results, [])
        let context = CIContext(options: [.workingColorSpace: NSNull(), .useSoftwareRenderer: true])
        let space = CGColorSpaceCreateDeviceRGB()
        let png = try XCTUnwrap(context.pngRepresentation(of: image, format: .RGBA8, colorSpace: space))
        XCTAssertEqual(CIImage(data: png)?.extent.size, CGSize(width: 10, height: 8))
        let jpeg = try XCTUnwrap(context.jpegRepresentation(of: image, colorSpace: space))
        XCTAssertEqual(jpeg.prefix(2), Data([0xFF, 0xD8]))
        XCTAssertNil(context.jpegRepresentation(of: .white, colorSpace: space))
        XCTAssertEqual(context.createCGImage(image, from: area, format: .RGBA8, colorSpace: nil)?.bitsPerPixel, 32)
    }

    func testColoursHaveNoEdges() {
        assertRenders(CIImage(color: CIColor(red: 1, green: 0.5, blue: 0, alpha: 0.5)), area) { _, _ in
            Pixel(127.5, 63.75, 0, 127.5)
        }
        assertRenders(CIImage.empty(), area) { _, _ in .zero }
        XCTAssertTrue(CIImage.red.oriented(.right).extent.isInfinite)
        let composed = picture.image.composited(over: CIImage(color: .blue))
        assertRenders(composed, area) { picture[$0, $1] }
        assertRenders(picture.image.settingAlphaOne(in: area), area) { picture[$0, $1] }
    }

    // MARK: - Hostile values

    func testNoValueOfAnyInputTraps() {
        let strange: [Any] = [
            Double.nan, Double.infinity, -1e300, 1e300, -5, 0, "text", Data([0, 255]),
            CIVector([.nan, .infinity, -1e30]),
            CIVector([]), CIVector([1e300, -1e300, 1e300, -1e300]),
            CIColor(red: .nan, green: 1e300, blue: -1, alpha: 5),
            CGAffineTransform(a: .nan, b: 0, c: 0, d: 0, tx: 0, ty: 0), CGAffineTransform(scaleX: 1e300, y: 0),
        ]
        let images = [picture.image, CIImage.empty(), picture.image.cropped(to: .zero), CIImage(color: .red)]
        for name in CIFilter.filterNames(inCategory: nil) {
            guard let keys = CIFilter(name: name)?.inputKeys else { return XCTFail(name) }
            for image in images {
                // Blurs of an endless image read all that a large radius reaches, so it gets no large number.
                for value in image.extent.isInfinite ? Array(strange.suffix(10)) : strange {
                    let filter = CIFilter(name: name)
                    for key in keys where !key.hasSuffix("Image") { filter?.setValue(value, forKey: key) }
                    for key in keys where key.hasSuffix("Image") { filter?.setValue(image, forKey: key) }
                    guard let result = filter?.outputImage else { continue }
                    _ = Picture(result, CGRect(x: -2, y: -2, width: 5, height: 4))
                }
            }
        }
    }

    func testHugeExtentsCostNothingUntilTheyAreRendered() {
        let huge = picture.image.transformed(by: CGAffineTransform(scaleX: 1e8, y: 1e8))
            .applyingFilter("CIColorInvert").applyingGaussianBlur(sigma: 3)
        XCTAssertNil(CIContext().createCGImage(huge, from: huge.extent))
        XCTAssertNil(CIContext().createCGImage(huge, from: .infinite))
        XCTAssertNotNil(CIContext().createCGImage(huge, from: CGRect(x: 1e8, y: 1e8, width: 4, height: 4)))
        let grown = picture.image.applyingFilter("CILanczosScaleTransform", parameters: [kCIInputScaleKey: 1e6])
        XCTAssertNil(CIContext().createCGImage(grown, from: grown.extent))
        XCTAssertNotNil(CIContext().createCGImage(grown, from: CGRect(x: 7e6, y: 7e6, width: 3, height: 3)))
        XCTAssertThrowsError(try VNImageRequestHandler(ciImage: grown).perform([VNDetectBarcodesRequest()]))
        XCTAssertThrowsError(try VNImageRequestHandler(ciImage: .white).perform([VNDetectBarcodesRequest()]))
    }

    func testLongAndBranchingRecipesEnd() {
        var image = picture.image
        for _ in 0..<40 { image = image.composited(over: image) }
        assertRenders(image, area) { picture[$0, $1] }
        for _ in 0..<100_000 { image = image.applyingFilter("CIColorInvert") }
        XCTAssertNil(CIContext().createCGImage(image, from: area))
    }

    func testBitmapsThatDoNotFitAreNotWritten() {
        var bytes = [UInt8](repeating: 9, count: 64)
        let image = picture.image
        CIContext().render(
            image, toBitmap: &bytes, rowBytes: 4, bounds: CGRect(x: 0, y: 0, width: 4, height: 4), format: .RGBA8,
            colorSpace: nil)
        CIContext().render(
            image, toBitmap: &bytes, rowBytes: 16, bounds: .infinite, format: .RGBA8, colorSpace: nil)
        CIContext().render(
            image, toBitmap: &bytes, rowBytes: 16, bounds: CGRect(x: 0, y: 0, width: 4, height: 4),
            format: CIFormat(rawValue: 99), colorSpace: nil)
        XCTAssertEqual(bytes, [UInt8](repeating: 9, count: 64))
    }
}
