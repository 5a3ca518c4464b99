import VisionImage
import XCTest

/// Blend modes and gradients, against their formulas in double precision.
final class BlendingTests: XCTestCase {
    private func context(_ width: Int, _ height: Int) throws -> CGContext {
        try XCTUnwrap(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
    }

    /// Red, green, blue and alpha, 0…255, of a pixel by its column and its row from the bottom.
    private func pixel(_ context: CGContext, _ x: Int = 0, _ y: Int = 0) -> [Double] {
        let at = (context.height - 1 - y) * context.bytesPerRow + 4 * x
        return (0..<4).map { Double(context.data?.load(fromByteOffset: at + $0, as: UInt8.self) ?? 0) }
    }

    /// What modes make of the colours s over b, both opaque, for one component.
    private let separable: [(CGBlendMode, (Double, Double) -> Double)] = [
        (.normal, { _, s in s }), (.multiply, { b, s in b * s }), (.screen, { b, s in 1 - (1 - b) * (1 - s) }),
        (.overlay, { b, s in b <= 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s) }), (.darken, min), (.lighten, max),
        (.colorDodge, { b, s in b == 0 ? 0 : s == 1 ? 1 : min(1, b / (1 - s)) }),
        (.colorBurn, { b, s in b == 1 ? 1 : s == 0 ? 0 : 1 - min(1, (1 - b) / s) }),
        (.hardLight, { b, s in s <= 0.5 ? 2 * b * s : 1 - 2 * (1 - b) * (1 - s) }),
        (.difference, { b, s in abs(b - s) }), (.exclusion, { b, s in b + s - 2 * b * s }),
        (.plusLighter, { b, s in min(1, b + s) }), (.plusDarker, { b, s in max(0, b + s - 1) }),
        (
            .softLight,
            { b, s in
                let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
                return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (d - b)
            }
        ),
    ]

    func testSeparableModesOfOpaqueColours() throws {
        for (mode, formula) in separable {
            for under in stride(from: 0, through: 255, by: 51) {
                for source in stride(from: 0, through: 255, by: 17) {
                    let context = try context(1, 1)
                    context.setFillColor(gray: CGFloat(under) / 255, alpha: 1)
                    context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
                    context.setBlendMode(mode)
                    context.setFillColor(gray: CGFloat(source) / 255, alpha: 1)
                    context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
                    let expected = 255 * formula(Double(under) / 255, Double(source) / 255)
                    XCTAssertEqual(pixel(context)[1], expected, accuracy: 1, "\(mode) \(under) \(source)")
                    XCTAssertEqual(pixel(context)[3], 255, "\(mode)")
                }
            }
        }
    }

    func testModesOfPorterAndDuff() throws {
        // The shares of source and destination, from their alphas.
        let modes: [(CGBlendMode, (Double, Double) -> (Double, Double))] = [
            (.normal, { s, _ in (1, 1 - s) }), (.clear, { _, _ in (0, 0) }), (.copy, { _, _ in (1, 0) }),
            (.sourceIn, { _, d in (d, 0) }), (.sourceOut, { _, d in (1 - d, 0) }),
            (.sourceAtop, { s, d in (d, 1 - s) }), (.destinationOver, { _, d in (1 - d, 1) }),
            (.destinationIn, { s, _ in (0, s) }), (.destinationOut, { s, _ in (0, 1 - s) }),
            (.destinationAtop, { s, d in (1 - d, s) }), (.xor, { s, d in (1 - d, 1 - s) }),
        ]
        let (under, over) = ([0.2, 0.6, 1.0], [0.8, 0.4, 0.0])
        for (mode, shares) in modes {
            for (da, sa) in [(1.0, 1.0), (0.6, 0.8), (0.0, 0.4), (0.4, 0.0)] {
                let context = try context(1, 1)
                context.setFillColor(red: under[0], green: under[1], blue: under[2], alpha: da)
                context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
                context.setBlendMode(mode)
                context.setFillColor(red: over[0], green: over[1], blue: over[2], alpha: sa)
                context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
                let (fs, fd) = shares(sa, da)
                let found = pixel(context)
                for channel in 0..<3 {
                    let expected = 255 * (fs * over[channel] * sa + fd * under[channel] * da)
                    XCTAssertEqual(found[channel], expected, accuracy: 1.6, "\(mode) \(da) \(sa)")
                }
                XCTAssertEqual(found[3], 255 * (fs * sa + fd * da), accuracy: 1.6, "\(mode) \(da) \(sa)")
            }
        }
    }

