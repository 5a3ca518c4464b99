import VisionImage
import XCTest

/// Lines with their ends, corners and dashes, clips, blend modes and gradients.
final class StrokingTests: XCTestCase {
    private func context(_ width: Int = 60, _ height: Int = 40) throws -> CGContext {
        let context = try XCTUnwrap(
            CGContext(
                data: nil, width: width, height: height, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceGray(), bitmapInfo: CGImageAlphaInfo.none.rawValue))
        context.setFillColor(gray: 1, alpha: 1)
        context.setStrokeColor(gray: 1, alpha: 1)
        return context
    }

    /// Grey from a pixel's column and its row from the bottom.
    private func grey(_ context: CGContext, _ x: Int, _ y: Int) -> UInt8 {
        context.data?.load(
            fromByteOffset: (context.height - 1 - y) * context.bytesPerRow + x, as: UInt8.self) ?? 0
    }

    private func area(_ context: CGContext) -> Double {
        var sum = 0.0
        for y in 0..<context.height { for x in 0..<context.width { sum += Double(grey(context, x, y)) / 255 } }
        return sum
    }

    private func line(_ context: CGContext, _ points: [(CGFloat, CGFloat)]) {
        context.addLines(between: points.map { CGPoint(x: $0.0, y: $0.1) })
    }

    func testTheAreaOfALineIsItsLengthTimesItsWidth() throws {
        for angle in stride(from: 0.0, to: 3.1, by: 0.37) {
            let context = try context()
            context.setLineWidth(3.5)
            let (x, y) = (12 * cos(angle), 12 * sin(angle))
            line(context, [(30 - x, 20 - y), (30 + x, 20 + y)])
            context.strokePath()
            XCTAssertEqual(area(context), 24 * 3.5, accuracy: 0.7, "\(angle)")
        }
    }

    func testCapsAddTheirAreas() throws {
        for (cap, added) in [(CGLineCap.butt, 0), (.square, 36), (.round, Double.pi * 9)] {
            let context = try context()
            context.setLineWidth(6)
            context.setLineCap(cap)
            line(context, [(20, 20), (40, 20)])
            context.strokePath()
            XCTAssertEqual(area(context), 120 + added, accuracy: 0.5, "\(cap)")
        }
        // A line without length is a dot, or nothing.
        for (cap, size) in [(CGLineCap.butt, 0), (.square, 36), (.round, Double.pi * 9)] {
            let context = try context()
            context.setLineWidth(6)
            context.setLineCap(cap)
            line(context, [(20, 20), (20, 20)])
            context.strokePath()
            XCTAssertEqual(area(context), size, accuracy: 0.5, "\(cap)")
        }
    }

    func testJoinsAddTheirAreas() throws {
        // A right angle of lines of width 8: the quarter outside is a square, a triangle or a quarter of a disc.
        let joins: [(CGLineJoin, CGFloat, Double)] = [
            (.miter, 10, 16), (.miter, 1.4, 8), (.bevel, 10, 8), (.round, 10, .pi * 4),
        ]
        for (join, limit, added) in joins {
            let context = try context()
            context.setLineWidth(8)
            context.setLineJoin(join)
            context.setMiterLimit(limit)
            line(context, [(10, 10), (40, 10), (40, 35)])
            context.strokePath()
            XCTAssertEqual(area(context), 30 * 8 + 25 * 8 - 16 + added, accuracy: 0.5, "\(join) \(limit)")
        }
    }

    func testClosedPathsHaveNoEnds() throws {
        let context = try context()
        context.setLineWidth(4)
        context.addRect(CGRect(x: 10, y: 10, width: 30, height: 20))
        context.strokePath()
        XCTAssertEqual(area(context), 34 * 24 - 26 * 16, accuracy: 0.1)
        XCTAssertEqual(grey(context, 8, 8), 255)
        let circle = try self.context()
        circle.setLineWidth(4)
        circle.strokeEllipse(in: CGRect(x: 10, y: 5, width: 30, height: 30))
        XCTAssertEqual(area(circle), .pi * (17 * 17 - 13 * 13), accuracy: 1.5)
    }

