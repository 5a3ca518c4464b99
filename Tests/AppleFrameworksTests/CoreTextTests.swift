import CoreGraphics
import CoreText
import XCTest

final class CoreTextTests: XCTestCase {
    private func context(_ width: Int = 200, _ height: Int = 60) throws -> CGContext {
        try XCTUnwrap(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
    }

    private func line(_ text: String, _ size: CGFloat = 24, _ colour: CGColor? = nil) -> CTLine {
        var attributes: CFDictionary = [kCTFontAttributeName: CTFontCreateWithName("DejaVu Sans", size, nil)]
        if let colour { attributes[kCTForegroundColorAttributeName] = colour }
        return CTLineCreateWithAttributedString(CFAttributedStringCreate(nil, text, attributes))
    }

    /// The sum of a component over columns.
    private func ink(_ context: CGContext, _ columns: Range<Int>, component: Int = 3) -> Double {
        var sum = 0.0
        for y in 0..<context.height {
            for x in columns {
                let at = y * context.bytesPerRow + 4 * x + component
                sum += Double(context.data?.load(fromByteOffset: at, as: UInt8.self) ?? 0) / 255
            }
        }
        return sum
    }

    func testTextIsDrawnAtItsPosition() throws {
        let context = try context()
        let line = line("Hamburg", 24, CGColor(red: 1, green: 0, blue: 0, alpha: 1))
        var (ascent, descent): (CGFloat, CGFloat) = (0, 0)
        let width = CTLineGetTypographicBounds(line, &ascent, &descent, nil)
        XCTAssertTrue((60...160).contains(width), "\(width)")
        XCTAssertTrue((15...32).contains(ascent), "\(ascent)")
        XCTAssertTrue((2...10).contains(descent), "\(descent)")
        context.textPosition = CGPoint(x: 20, y: 20)
        let bounds = CTLineGetImageBounds(line, context)
        CTLineDraw(line, context)
        XCTAssertEqual(context.textPosition.x, 20 + CGFloat(width), accuracy: 1e-6)
        XCTAssertEqual(ink(context, 0..<20), 0)
        XCTAssertGreaterThan(ink(context, 20..<180), 100)
        XCTAssertEqual(ink(context, 20..<180), ink(context, 20..<180, component: 0), accuracy: 1e-9)
        XCTAssertEqual(ink(context, 0..<200, component: 1), 0)
        XCTAssertEqual(ink(context, Int(bounds.maxX) + 1..<200), 0)
        XCTAssertEqual(bounds.minY, 20 - 5, accuracy: 4)
    }

    func testRunsFollowEachOther() throws {
        let text = NSMutableAttributedString(string: "one two")
        let font = CTFontCreateWithName("DejaVu Sans-Bold", 20, nil)
        XCTAssertEqual(CTFontGetSize(font), 20)
        text.addAttribute(
            NSAttributedString.Key(rawValue: kCTFontAttributeName as String), value: font,
            range: NSRange(location: 0, length: 7))
        text.addAttribute(
            NSAttributedString.Key(rawValue: kCTForegroundColorAttributeName as String), value: CGColor.white,
            range: NSRange(location: 4, length: 3))
        let context = try context()
        context.setFillColor(red: 0, green: 0, blue: 1, alpha: 1)
        context.textPosition = CGPoint(x: 4, y: 20)
        CTLineDraw(CTLineCreateWithAttributedString(text), context)
        let middle =
            4
            + Int(
                CTLineGetTypographicBounds(
                    CTLineCreateWithAttributedString(text.attributedSubstring(from: NSRange(location: 0, length: 4))),
                    nil, nil,
                    nil))
        XCTAssertEqual(ink(context, 0..<middle - 3, component: 0), 0)
        XCTAssertGreaterThan(ink(context, 0..<middle - 3, component: 2), 30)
        XCTAssertGreaterThan(ink(context, middle..<200, component: 0), 30)
    }

    func testTextClipsAndIsStroked() throws {
        let context = try context()
        context.setTextDrawingMode(.clip)
        context.textPosition = CGPoint(x: 10, y: 15)
        CTLineDraw(line("MM", 40), context)
        XCTAssertEqual(ink(context, 0..<200), 0)
        context.setFillColor(gray: 1, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: 200, height: 60))
        let clipped = ink(context, 0..<200)
        let filled = try self.context()
        filled.textPosition = CGPoint(x: 10, y: 15)
        CTLineDraw(line("MM", 40, .white), filled)
        XCTAssertGreaterThan(clipped, 200)
        XCTAssertEqual(clipped, ink(filled, 0..<200), accuracy: clipped * 0.01)
        let stroked = try self.context()
        stroked.setTextDrawingMode(.stroke)
        stroked.textPosition = CGPoint(x: 10, y: 15)
        CTLineDraw(line("MM", 40, .white), stroked)
        XCTAssertTrue((50..<clipped).contains(ink(stroked, 0..<200)))
    }

    func testHostileTextsAndSizes() throws {
        let context = try context()
        for size in [CGFloat.nan, .infinity, -3, 0, 1e9] {
            for text in ["", "\0", "a\nb", "\u{202E}مرحبا", String(repeating: "x", count: 2000), "👩‍👩‍👧"] {
                let line = line(text, size)
                context.textPosition = CGPoint(x: size, y: 3)
                CTLineDraw(line, context)
                XCTAssertTrue(CTLineGetTypographicBounds(line, nil, nil, nil).isFinite)
            }
        }
        XCTAssertTrue(CTLineGetImageBounds(line(" "), nil).isNull)
    }
}