    func testModesOfHueKeepTheLuminosity() throws {
        func luminosity(_ p: [Double]) -> Double { 0.3 * p[0] + 0.59 * p[1] + 0.11 * p[2] }
        let (under, over) = ([51.0, 153, 204], [204.0, 102, 51])
        for mode in [CGBlendMode.hue, .saturation, .color, .luminosity] {
            let context = try context(1, 1)
            context.setFillColor(red: 0.2, green: 0.6, blue: 0.8, alpha: 1)
            context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
            context.setBlendMode(mode)
            context.setFillColor(red: 0.8, green: 0.4, blue: 0.2, alpha: 1)
            context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
            let expected = luminosity(mode == .luminosity ? over : under)
            XCTAssertEqual(luminosity(pixel(context)), expected, accuracy: 1.5, "\(mode)")
            if mode == .luminosity { XCTAssertGreaterThan(pixel(context)[2], pixel(context)[0]) }
            if mode == .color { XCTAssertGreaterThan(pixel(context)[0], pixel(context)[2]) }
        }
    }

    /// All components, against the formulas of PDF 32000-1, 11.3.5.3.
    func testModesOfHueFollowTheirFormulas() throws {
        typealias Colour = SIMD3<Double>
        func luminosity(_ c: Colour) -> Double { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }
        func saturation(_ c: Colour) -> Double { c.max() - c.min() }
        func with(_ c: Colour, luminosity l: Double) -> Colour {
            let moved = c + (l - luminosity(c))
            if moved.min() < 0 { return l + (moved - l) * l / (l - moved.min()) }
            return moved.max() > 1 ? l + (moved - l) * (1 - l) / (moved.max() - l) : moved
        }
        func with(_ c: Colour, saturation s: Double) -> Colour {
            saturation(c) == 0 ? .zero : (c - c.min()) * s / saturation(c)
        }
        let formulas: [(CGBlendMode, (Colour, Colour) -> Colour)] = [
            (.hue, { b, s in with(with(s, saturation: saturation(b)), luminosity: luminosity(b)) }),
            (.saturation, { b, s in with(with(b, saturation: saturation(s)), luminosity: luminosity(b)) }),
            (.color, { b, s in with(s, luminosity: luminosity(b)) }),
            (.luminosity, { b, s in with(b, luminosity: luminosity(s)) }),
        ]
        let colours = [Colour(0.2, 0.6, 0.8), Colour(0.8, 0.4, 0.2), Colour(1, 1, 0), Colour(0.4, 0.4, 0.4)]
        for (mode, formula) in formulas {
            for under in colours {
                for over in colours {
                    let context = try context(1, 1)
                    for (colour, mode) in [(under, CGBlendMode.normal), (over, mode)] {
                        context.setBlendMode(mode)
                        context.setFillColor(red: colour.x, green: colour.y, blue: colour.z, alpha: 1)
                        context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
                    }
                    let (found, expected) = (pixel(context), formula(under, over) * 255)
                    for index in 0..<3 {
                        XCTAssertEqual(found[index], expected[index], accuracy: 1.5, "\(mode) \(under) \(over)")
                    }
                }
            }
        }
    }