    func testWidthsFollowTheTransform() throws {
        let context = try context()
        context.scaleBy(x: 2, y: -3)
        context.translateBy(x: 0, y: -13)
        context.setLineWidth(2)
        line(context, [(5, 5), (20, 5)])
        context.strokePath()
        XCTAssertEqual(area(context), 30 * 6, accuracy: 0.2)
        let thin = try self.context()
        thin.setLineWidth(0.5)
        line(thin, [(10, 10.5), (30, 10.5)])
        thin.strokePath()
        XCTAssertEqual(Double(grey(thin, 20, 10)), 127.5, accuracy: 1)
        let hair = try self.context()
        hair.scaleBy(x: 5, y: 5)
        hair.setLineWidth(0)
        line(hair, [(2, 2.1), (6, 2.1)])
        hair.strokePath()
        XCTAssertEqual(area(hair), 20, accuracy: 0.1)
    }

    func testDashesWithoutALengthAreDots() throws {
        let context = try context()
        context.setLineWidth(6)
        context.setLineCap(.round)
        context.setLineDash(phase: 0, lengths: [0, 10])
        line(context, [(5, 20), (50, 20)])
        context.strokePath()
        XCTAssertEqual(area(context), 5 * .pi * 9, accuracy: 2)
    }

    /// Patterns of any number of dashes would take any memory; such lines are solid.
    func testPatternsOfTooManyDashesAreSolid() throws {
        let wide = try context()
        wide.setLineWidth(1e7)
        wide.setLineDash(phase: 0, lengths: [1, 1])
        line(wide, [(0, 0), (1e8, 0)])
        wide.strokePath()
        XCTAssertEqual(grey(wide, 31, 20), 255)
        let stretched = try context()
        stretched.scaleBy(x: 1e8, y: 1e-8)
        stretched.setLineWidth(1e-7)
        stretched.setLineDash(phase: 0, lengths: [1, 1])
        line(stretched, [(3e-7, 0), (3e-7, 4e9)])
        stretched.strokePath()
        XCTAssertEqual(grey(stretched, 29, 20), 255)
    }

    /// Patterns of a million entries: only those on the line are examined.
    func testLongPatternsOfDashesEqualShortOnes() {
        let path = CGMutablePath()
        path.addLines(between: (0..<2000).map { CGPoint(x: CGFloat($0) / 8, y: CGFloat($0 % 2)) })
        let lengths: [CGFloat] = [3, 2, 1, 0.5]
        let short = path.copy(dashingWithPhase: 1.25, lengths: lengths)
        let long = path.copy(
            dashingWithPhase: 1.25, lengths: Array(repeatElement(lengths, count: 250_000).joined()))
        XCTAssertFalse(short.isEmpty)
        XCTAssertEqual(long, short)
        // A million dashes at the start of a period that is far longer than the line.
        let crowded = Array(repeating: CGFloat(1e-6), count: 1_000_000) + [1e9, 1e9]
        let line = CGMutablePath()
        line.addLines(between: [CGPoint(x: 0, y: 0), CGPoint(x: 10, y: 0)])
        XCTAssertEqual(line.copy(dashingWithPhase: 0, lengths: crowded), line.copy())
    }

    func testALineThatGoesBackOnItselfClipsEverything() throws {
        let context = try context()
        line(context, [(0, 0), (20, 0), (20, 20), (20, 0), (0, 0)])
        context.clip()
        context.fill(CGRect(x: 0, y: 0, width: 60, height: 40))
        XCTAssertEqual(area(context), 0)
    }

    func testDashesTurnCorners() throws {
        let context = try context()
        context.setLineWidth(2)
        context.setLineDash(phase: 0, lengths: [12, 100])
        line(context, [(10, 10), (20, 10), (20, 30)])
        context.strokePath()
        // Ten along and two around the corner; the overlap is as large as the miter.
        XCTAssertEqual(area(context), 20 + 4, accuracy: 0.01)
        XCTAssertEqual(grey(context, 20, 9), 255)
        XCTAssertEqual(grey(context, 20, 14), 0)
    }

