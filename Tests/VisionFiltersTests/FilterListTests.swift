import VisionFilters
import XCTest

/// The filters that Core Image's users meet beside Vision are there by name and as functions.
final class FilterListTests: XCTestCase {
    private static var functions: [String: CIFilter] {
        [
            "CIPerspectiveCorrection": CIFilter.perspectiveCorrection(),
            "CIPerspectiveTransform": CIFilter.perspectiveTransform(),
            "CIPerspectiveTransformWithExtent": CIFilter.perspectiveTransformWithExtent(),
            "CIAffineClamp": CIFilter.affineClamp(), "CILanczosScaleTransform": CIFilter.lanczosScaleTransform(),
            "CIStretchCrop": CIFilter.stretchCrop(), "CIGaussianBlur": CIFilter.gaussianBlur(),
            "CIBoxBlur": CIFilter.boxBlur(), "CIBlendWithMask": CIFilter.blendWithMask(),
            "CISourceOverCompositing": CIFilter.sourceOverCompositing(),
            "CIMultiplyCompositing": CIFilter.multiplyCompositing(), "CIColorControls": CIFilter.colorControls(),
            "CIColorMatrix": CIFilter.colorMatrix(), "CIExposureAdjust": CIFilter.exposureAdjust(),
            "CIPhotoEffectMono": CIFilter.photoEffectMono(), "CIColorMonochrome": CIFilter.colorMonochrome(),
            "CIEdges": CIFilter.edges(), "CIAreaAverage": CIFilter.areaAverage(),
            "CIQRCodeGenerator": CIFilter.qrCodeGenerator(), "CIAztecCodeGenerator": CIFilter.aztecCodeGenerator(),
            "CIPDF417BarcodeGenerator": CIFilter.pdf417BarcodeGenerator(),
            "CICode128BarcodeGenerator": CIFilter.code128BarcodeGenerator(),
        ]
    }

    func testNamesAndFunctionsAreThere() {
        for (name, filter) in Self.functions {
            XCTAssertEqual(filter.name, name)
            XCTAssertEqual(CIFilter(name: name)?.inputKeys, filter.inputKeys, name)
        }
        // Without functions of their own in Apple's framework.
        for name in ["CIAffineTransform", "CICrop"] { XCTAssertNotNil(CIFilter(name: name), name) }
        for type in [CIDetectorTypeFace, CIDetectorTypeRectangle, CIDetectorTypeQRCode, CIDetectorTypeText] {
            XCTAssertNotNil(CIDetector(ofType: type, context: nil, options: nil), type)
        }
    }

    /// Every number of every filter at its extremes, and images of every kind: an image that can be rendered, an empty
    /// one or none.
    func testExtremesOfEveryInputGiveImagesOrNone() {
        let picture = Picture.noise(12, 10)
        let huge = picture.image.transformed(by: CGAffineTransform(scaleX: 1e8, y: 1e8))
        let images: [CIImage] = [
            picture.image, .empty(), .red, huge, picture.image.cropped(to: CGRect(x: 50, y: 50, width: 4, height: 4)),
            picture.image.transformed(by: CGAffineTransform(translationX: 1e9, y: -1e9)),
        ]
        let numbers: [Any] = [Double.nan, -Double.infinity, Double.infinity, 0, -1, 1e9, Double.leastNonzeroMagnitude]
        let vectors: [Any] = [
            CIVector(x: 0, y: 0, z: 1e9, w: 1e9), CIVector(x: -1e9, y: -1e9, z: 2e9, w: 2e9), CIVector(x: 1e9, y: 1e9),
            CIVector(x: .nan, y: .nan, z: .nan, w: .nan), CIVector(x: .infinity, y: 1, z: 1, w: 1),
        ]
        for name in CIFilter.filterNames(inCategory: nil) {
            guard let keys = CIFilter(name: name)?.inputKeys else { return XCTFail(name) }
            for key in keys where !key.hasSuffix("Image") {
                for value in numbers + vectors {
                    for image in images {
                        let filter = CIFilter(name: name)
                        for key in keys where key.hasSuffix("Image") { filter?.setValue(image, forKey: key) }
                        // A large radius of an endless image reads all that it reaches.
                        if image.extent.isInfinite, key == kCIInputRadiusKey { continue }
                        filter?.setValue(value, forKey: key)
                        guard let result = filter?.outputImage else { continue }
                        _ = Picture(result, CGRect(x: -1, y: 8, width: 3, height: 3))
                        // All of it: too large for a bitmap, or rendered.
                        guard !result.extent.isInfinite, result.extent.width * result.extent.height > 1e9 else {
                            continue
                        }
                        XCTAssertNil(CIContext().createCGImage(result, from: result.extent), "\(name) \(key) \(value)")
                    }
                }
            }
        }
    }

    /// The context writes all pixels of a bitmap, also where the image shows nothing.
    func testThePerspectiveOfAnImageThatWasCroppedAwayIsTransparent() throws {
        let image = Picture.noise(9, 9).image.cropped(to: CGRect(x: 100, y: 100, width: 4, height: 4))
        for name in ["CIPerspectiveCorrection", "CIPerspectiveTransform"] {
            let filter = try XCTUnwrap(CIFilter(name: name))
            filter.setValue(image, forKey: kCIInputImageKey)
            for (key, x, y) in [
                ("inputTopLeft", 0.0, 8.0), ("inputTopRight", 8, 8), ("inputBottomLeft", 0, 0),
                ("inputBottomRight", 8, 0),
            ] { filter.setValue(CIVector(x: x, y: y), forKey: key) }
            guard let result = filter.outputImage else { continue }
            let found = Picture(result, CGRect(x: 0, y: 0, width: 8, height: 8))
            XCTAssertEqual(found.pixels, Array(repeating: .zero, count: 64), name)
        }
    }

    /// Filters of one image whose other values have defaults make an image without more.
    func testDefaultsMakeAnImage() throws {
        let image = Picture.noise(12, 10).image
        for name in CIFilter.filterNames(inCategory: nil) {
            let filter = try XCTUnwrap(CIFilter(name: name))
            let keys = filter.inputKeys
            guard keys.contains(kCIInputImageKey), keys.filter({ $0.hasSuffix("Image") }).count == 1 else { continue }
            // The area has none.
            guard !keys.contains(kCIInputExtentKey) else { continue }
            filter.setValue(image, forKey: kCIInputImageKey)
            XCTAssertNotNil(filter.outputImage, name)
        }
        let corners = CIFilter.perspectiveTransform()
        XCTAssertEqual(corners.topLeft, CGPoint(x: 118, y: 484))
        corners.inputImage = image
        XCTAssertEqual(corners.outputImage?.extent, CGRect(x: 118, y: 140, width: 528, height: 367))
    }

    func testImagesAndContextsAreObjects() {
        let picture = Picture.noise(4, 4)
        let (image, other) = (picture.image, picture.image)
        // Two images of the same pixels are two images, as two contexts are two; values are equal by what they hold.
        XCTAssertEqual(image, image)
        XCTAssertNotEqual(image, other)
        XCTAssertEqual(Set([image, image, other]).count, 2)
        XCTAssertTrue(image.copy() as? CIImage === image)
        let context = CIContext()
        XCTAssertEqual(context, context)
        XCTAssertNotEqual(context, CIContext())
        XCTAssertEqual((image as NSObject).hash, image.hash)
        XCTAssertEqual(CIVector(x: 1, y: 2), CIVector(x: 1, y: 2))
        XCTAssertEqual(CIColor(red: 1, green: 0, blue: 0), .red)
    }
}
