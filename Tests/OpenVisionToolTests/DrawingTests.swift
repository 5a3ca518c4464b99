import Vision
import VisionImage
import VisionVideo
import XCTest

@testable import openvision

final class DrawingTests: XCTestCase {
    private let box = PixelRegion(x: 20, y: 40, width: 100, height: 60)

    private func draw(_ box: PixelRegion, confidence: Float, target: Int = 0) throws -> CVPixelBuffer {
        let buffer = try CVPixelBuffer.make(width: 160, height: 120, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) {
            BoxPainter().draw(
                [.init(region: box, confidence: confidence, name: "1", colour: .forTarget(target))], on: $0)
        }
        return buffer
    }

    /// How many pixels of the middle of the bottom edge have the colour of the target.
    private func painted(_ buffer: CVPixelBuffer) throws -> Int {
        try (20..<120).filter { isNear(try pixel(buffer, $0, 99)) }.count
    }

    /// Whether a colour is that of the first target; corners are round, and lines have smooth edges.
    private func isNear(_ colour: Colour) -> Bool {
        let wanted = Colour.forTarget(0)
        return [(colour.red, wanted.red), (colour.green, wanted.green), (colour.blue, wanted.blue)].allSatisfy {
            abs(Int($0.0) - Int($0.1)) < 40
        }
    }

    func testConfidentBoxIsSolidOnAllEdges() throws {
        let buffer = try draw(box, confidence: 0.5)
        XCTAssertGreaterThanOrEqual(try painted(buffer), 98)
        for y in 42..<98 {
            XCTAssertEqual(try pixel(buffer, 20, y), Colour.forTarget(0))
            XCTAssertEqual(try pixel(buffer, 119, y), Colour.forTarget(0))
        }
        XCTAssertEqual(try pixel(buffer, 70, 70), .black, "the inside is left alone")
        XCTAssertEqual(try pixel(buffer, 70, 101), .black, "nothing below the box")
    }

    func testBoxOfLowConfidenceIsDashedWithItsCorners() throws {
        let buffer = try draw(box, confidence: 0.49)
        XCTAssertTrue((40...75).contains(try painted(buffer)))
        for (x, y) in [(24, 40), (115, 40), (24, 99), (115, 99), (20, 44), (119, 95)] {
            XCTAssertTrue(isNear(try pixel(buffer, x, y)), "\(x), \(y)")
        }
    }

    func testLabelIsAboveTheBoxAndShowsDifferentConfidencesDifferently() throws {
        func ink(_ confidence: Float) throws -> [Colour] {
            let buffer = try draw(box, confidence: confidence)
            return try (24..<39).flatMap { y in try (22..<60).map { try pixel(buffer, $0, y) } }
        }
        XCTAssertGreaterThan(try ink(0.93).filter(isNear).count, 200)
        XCTAssertNotEqual(try ink(0.93), try ink(0.95))
    }

    func testBoxesOutsideTheImageOrNotFinitePaintNothingOutside() throws {
        let outside = [
            PixelRegion(x: -50, y: -50, width: 400, height: 300), PixelRegion(x: 150, y: 110, width: 500, height: 500),
            PixelRegion(x: -1000, y: 5, width: 10, height: 10), PixelRegion(x: .nan, y: 0, width: 10, height: 10),
            PixelRegion(x: 0, y: 0, width: .infinity, height: 10), PixelRegion(x: 1e300, y: 0, width: 1, height: 1),
            PixelRegion(x: 10, y: 10, width: 0.2, height: 0.2), PixelRegion(x: 10, y: 10, width: -5, height: 5),
        ]
        for box in outside {
            XCTAssertNoThrow(try draw(box, confidence: .nan), "\(box)")
        }
    }

    func testTheLegendOfAVideoKeepsItsCornerWhileItHidesLittleThere() throws {
        /// The half of the columns and of the rows in which the legend stands.
        func corner(hiding objects: [CGRect], at place: LegendPlace?) throws -> SIMD2<Int> {
            let buffer = try CVPixelBuffer.make(
                width: 320, height: 240, format: kCVPixelFormatType_32BGRA, path: "test")
            try Canvas.paint(on: buffer) {
                Legend(entries: [("left", .forTarget(0))]).draw(avoiding: objects, on: $0, at: place)
            }
            let dot = try (0..<320 * 240).first { isNear(try pixel(buffer, $0 % 320, $0 / 320)) }
            return try SIMD2(XCTUnwrap(dot) % 320 / 160, XCTUnwrap(dot) / 320 / 120)
        }
        let (little, much) = (
            CGRect(x: 0, y: 230, width: 10, height: 10), CGRect(x: 0, y: 120, width: 160, height: 120)
        )
        XCTAssertEqual(try corner(hiding: [], at: nil), SIMD2(0, 1))
        XCTAssertEqual(try corner(hiding: [little], at: nil), SIMD2(1, 1), "of a photo the corner that hides least")
        let place = LegendPlace()
        for objects in [[], [little], []] {
            XCTAssertEqual(try corner(hiding: objects, at: place), SIMD2(0, 1))
        }
        XCTAssertEqual(try corner(hiding: [much], at: place), SIMD2(1, 1))
        XCTAssertEqual(try corner(hiding: [], at: place), SIMD2(1, 1), "it does not go back")
    }

    func testColoursOfSixteenTargetsDiffer() {
        let colours = (0..<16).map(Colour.forTarget)
        for (index, colour) in colours.enumerated() {
            XCTAssertFalse(colours[..<index].contains(colour))
            XCTAssertTrue((0.4...0.9).contains(colour.luminance), "is seen on black and on white")
        }
        XCTAssertEqual(Colour.forTarget(-1), Colour.forTarget(15))
    }