    func testPathsBecomeOutlines() {
        let path = CGMutablePath()
        path.addLines(between: [CGPoint(x: 0, y: 0), CGPoint(x: 10, y: 0), CGPoint(x: 10, y: 10)])
        let outline = path.copy(strokingWithWidth: 2, lineCap: .square, lineJoin: .miter, miterLimit: 10)
        XCTAssertEqual(outline.boundingBox, CGRect(x: -1, y: -1, width: 12, height: 12))
        XCTAssertTrue(outline.contains(CGPoint(x: 10.9, y: -0.9)))
        XCTAssertFalse(outline.contains(CGPoint(x: 5, y: 5)))
        let dashes = path.copy(dashingWithPhase: 1, lengths: [4, 2])
        var starts: [CGPoint] = []
        dashes.applyWithBlock { if $0.pointee.type == .moveToPoint { starts.append($0.pointee.points[0]) } }
        XCTAssertEqual(
            starts,
            [CGPoint(x: 0, y: 0), CGPoint(x: 5, y: 0), CGPoint(x: 10, y: 1), CGPoint(x: 10, y: 7)])
        XCTAssertTrue(path.copy(strokingWithWidth: 0, lineCap: .round, lineJoin: .round, miterLimit: 0).isEmpty)
        XCTAssertEqual(path.copy(dashingWithPhase: 0, lengths: [1e-9]), path.copy())
    }

    func testTheCurrentPathIsKnown() throws {
        let context = try context()
        XCTAssertTrue(context.isPathEmpty)
        XCTAssertNil(context.path)
        context.scaleBy(x: 2, y: 2)
        context.addArc(
            center: CGPoint(x: 10, y: 10), radius: 5, startAngle: 0, endAngle: .pi, clockwise: false)
        context.addQuadCurve(to: CGPoint(x: 5, y: 4), control: CGPoint(x: 4, y: 7))
        context.addCurve(
            to: CGPoint(x: 15, y: 4), control1: CGPoint(x: 8, y: 2), control2: CGPoint(x: 12, y: 2))
        XCTAssertEqual(context.currentPointOfPath.x, 15, accuracy: 1e-9)
        XCTAssertTrue(context.pathContains(CGPoint(x: 10, y: 12), mode: .fill))
        XCTAssertFalse(context.pathContains(CGPoint(x: 10, y: 12), mode: .stroke))
        XCTAssertTrue(context.pathContains(CGPoint(x: 10, y: 15), mode: .fillStroke))
        let whole = try XCTUnwrap(context.path)
        context.drawPath(using: .fillStroke)
        XCTAssertTrue(context.isPathEmpty)
        XCTAssertEqual(grey(context, 20, 24), 255)
        context.addPath(whole)
        context.replacePathWithStrokedPath()
        XCTAssertFalse(context.pathContains(CGPoint(x: 10, y: 12), mode: .fill))
        XCTAssertTrue(context.pathContains(CGPoint(x: 10, y: 15), mode: .fill))
    }

    // MARK: - Clips

    func testClipsIntersectAndAreRestored() throws {
        let context = try context()
        context.saveGState()
        context.clip(to: CGRect(x: 10, y: 10, width: 30, height: 20))
        context.addEllipse(in: CGRect(x: 20, y: 5, width: 30, height: 30))
        context.clip()
        XCTAssertEqual(context.boundingBoxOfClipPath, CGRect(x: 20, y: 10, width: 20, height: 20))
        context.fill(CGRect(x: 0, y: 0, width: 60, height: 40))
        context.restoreGState()
        for y in 0..<40 {
            for x in 0..<60 {
                let (dx, dy) = (Double(x) + 0.5 - 35, Double(y) + 0.5 - 20)
                let distance = (dx * dx + dy * dy).squareRoot()
                let isInside = (10..<40).contains(x) && (10..<30).contains(y) && distance < 14
                let isOutside = !(10..<40).contains(x) || !(10..<30).contains(y) || distance > 16
                if isInside { XCTAssertEqual(grey(context, x, y), 255, "\(x) \(y)") }
                if isOutside { XCTAssertEqual(grey(context, x, y), 0, "\(x) \(y)") }
            }
        }
        context.fill(CGRect(x: 0, y: 0, width: 60, height: 40))
        XCTAssertEqual(area(context), 60 * 40, accuracy: 0.01)
    }

