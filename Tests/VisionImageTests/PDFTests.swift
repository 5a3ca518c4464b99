import VisionImage
import XCTest

/// Documents that are drawn, shadows, and TIFF files.
final class PDFTests: XCTestCase {
    private func document(_ draw: (CGContext) throws -> Void) throws -> String {
        let data = NSMutableData()
        var box = CGRect(x: 0, y: 0, width: 200, height: 100)
        let information: CFDictionary = [kCGPDFContextTitle: "A (title)", kCGPDFContextKeywords: ["a", "b"]]
        let consumer = try XCTUnwrap(CGDataConsumer(data: data))
        let context = try XCTUnwrap(CGContext(consumer: consumer, mediaBox: &box, information))
        try draw(context)
        context.closePDF()
        return try XCTUnwrap(String(data: Data(referencing: data), encoding: .isoLatin1))
    }

    private func image(_ alpha: CGImageAlphaInfo) throws -> CGImage {
        let bytes = Data([200, 100, 50, 255, 100, 50, 25, 128])
        return try XCTUnwrap(
            CGImage(
                width: 2, height: 1, bitsPerComponent: 8, bitsPerPixel: 32, bytesPerRow: 8,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGBitmapInfo(rawValue: alpha.rawValue),
                provider: XCTUnwrap(CGDataProvider(data: bytes)), decode: nil, shouldInterpolate: false,
                intent: .defaultIntent))
    }

    /// Every offset of the table leads to its object.
    private func checkTable(_ text: String, file: StaticString = #filePath, line: UInt = #line) throws {
        let bytes = Array(text.unicodeScalars.map { UInt8($0.value) })
        let parts = text.components(separatedBy: "startxref\n")
        let start = try XCTUnwrap(Int(XCTUnwrap(parts.last).components(separatedBy: "\n")[0]))
        let table = String(decoding: bytes[start...], as: UTF8.self).components(separatedBy: "\n")
        XCTAssertEqual(table[0], "xref", file: file, line: line)
        let count = try XCTUnwrap(Int(table[1].components(separatedBy: " ")[1]))
        for number in 1..<count {
            let offset = try XCTUnwrap(Int(table[2 + number].prefix(10)))
            let head = "\(number) 0 obj\n"
            XCTAssertEqual(
                String(decoding: bytes[offset..<offset + head.utf8.count], as: UTF8.self), head, file: file, line: line)
        }
    }

    func testPagesHaveWhatIsDrawn() throws {
        let text = try document { context in
            context.beginPDFPage(nil)
            context.saveGState()
            context.translateBy(x: 10, y: 20)
            context.clip(to: CGRect(x: 0, y: 0, width: 50, height: 50))
            context.setFillColor(red: 1, green: 0, blue: 0.2, alpha: 0.5)
            context.fill(CGRect(x: 1, y: 2, width: 3.5, height: 4))
            context.restoreGState()
            context.move(to: .zero)
            context.addQuadCurve(to: CGPoint(x: 30, y: 0), control: CGPoint(x: 15, y: 30))
            context.fillPath(using: .evenOdd)
            context.setLineWidth(2)
            context.stroke(CGRect(x: 60, y: 60, width: 10, height: 10))
            context.endPDFPage()
            var second = CGRect(x: 0, y: 0, width: 50, height: 60)
            context.beginPage(mediaBox: &second)
            context.endPage()
        }
        XCTAssertTrue(text.hasPrefix("%PDF-1.5\n"))
        XCTAssertTrue(text.contains("/MediaBox [0 0 200 100]") && text.contains("/MediaBox [0 0 50 60]"))
        XCTAssertTrue(text.contains("/Count 2"))
        XCTAssertTrue(
            text.contains("q\n10 20 m\n60 20 l\n60 70 l\n10 70 l\nh\nW n\n/GS500 gs\n1 0 0.2 rg\n11 22 m\n14.5 22 l"))
        XCTAssertTrue(text.contains("f\nQ\n"))
        XCTAssertTrue(text.contains("0 0 m\n10 20 20 20 30 0 c\nf*\n"))
        XCTAssertTrue(text.contains("/GS500 <</ca 0.5 /CA 0.5>>"))
        // “A (title)” and “a, b” in UTF-16.
        XCTAssertTrue(text.contains("/Title <FEFF004100200028007400690074006C00650029>"))
        XCTAssertTrue(text.contains("/Keywords <FEFF0061002C00200062>"))
        try checkTable(text)
    }

