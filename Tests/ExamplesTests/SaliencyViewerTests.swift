import Foundation
import ModelTestSupport
import Vision
import XCTest

@testable import Saliency

final class SaliencyViewerTests: XCTestCase {
    /// A face on white paper, in the left half of an image twice as wide as it is high.
    private func image() throws -> CGImage {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("face.png")
        let drawing = try XCTUnwrap(Drawing())
        drawing.face(style: 0.3, isFilled: true)
        XCTAssertTrue(drawing.write(to: file))
        let source = try XCTUnwrap(CGImageSourceCreateWithURL(file as CFURL, nil))
        let face = try XCTUnwrap(CGImageSourceCreateImageAtIndex(source, 0, nil))
        let context = try XCTUnwrap(
            CGContext(
                data: nil, width: 800, height: 400, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
        context.setFillColor(gray: 1, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: 800, height: 400))
        context.draw(face, in: CGRect(x: 0, y: 0, width: 400, height: 400))
        return try XCTUnwrap(context.makeImage())
    }

    /// The mean brightness of a part of an image.
    private func brightness(_ image: CGImage, _ columns: Range<Int>, _ rows: Range<Int>) throws -> Double {
        let context = try XCTUnwrap(
            CGContext(
                data: nil, width: image.width, height: image.height, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
        context.draw(image, in: CGRect(x: 0, y: 0, width: image.width, height: image.height))
        let pixels = try XCTUnwrap(context.data)
        var sum = 0.0
        for row in rows {
            for column in columns {
                sum += Double(pixels.load(fromByteOffset: row * context.bytesPerRow + 4 * column, as: UInt8.self))
            }
        }
        return sum / Double(columns.count * rows.count)
    }

    func testTheMaskDarkensThePaperAndTheCropKeepsTheFace() throws {
        let image = try image()
        for kind in [SaliencyViewer.Kind.attention, .objectness] {
            let viewer = try requireModel { try SaliencyViewer(image: image, kind: kind) }
            let masked = try XCTUnwrap(viewer.masked())
            XCTAssertEqual([masked.width, masked.height], [800, 400])
            let (face, paper) = try (
                brightness(masked, 150..<250, 150..<250), brightness(masked, 650..<790, 10..<390)
            )
            XCTAssertGreaterThan(face, 1.5 * paper, "\(kind)")
            let cropped = try XCTUnwrap(viewer.cropped())
            XCTAssertLessThan(cropped.width, 600, "\(kind)")
            XCTAssertGreaterThan(cropped.width, 100, "\(kind)")
        }
    }
}