    func testImagesAndMasksAreClipped() throws {
        let white = try context(4, 4)
        white.fill(CGRect(x: 0, y: 0, width: 4, height: 4))
        let image = try XCTUnwrap(white.makeImage())
        let half = try context(2, 1)
        half.fill(CGRect(x: 1, y: 0, width: 1, height: 1))
        let mask = try XCTUnwrap(half.makeImage())
        let context = try context()
        context.clip(to: CGRect(x: 10, y: 10, width: 20, height: 10))
        context.draw(image, in: CGRect(x: 0, y: 0, width: 60, height: 40))
        XCTAssertEqual(area(context), 200, accuracy: 0.01)
        let masked = try self.context()
        masked.interpolationQuality = .none
        masked.clip(to: CGRect(x: 0, y: 0, width: 60, height: 40), mask: mask)
        masked.draw(image, in: CGRect(x: 0, y: 0, width: 60, height: 40))
        XCTAssertEqual(grey(masked, 2, 20), 0)
        XCTAssertEqual(grey(masked, 57, 20), 255)
        masked.resetClip()
        masked.fill(CGRect(x: 0, y: 0, width: 60, height: 40))
        XCTAssertEqual(grey(masked, 2, 20), 255)
        let nothing = try self.context()
        nothing.clip(to: .zero)
        nothing.fill(CGRect(x: 0, y: 0, width: 60, height: 40))
        XCTAssertEqual(area(nothing), 0)
        XCTAssertTrue(nothing.boundingBoxOfClipPath.isNull)
    }

    func testEdgesWithoutAntialiasingAreAllOrNothing() throws {
        let context = try context()
        context.setShouldAntialias(false)
        context.fillEllipse(in: CGRect(x: 4.3, y: 5.1, width: 30, height: 20))
        for y in 0..<40 { for x in 0..<60 { XCTAssertTrue([0, 255].contains(grey(context, x, y))) } }
        XCTAssertEqual(area(context), .pi * 150, accuracy: 12)
    }

    // MARK: - Hostile parameters

    func testHostileParametersDrawNothingOrWhatIsVisible() throws {
        let context = try context()
        let odd: [CGFloat] = [.nan, .infinity, -.infinity, 1e300, -1e300, 1e9, -1e9, 0, 1e-300]
        for a in odd {
            context.setLineWidth(a)
            context.setMiterLimit(a)
            context.setLineDash(phase: a, lengths: [abs(a), 3])
            for b in odd {
                for join in [CGLineJoin.miter, .round, .bevel] {
                    context.setLineJoin(join)
                    context.setLineCap(.round)
                    line(context, [(a, b), (3, 4), (b, 7), (a, b)])
                    context.addCurve(
                        to: CGPoint(x: a, y: b), control1: CGPoint(x: b, y: a), control2: CGPoint(x: 3, y: 3))
                    context.addArc(
                        center: CGPoint(x: a, y: 2), radius: b, startAngle: a, endAngle: b, clockwise: true)
                    context.addArc(tangent1End: CGPoint(x: a, y: b), tangent2End: CGPoint(x: b, y: 1), radius: a)
                    context.drawPath(using: .eoFillStroke)
                }
                context.saveGState()
                context.concatenate(CGAffineTransform(a: a, b: b, c: b, d: a, tx: a, ty: b))
                line(context, [(1, 1), (3, 4)])
                context.strokePath()
                context.clip(to: CGRect(x: a, y: b, width: b, height: a))
                context.addEllipse(in: CGRect(x: a, y: b, width: a, height: b))
                context.clip(using: .evenOdd)
                _ = context.boundingBoxOfClipPath
                context.fill(CGRect(x: a, y: b, width: 30, height: 20))
                context.restoreGState()
            }
        }
        let path = CGMutablePath()
        path.addLines(between: odd.map { CGPoint(x: $0, y: 1) })
        for width in odd {
            _ = path.copy(strokingWithWidth: width, lineCap: .round, lineJoin: .miter, miterLimit: width).boundingBox
            _ = path.copy(dashingWithPhase: width, lengths: [width, 1]).boundingBoxOfPath
        }
        context.setLineDash(phase: 0, lengths: [])
        context.setLineWidth(2)
        context.resetClip()
        context.clear(CGRect(x: 0, y: 0, width: 60, height: 40))
        // From very far away, and still visible.
        line(context, [(-8e9, 20), (8e9, 20)])
        context.strokePath()
        XCTAssertEqual(area(context), 120, accuracy: 0.1)
    }
}