    /// Bitmaps of callers may hold any bytes.
    func testColoursBrighterThanTheirAlphaAreBlended() throws {
        for mode in (0...27).compactMap({ CGBlendMode(rawValue: $0) }) {
            for grey in [0, 0.5, 1] {
                var bytes: [UInt8] = [200, 200, 200, 100, 255, 0, 9, 1, 7, 8, 9, 0]
                try bytes.withUnsafeMutableBytes { bytes in
                    let context = try XCTUnwrap(
                        CGContext(
                            data: bytes.baseAddress, width: 3, height: 1, bitsPerComponent: 8, bytesPerRow: 12,
                            space: CGColorSpaceCreateDeviceRGB(),
                            bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
                    context.setBlendMode(mode)
                    context.setFillColor(gray: grey, alpha: 1)
                    context.fill(CGRect(x: 0, y: 0, width: 3, height: 1))
                }
                if mode == .color { XCTAssertEqual(bytes[3], 255) }
            }
        }
    }

    func testImagesAreBlended() throws {
        let source = try context(1, 1)
        source.setFillColor(gray: 0.5, alpha: 1)
        source.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
        let image = try XCTUnwrap(source.makeImage())
        let context = try context(4, 4)
        context.setFillColor(gray: 0.5, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
        context.setBlendMode(.multiply)
        context.draw(image, in: CGRect(x: 0, y: 0, width: 2, height: 4))
        XCTAssertEqual(pixel(context, 1, 1)[0], 64, accuracy: 1)
        XCTAssertEqual(pixel(context, 3, 1)[0], 128, accuracy: 1)
        // Clearing does not depend on the mode or the opacity.
        context.setAlpha(0.3)
        context.clear(CGRect(x: 0, y: 0, width: 4, height: 2))
        XCTAssertEqual(pixel(context, 1, 1), [0, 0, 0, 0])
        XCTAssertEqual(pixel(context, 3, 3)[3], 255)
    }

    // MARK: - Gradients

    func testALinearGradient() throws {
        let colours: CFArray = [
            CGColor(red: 1, green: 0, blue: 0, alpha: 1), CGColor(red: 0, green: 0, blue: 1, alpha: 1),
            CGColor(red: 0, green: 1, blue: 0, alpha: 0.5),
        ]
        let gradient = try XCTUnwrap(CGGradient(colorsSpace: nil, colors: colours, locations: [0, 0.5, 1]))
        for options in [CGGradientDrawingOptions(), [.drawsBeforeStartLocation, .drawsAfterEndLocation]] {
            let context = try context(40, 4)
            context.drawLinearGradient(
                gradient, start: CGPoint(x: 10, y: 0), end: CGPoint(x: 30, y: 0), options: options)
            for x in 10..<30 {
                let t = (Double(x) + 0.5 - 10) / 20
                let (first, second) = (min(1, t * 2), max(0, t * 2 - 1))
                let alpha = 1 - 0.5 * second
                let found = pixel(context, x, 2)
                XCTAssertEqual(found[0], 255 * (1 - first), accuracy: 1.5)
                XCTAssertEqual(found[2], 255 * (t < 0.5 ? first : 1 - second) * alpha, accuracy: 1.5)
                XCTAssertEqual(found[1], 255 * second * alpha, accuracy: 1.5)
                XCTAssertEqual(found[3], 255 * alpha, accuracy: 1.5)
            }
            XCTAssertEqual(pixel(context, 2, 2), options.isEmpty ? [0, 0, 0, 0] : [255, 0, 0, 255])
            XCTAssertEqual(pixel(context, 37, 2)[3], options.isEmpty ? 0 : 128, accuracy: 1)
        }
    }

    func testARadialGradient() throws {
        let gradient = try XCTUnwrap(
            CGGradient(
                colorSpace: CGColorSpaceCreateDeviceGray(), colorComponents: [0, 1, 1, 1], locations: nil, count: 2))
        let context = try context(60, 60)
        let centre = CGPoint(x: 30, y: 30)
        context.drawRadialGradient(
            gradient, startCenter: centre, startRadius: 5, endCenter: centre, endRadius: 25, options: [])
        for (x, y) in [(30, 40), (45, 30), (20, 20), (12, 41)] {
            let distance = hypot(Double(x) + 0.5 - 30, Double(y) + 0.5 - 30)
            XCTAssertEqual(pixel(context, x, y)[0], 255 * (distance - 5) / 20, accuracy: 1.5)
        }
        XCTAssertEqual(pixel(context, 30, 30)[3], 0)
        XCTAssertEqual(pixel(context, 1, 1)[3], 0)
        // A cone: circles that grow to the right; what is left of its tip has no colour.
        let cone = try self.context(60, 60)
        cone.drawRadialGradient(
            gradient, startCenter: CGPoint(x: 10, y: 30), startRadius: 0, endCenter: CGPoint(x: 40, y: 30),
            endRadius: 15, options: [.drawsAfterEndLocation])
        XCTAssertEqual(pixel(cone, 5, 30)[3], 0)
        XCTAssertEqual(pixel(cone, 30, 2)[3], 0)
        XCTAssertEqual(pixel(cone, 58, 30), [255, 255, 255, 255])
    }

    func testGradientsAreClippedAndOddOnesDrawNothing() throws {
        let gradient = try XCTUnwrap(
            CGGradient(colorsSpace: nil, colors: [CGColor.white] as CFArray, locations: nil))
        let context = try context(20, 20)
        context.clip(to: CGRect(x: 5, y: 5, width: 5, height: 5))
        let options: CGGradientDrawingOptions = [.drawsBeforeStartLocation, .drawsAfterEndLocation]
        let odd: [CGFloat] = [.nan, .infinity, -1, 0, 1e300]
        for a in odd {
            for b in odd where !(a == -1 && b == 0 || a == 0 && b == -1) {
                context.drawLinearGradient(
                    gradient, start: CGPoint(x: a, y: a), end: CGPoint(x: a, y: a), options: options)
                context.drawRadialGradient(
                    gradient, startCenter: CGPoint(x: a, y: b), startRadius: -1, endCenter: CGPoint(x: b, y: a),
                    endRadius: a, options: options)
            }
        }
        XCTAssertEqual(pixel(context, 6, 6)[3], 0)
        context.drawLinearGradient(gradient, start: .zero, end: CGPoint(x: 1, y: 0), options: options)
        XCTAssertEqual(pixel(context, 6, 6), [255, 255, 255, 255])
        XCTAssertEqual(pixel(context, 2, 6)[3], 0)
        XCTAssertNil(CGGradient(colorsSpace: nil, colors: [], locations: nil))
        XCTAssertNil(CGGradient(colorsSpace: nil, colors: ["red"], locations: nil))
    }
}