    func testImagesAreStreamsWithTheirOpacity() throws {
        let text = try document { context in
            context.beginPDFPage(nil)
            context.setAlpha(0.25)
            try context.draw(image(.premultipliedLast), in: CGRect(x: 5, y: 6, width: 70, height: 80))
            try context.draw(image(.noneSkipLast), in: CGRect(x: 0, y: 0, width: 1, height: 1))
        }
        XCTAssertTrue(text.contains("/GS250 gs\nq\n70 0 0 80 5 6 cm\n/Im"))
        XCTAssertEqual(text.components(separatedBy: "/SMask").count, 2)
        XCTAssertEqual(text.components(separatedBy: "/Subtype /Image /Width 2 /Height 1").count, 4)
        XCTAssertTrue(text.contains("/Filter /FlateDecode /DecodeParms <</Predictor 15 /Colors 3"))
        try checkTable(text)
    }

    func testStatesEndWithTheirPageAndNothingIsDrawnOutside() throws {
        let text = try document { context in
            context.fill(CGRect(x: 0, y: 0, width: 10, height: 10))
            context.beginPDFPage(nil)
            context.saveGState()
            context.saveGState()
            context.setFillColor(red: .nan, green: 2, blue: -1, alpha: 1)
            context.fill(CGRect(x: CGFloat.nan, y: 0, width: 10, height: 10))
            context.beginPDFPage(nil)
            context.restoreGState()
            context.setBlendMode(.multiply)
            context.setShadow(offset: .zero, blur: 3)
            XCTAssertNil(context.makeImage())
            XCTAssertNil(context.data)
        }
        XCTAssertTrue(text.contains("stream\nq\nq\nQ\nQ\n\nendstream"))
        XCTAssertFalse(text.contains(" rg"))
        XCTAssertFalse(text.lowercased().contains("nan"))
        try checkTable(text)
    }

    func testNumbersHaveNoExponentAndHostileRectanglesMakeNoContext() throws {
        let text = try document { context in
            context.beginPDFPage(nil)
            context.fill(CGRect(x: 0.00001, y: 123456.789, width: 1e-7, height: 2))
        }
        XCTAssertTrue(text.contains("0.00001 123456.789 m\n"), text)
        for box in [CGRect.null, .infinite, .zero, CGRect(x: 0, y: 0, width: CGFloat.nan, height: 5)] {
            var box = box
            let consumer = try XCTUnwrap(CGDataConsumer(data: NSMutableData()))
            XCTAssertNil(CGContext(consumer: consumer, mediaBox: &box, nil))
        }
    }

    // MARK: - Shadows

