import CoreGraphics
import CoreText
import XCTest

/// Numbers that are not finite, and huge ones, in every call that draws: nothing traps, and the context goes on.
final class HostileDrawingTests: XCTestCase {
    private static let odd: [CGFloat] = [.nan, .infinity, -.infinity, 1e300, -1e9, 1e9, 0, 1e-300]

    private func context() throws -> CGContext {
        try XCTUnwrap(
            CGContext(
                data: nil, width: 30, height: 20, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
    }

    private func drawEverything(on context: CGContext, _ a: CGFloat, _ b: CGFloat) throws {
        let gradient = try XCTUnwrap(
            CGGradient(colorsSpace: nil, colors: [CGColor.black, CGColor.white] as CFArray, locations: [0, 1]))
        let image = try XCTUnwrap(self.context().makeImage())
        let options: CGGradientDrawingOptions = [.drawsBeforeStartLocation, .drawsAfterEndLocation]
        context.setFillColor(red: a, green: b, blue: 1, alpha: a)
        context.setStrokeColor(gray: b, alpha: a)
        context.setAlpha(a)
        context.setShadow(offset: CGSize(width: a, height: b), blur: b)
        context.fill(CGRect(x: 2, y: 2, width: 9, height: 9))
        context.setShadow(offset: .zero, blur: 0, color: nil)
        context.strokeEllipse(in: CGRect(x: a, y: 3, width: b, height: a))
        context.drawLinearGradient(gradient, start: CGPoint(x: a, y: b), end: CGPoint(x: b, y: 1), options: options)
        context.drawRadialGradient(
            gradient, startCenter: CGPoint(x: a, y: 1), startRadius: b, endCenter: CGPoint(x: 2, y: b), endRadius: a,
            options: options)
        context.draw(image, in: CGRect(x: a, y: b, width: b, height: a))
        context.clip(to: CGRect(x: a, y: a, width: b, height: b), mask: image)
        context.clear(CGRect(x: b, y: a, width: a, height: a))
        context.textMatrix = CGAffineTransform(a: a, b: b, c: 1, d: a, tx: b, ty: 1)
        context.textPosition = CGPoint(x: a, y: b)
        for mode in [CGTextDrawingMode.fill, .stroke, .clip] {
            context.setTextDrawingMode(mode)
            CTLineDraw(
                CTLineCreateWithAttributedString(
                    CFAttributedStringCreate(
                        nil, "Aé中م", [kCTFontAttributeName: CTFontCreateWithName("DejaVu Sans", a, nil)])), context)
        }
        context.scaleBy(x: a, y: b)
        context.rotate(by: a)
        context.fill(CGRect(x: 0, y: 0, width: 3, height: 3))
        _ = (context.boundingBoxOfClipPath, context.convertToUserSpace(CGPoint(x: a, y: b)))
    }

    func testBitmapsAndDocumentsTakeAnyNumber() throws {
        for a in Self.odd {
            for b in Self.odd {
                let bitmap = try context()
                bitmap.saveGState()
                try drawEverything(on: bitmap, a, b)
                bitmap.restoreGState()
                bitmap.setFillColor(red: 0, green: 1, blue: 0, alpha: 1)
                bitmap.fill(CGRect(x: 0, y: 0, width: 30, height: 20))
                XCTAssertEqual(bitmap.data?.load(fromByteOffset: 1, as: UInt8.self), 255, "\(a) \(b)")
                let data = NSMutableData()
                var page = CGRect(x: 0, y: 0, width: 30, height: 20)
                let consumer = try XCTUnwrap(CGDataConsumer(data: data))
                let document = try XCTUnwrap(CGContext(consumer: consumer, mediaBox: &page, nil))
                document.beginPDFPage(nil)
                try drawEverything(on: document, a, b)
                document.endPDFPage()
                document.closePDF()
                let text = String(decoding: data as Data, as: UTF8.self)
                XCTAssertTrue(text.hasPrefix("%PDF") && text.contains("%%EOF"), "\(a) \(b)")
                XCTAssertFalse(text.contains("nan ") || text.contains("inf "), "\(a) \(b)")
            }
        }
    }

    func testOddDocumentsAndPathsHaveNoTraps() {
        for a in Self.odd {
            for b in Self.odd {
                var page = CGRect(x: a, y: b, width: b, height: a)
                let consumer = CGDataConsumer(data: NSMutableData())
                _ = consumer.flatMap { CGContext(consumer: $0, mediaBox: &page, nil) }
                let path = CGMutablePath()
                path.addRoundedRect(in: page, cornerWidth: 0, cornerHeight: 0)
                path.addRect(page)
                path.addRelativeArc(center: CGPoint(x: a, y: b), radius: a, startAngle: b, delta: a)
                path.addQuadCurve(to: CGPoint(x: a, y: a), control: CGPoint(x: b, y: b))
                _ = (path.boundingBox, path.boundingBoxOfPath, path.contains(CGPoint(x: a, y: b), using: .evenOdd))
                var matrix = CGAffineTransform(a: a, b: b, c: b, d: a, tx: a, ty: b)
                _ = path.copy(using: &matrix)?.contains(.zero)
            }
        }
        XCTAssertTrue(CGMutablePath().boundingBox.isNull)
    }
}
