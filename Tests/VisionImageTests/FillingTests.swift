import VisionImage
import XCTest

final class FillingTests: XCTestCase {
    private func context(_ width: Int = 40, _ height: Int = 30) throws -> CGContext {
        try XCTUnwrap(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue))
    }

    /// Grey from a pixel's column and its row from the bottom.
    private func grey(_ context: CGContext, _ x: Int, _ y: Int) -> UInt8 {
        context.data?.load(
            fromByteOffset: (context.height - 1 - y) * context.bytesPerRow + x, as: UInt8.self) ?? 0
    }

    func testPixelsGetTheShareThatThePathCovers() throws {
        let context = try context()
        context.setFillColor(gray: 1, alpha: 1)
        context.move(to: CGPoint(x: 2.25, y: 3.5))
        for point in [(10, 3.5), (10, 8.25), (2.25, 8.25)] { context.addLine(to: CGPoint(x: point.0, y: point.1)) }
        context.fillPath()
        XCTAssertEqual(grey(context, 5, 5), 255)
        XCTAssertEqual(Double(grey(context, 2, 5)), 255 * 0.75, accuracy: 1)
        XCTAssertEqual(Double(grey(context, 5, 3)), 255 * 0.5, accuracy: 1)
        XCTAssertEqual(Double(grey(context, 2, 8)), 255 * 0.75 * 0.25, accuracy: 1)
        XCTAssertEqual(grey(context, 10, 5), 0)
        XCTAssertEqual(grey(context, 5, 9), 0)
    }

    func testTheAreaOfAnEllipseIsExactToAThousandth() throws {
        let context = try context()
        context.setFillColor(gray: 1, alpha: 1)
        context.fillEllipse(in: CGRect(x: 4.3, y: 5.1, width: 30, height: 20))
        var sum = 0.0
        for y in 0..<30 { for x in 0..<40 { sum += Double(grey(context, x, y)) / 255 } }
        XCTAssertEqual(sum, .pi * 15 * 10, accuracy: 0.5)
    }

    func testRulesDifferWherePartsOverlap() throws {
        for (rule, inside) in [(CGPathFillRule.winding, UInt8(255)), (.evenOdd, 0)] {
            let context = try context()
            context.setFillColor(gray: 1, alpha: 1)
            context.addRect(CGRect(x: 2, y: 2, width: 20, height: 20))
            context.addRect(CGRect(x: 8, y: 8, width: 6, height: 6))
            context.fillPath(using: rule)
            XCTAssertEqual(grey(context, 10, 10), inside)
            XCTAssertEqual(grey(context, 4, 4), 255)
            // The path is gone.
            context.setFillColor(gray: 0, alpha: 1)
            context.fillPath()
            XCTAssertEqual(grey(context, 4, 4), 255)
        }
    }

    func testOddPathsDrawNothingOrWhatIsVisible() throws {
        let context = try context()
        context.setFillColor(gray: 1, alpha: 1)
        context.fillPath()
        context.fillEllipse(in: .null)
        context.fillEllipse(in: .infinite)
        context.fillEllipse(in: CGRect(x: CGFloat.nan, y: 0, width: 4, height: 4))
        context.move(to: CGPoint(x: 1, y: 1))
        context.addLine(to: CGPoint(x: CGFloat.infinity, y: 4))
        context.addLine(to: CGPoint(x: 3, y: 20))
        context.fillPath()
        XCTAssertEqual(grey(context, 2, 2), 0)
        context.addRect(CGRect(x: -1e8, y: -1e8, width: 2e8, height: 2e8))
        context.fillPath()
        XCTAssertEqual(grey(context, 0, 0), 255)
        XCTAssertEqual(grey(context, 39, 29), 255)
    }

    func testThumbnailsKeepTheirProportions() throws {
        let page = try context(200, 100)
        page.setFillColor(gray: 1, alpha: 1)
        page.fill(CGRect(x: 0, y: 50, width: 200, height: 50))
        let file = NSMutableData()
        let destination = try XCTUnwrap(CGImageDestinationCreateWithData(file, "public.jpeg", 1, nil))
        CGImageDestinationAddImage(
            destination, try XCTUnwrap(page.makeImage()), [kCGImagePropertyOrientation: 6] as CFDictionary)
        XCTAssertTrue(CGImageDestinationFinalize(destination))
        let source = try XCTUnwrap(CGImageSourceCreateWithData(Data(referencing: file), nil))
        func thumbnail(_ options: CFDictionary) -> [Int]? {
            CGImageSourceCreateThumbnailAtIndex(source, 0, options).map { [$0.width, $0.height] }
        }
        let always = kCGImageSourceCreateThumbnailFromImageAlways, most = kCGImageSourceThumbnailMaxPixelSize
        XCTAssertEqual(thumbnail([always: true, most: 50]), [50, 25])
        XCTAssertEqual(thumbnail([always: kCFBooleanTrue!, most: CGFloat(33)]), [33, 17])
        XCTAssertEqual(thumbnail([always: true, most: 5000]), [200, 100])
        XCTAssertEqual(thumbnail([always: true]), [200, 100])
        XCTAssertNil(thumbnail([most: 50]))
        XCTAssertNil(thumbnail([always: true, most: 0]))
        XCTAssertNil(thumbnail([always: true, most: Double.nan]))
        XCTAssertNil(CGImageSourceCreateThumbnailAtIndex(source, 1, [always: true]))
        let small = try XCTUnwrap(CGImageSourceCreateThumbnailAtIndex(source, 0, [always: true, most: 20]))
        let bytes = try XCTUnwrap(small.dataProvider?.data)
        XCTAssertGreaterThan(bytes[small.bytesPerRow * 2 + 5], 250)
        XCTAssertLessThan(bytes[small.bytesPerRow * 8 + 5], 5)
    }

    func testVectorFunctions() {
        let (x, y) = (SIMD3<Float>(1, 2, 2), SIMD3<Float>(0, 0, 1))
        XCTAssertEqual(simd_length(x), 3)
        XCTAssertEqual(simd_distance(SIMD2<Double>(3, 0), SIMD2(0, 4)), 5)
        XCTAssertEqual(simd_dot(x, y), 2)
        XCTAssertEqual(simd_cross(x, y), SIMD3(2, -1, 0))
        XCTAssertEqual(simd_length(simd_normalize(x)), 1, accuracy: 1e-6)
        XCTAssertTrue(simd_normalize(SIMD2<Float>.zero).x.isNaN)
        XCTAssertEqual(simd_mix(SIMD2<Float>(0, 10), SIMD2(10, 20), SIMD2(repeating: 0.5)), SIMD2(5, 15))
        XCTAssertEqual(simd_clamp(x, SIMD3(repeating: 1.5), SIMD3(repeating: 1.75)), SIMD3(1.5, 1.75, 1.75))
        XCTAssertEqual(simd_mul(matrix_identity_float4x4, SIMD4(1, 2, 3, 4)), SIMD4(1, 2, 3, 4))
        XCTAssertEqual(simd_inverse(matrix_identity_float3x3), matrix_identity_float3x3)
        XCTAssertEqual(simd_max(x, SIMD3(repeating: 1.5)), SIMD3(1.5, 2, 2))
    }
}