    private func context(_ width: Int, _ height: Int) throws -> CGContext {
        try XCTUnwrap(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 4 * width,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
    }

    /// A pixel, y up.
    private func pixel(_ context: CGContext, _ x: Int, _ y: Int) -> [Int] {
        (0..<4).map { index in
            let at = (context.height - 1 - y) * context.bytesPerRow + 4 * x + index
            return Int(context.data?.load(fromByteOffset: at, as: UInt8.self) ?? 0)
        }
    }

    func testShadowsAreMovedCopiesBelow() throws {
        let context = try context(40, 30)
        context.scaleBy(x: 2, y: 2)
        context.setShadow(
            offset: CGSize(width: 6, height: -4), blur: 0, color: CGColor(red: 0, green: 0, blue: 1, alpha: 0.5))
        context.setFillColor(red: 1, green: 0, blue: 0, alpha: 1)
        context.fill(CGRect(x: 5, y: 6, width: 5, height: 4))
        // In pixels: 10…20 × 12…20, and its shadow 16…26 × 8…16, whatever the scale is.
        XCTAssertEqual(pixel(context, 11, 13), [255, 0, 0, 255])
        XCTAssertEqual(pixel(context, 25, 9), [0, 0, 128, 128])
        XCTAssertEqual(pixel(context, 17, 13), [255, 0, 0, 255])
        XCTAssertEqual(pixel(context, 26, 9), [0, 0, 0, 0])
        XCTAssertEqual(pixel(context, 11, 9), [0, 0, 0, 0])
        context.setShadow(offset: .zero, blur: 5, color: nil)
        context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
        XCTAssertEqual(pixel(context, 3, 3), [0, 0, 0, 0])
    }

    func testBlurredShadowsKeepTheirSumAndImagesAndLinesCastThem() throws {
        for draw in [
            { context in context.fill(CGRect(x: 40, y: 40, width: 20, height: 20)) },
            { context in context.stroke(CGRect(x: 45, y: 45, width: 10, height: 10), width: 10) },
            { context in
                guard let square = try? self.context(1, 1) else { return }
                square.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
                if let image = square.makeImage() {
                    context.draw(image, in: CGRect(x: 40, y: 40, width: 20, height: 20))
                }
            },
        ] as [(CGContext) -> Void] {
            let context = try context(100, 100)
            context.setShadow(offset: .zero, blur: 12, color: CGColor(red: 0, green: 1, blue: 0, alpha: 1))
            // The clip cuts the shadow only: the shape lies outside of it.
            context.clip(to: CGRect(x: 0, y: 0, width: 40, height: 100))
            draw(context)
            var sum = 0.0
            for y in 0..<100 { for x in 0..<100 { sum += Double(pixel(context, x, y)[1]) / 255 } }
            // Left of an edge of a normal distribution with a deviation of 6: its mean excess, .399 of the deviation.
            XCTAssertEqual(sum, 20 * 6 * 0.399, accuracy: 3)
            XCTAssertEqual(Double(pixel(context, 39, 50)[1]) / 255, 0.45, accuracy: 0.06)
            XCTAssertEqual(pixel(context, 50, 50), [0, 0, 0, 0])
        }
    }

    func testHostileShadowsAreNone() throws {
        let context = try context(8, 8)
        for (offset, blur) in [
            (CGSize(width: CGFloat.nan, height: 0), 1.0), (CGSize(width: 1e300, height: 0), 1), (.zero, .nan),
            (.zero, .infinity), (CGSize(width: 3, height: 3), -5), (.zero, 1e30),
        ] {
            context.setShadow(offset: offset, blur: CGFloat(blur))
            context.fill(CGRect(x: 2, y: 2, width: 2, height: 2))
            XCTAssertEqual(pixel(context, 3, 3), [0, 0, 0, 255])
        }
    }

    // MARK: - TIFF

    func testTIFFFilesComeBackAsTheyWere() throws {
        for info in [CGImageAlphaInfo.premultipliedLast, .noneSkipLast] {
            let data = NSMutableData()
            let destination = try XCTUnwrap(CGImageDestinationCreateWithData(data, "public.tiff", 1, nil))
            let properties: CFDictionary = [
                kCGImagePropertyTIFFXResolution: 300, kCGImagePropertyTIFFOrientation: 6,
                kCGImagePropertyTIFFSoftware: "x",
            ]
            try CGImageDestinationAddImage(destination, image(info), properties)
            XCTAssertTrue(CGImageDestinationFinalize(destination))
            let source = try XCTUnwrap(CGImageSourceCreateWithData(Data(referencing: data), nil))
            let read = try XCTUnwrap(CGImageSourceCreateImageAtIndex(source, 0, nil))
            XCTAssertEqual([read.width, read.height], [2, 1])
            let found = try read.raster.converted(to: .rgb8)
            let colours = found.withUnsafePixels { pixels in
                (0..<3).map { pixels.load(fromByteOffset: $0, as: UInt8.self) }
            }
            XCTAssertEqual(colours, [200, 100, 50])
            let entries = CGImageSourceCopyPropertiesAtIndex(source, 0, nil)
            XCTAssertEqual(entries?[kCGImagePropertyOrientation] as? UInt32, 6)
        }
    }
}
