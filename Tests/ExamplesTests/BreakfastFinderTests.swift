import Foundation
import ModelTestSupport
import Vision
import XCTest

@testable import BreakfastFinder

final class BreakfastFinderTests: XCTestCase {
    private func finder() throws -> ObjectFinder {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("breakfast.onnx")
        try breakfastDetector(metadata: breakfastMetadata()).write(to: file)
        return try ObjectFinder(modelURL: file)
    }

    /// A grey frame of 256 × 128 pixels with a block in the colour of a class; the block in pixels from the top left.
    private func frame(_ label: String, x: Int, y: Int, width: Int, height: Int) throws -> CVPixelBuffer {
        let index = try XCTUnwrap(breakfast.firstIndex(of: label))
        let colour = breakfastColours[index].map { UInt8(($0 * 255).rounded()) }
        var created: CVPixelBuffer?
        CVPixelBufferCreate(nil, 256, 128, kCVPixelFormatType_32BGRA, nil, &created)
        let buffer = try XCTUnwrap(created)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let pixels = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        for row in 0..<128 {
            for column in 0..<256 {
                let inside = (x..<x + width).contains(column) && (y..<y + height).contains(row)
                let pixel = pixels + row * CVPixelBufferGetBytesPerRow(buffer) + 4 * column
                for part in 0..<3 {
                    pixel.storeBytes(of: inside ? colour[2 - part] : 128, toByteOffset: part, as: UInt8.self)
                }
                pixel.storeBytes(of: 255, toByteOffset: 3, as: UInt8.self)
            }
        }
        return buffer
    }

    func testEachFrameHasTheBoxAndTheLabelOfItsObject() throws {
        let finder = try finder()
        // A cell of the model is 64 × 32 pixels of the frame.
        for (label, x, y) in [("banana", 64, 32), ("waffle", 0, 96), ("egg", 192, 0)] {
            let objects = try finder.objects(in: frame(label, x: x, y: y, width: 64, height: 32))
            XCTAssertEqual(objects.map(\.label), [label])
            let bounds = try XCTUnwrap(objects.first).bounds
            XCTAssertEqual(bounds.minX, CGFloat(x), accuracy: 1)
            XCTAssertEqual(bounds.minY, CGFloat(128 - y - 32), accuracy: 1)
            XCTAssertEqual(bounds.width, 64, accuracy: 1)
            XCTAssertEqual(bounds.height, 32, accuracy: 1)
            XCTAssertTrue(try XCTUnwrap(objects.first).text.hasPrefix("\(label)\nConfidence:  "))
        }
    }

    func testATurnedFrameHasItsBoxInTheUprightImage() throws {
        let objects = try finder().objects(
            in: frame("banana", x: 64, y: 0, width: 64, height: 32), orientation: .right)
        // Turned clockwise the frame is 128 × 256; its top left block is at the right.
        let bounds = try XCTUnwrap(objects.first).bounds
        XCTAssertEqual(bounds.minX, 96, accuracy: 1)
        XCTAssertEqual(bounds.minY, 128, accuracy: 1)
    }

    func testAFileThatIsNoModelIsAnError() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("breakfast.onnx")
        try Data("breakfast".utf8).write(to: file)
        XCTAssertThrowsError(try ObjectFinder(modelURL: file))
    }
}