    func testAClassHasTheSameColourInEveryImageAndNoTwoShareOne() {
        let (few, many) = (Colour.forClasses(["dog", "cat"]), Colour.forClasses((0..<16).map { "class \($0)" }))
        XCTAssertEqual(Colour.forClasses(["cat", "dog", "dog"]), few)
        XCTAssertEqual(Colour.forClasses(["dog"])["dog"], few["dog"])
        XCTAssertEqual(Set(many.values).count, 16)
        XCTAssertEqual(Colour.forClasses((0..<40).map { "\($0)" }).count, 40)
    }

    func testLabelsLieInsideTheImageAndAvoidEachOther() {
        let image = CGSize(width: 400, height: 300)
        // Twelve objects that share their top left corner, and others at the borders of the image.
        let anchors =
            (0..<12).map { CGRect(x: 180, y: 120, width: 40 + 3 * $0, height: 30 + 2 * $0) } + [
                CGRect(x: -50, y: -50, width: 80, height: 80), CGRect(x: 380, y: 290, width: 90, height: 90),
                CGRect(x: 0, y: 0, width: 400, height: 300), CGRect(x: 390, y: 100, width: 10, height: 10),
            ]
        let plates = LabelLayout.plates(
            sizes: anchors.map { _ in CGSize(width: 60, height: 14) }, anchors: anchors, in: image)
        XCTAssertEqual(plates.count, anchors.count)
        for (index, plate) in plates.enumerated() {
            XCTAssertTrue(CGRect(origin: .zero, size: image).contains(plate), "\(plate)")
            for other in plates[..<index] {
                let shared = plate.intersection(other)
                XCTAssertTrue(shared.isNull || shared.isEmpty, "\(plate) \(other)")
            }
        }
        let above = LabelLayout.plates(
            sizes: [CGSize(width: 60, height: 14)], anchors: [CGRect(x: 100, y: 100, width: 50, height: 50)], in: image)
        XCTAssertEqual(above, [CGRect(x: 100, y: 86, width: 60, height: 14)])
        // More labels than there is room for still have places in the image.
        let crowd = [CGRect](repeating: CGRect(x: 5, y: 5, width: 5, height: 5), count: 500)
        for plate in LabelLayout.plates(
            sizes: crowd.map { _ in CGSize(width: 300, height: 50) }, anchors: crowd, in: CGSize(width: 320, height: 60)
        ) { XCTAssertTrue(CGRect(x: 0, y: 0, width: 320, height: 60).contains(plate)) }
    }

    func testTextsAreDrawnMeasuredAndShortened() throws {
        let buffer = try CVPixelBuffer.make(width: 200, height: 60, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            let (one, two) = (canvas.size(of: "i", size: 20), canvas.size(of: "WWWW", size: 20))
            XCTAssertGreaterThan(two.width, 4 * one.width)
            XCTAssertGreaterThan(one.ascent, one.descent)
            XCTAssertEqual(canvas.fitted("short", size: 12, width: 100), "short")
            let fitted = canvas.fitted(String(repeating: "long ", count: 30), size: 12, width: 100)
            XCTAssertTrue(fitted.hasSuffix("…"))
            XCTAssertLessThanOrEqual(canvas.size(of: fitted, size: 12).width, 100)
            XCTAssertGreaterThan(canvas.size(of: fitted + "long", size: 12).width, 100)
            canvas.text("Hé\u{1D}日", at: CGPoint(x: 10, y: 40), size: 30, .white)
            // None of these may fail.
            canvas.text("x", at: CGPoint(x: CGFloat.nan, y: 0), size: .infinity, .white, angle: .nan)
            canvas.text(String(repeating: "x", count: 100_000), at: .zero, size: -3, .white, stretch: 0)
            canvas.stroke([CGPoint(x: -1e300, y: 0), .zero], width: 3, .white, dash: (0, 0))
            canvas.stroke([.zero, CGPoint(x: 10, y: 0)], width: 1, .white, dash: (.infinity, 1))
            canvas.fill(CGRect(x: 0, y: 0, width: CGFloat.infinity, height: 4), cornerRadius: 3, .white)
            canvas.dot(CGPoint(x: 5, y: 5), radius: .nan, .white)
        }
        let ink = try (0..<60).reduce(0) { sum, y in
            try (0..<200).reduce(sum) { $0 + (try pixel(buffer, $1, y) == .white ? 1 : 0) }
        }
        XCTAssertGreaterThan(ink, 60)
    }

    func testLettersOfOtherFontsAreDrawn() throws {
        XCTAssertTrue(Canvas.canDraw("Hé 日本語 中文 مرحبا"))
        XCTAssertFalse(Canvas.canDraw("a\u{10FFFD}"))
        // Each is drawn as itself, not as the box of a missing letter.
        let drawings = try ["日", "本", "\u{10FFFD}"].map { text in
            let buffer = try CVPixelBuffer.make(width: 40, height: 40, format: kCVPixelFormatType_32BGRA, path: "test")
            try Canvas.paint(on: buffer) { $0.text(text, at: CGPoint(x: 4, y: 32), size: 30, .white) }
            return try (0..<1600).map { try pixel(buffer, $0 % 40, $0 / 40) == .white }
        }
        XCTAssertTrue(drawings.allSatisfy { $0.contains(true) })
        XCTAssertEqual(Set(drawings).count, 3)
    }

    func testOnlyBGRAIsPaintedOn() throws {
        let grey = try CVPixelBuffer.make(width: 8, height: 8, format: kCVPixelFormatType_OneComponent8, path: "test")
        XCTAssertThrowsError(try Canvas.paint(on: grey) { _ in })
    }
}
