import Foundation
import Vision
import VisionVideo
import XCTest

@testable import openvision

/// A video made by the test: a bright square on a grey wall with stripes, moving by two pixels a frame to the right.
enum SyntheticVideo {
    static let square = 48
    static let wall = Colour(red: 90, green: 90, blue: 90)
    static let target = Colour(red: 230, green: 60, blue: 40)

    static func corner(_ frame: Int) -> (x: Int, y: Int) { (24 + 2 * frame, 40) }

    static func frame(_ index: Int, width: Int, height: Int) throws -> CVPixelBuffer {
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: width, height: height), wall)
            for stripe in stride(from: 0, to: height, by: 32) {
                let shade = UInt8(60 + stripe * 7 % 60)
                canvas.fill(
                    PixelRectangle(x: 0, y: stripe, width: width, height: 8),
                    Colour(red: shade, green: shade, blue: shade))
            }
            let (x, y) = corner(index)
            canvas.fill(PixelRectangle(x: x, y: y, width: square, height: square), target)
            canvas.fill(PixelRectangle(x: x + 12, y: y + 12, width: 12, height: 20), .white)
        }
        return buffer
    }

    static func write(
        to path: String, frames: Int, width: Int = 192, height: Int = 144, rate: Ratio = Ratio(10, 1),
        pixelAspect: Ratio = Ratio(1, 1), times: [Double]? = nil
    ) throws {
        let writer = try VideoWriter(
            path: path, format: VideoFormat(width: width, height: height, rate: rate, pixelAspect: pixelAspect))
        for index in 0..<frames {
            let time = times?[index] ?? Double(index) / rate.value
            try writer.add(frame(index, width: width, height: height), time: time)
        }
        try writer.finish()
    }
}

/// One pixel of a 32BGRA buffer.
func pixel(_ buffer: CVPixelBuffer, _ x: Int, _ y: Int) throws -> Colour {
    CVPixelBufferLockBaseAddress(buffer, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
    let bytes = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
    let at = y * CVPixelBufferGetBytesPerRow(buffer) + x * 4
    func part(_ offset: Int) -> UInt8 { bytes.load(fromByteOffset: at + offset, as: UInt8.self) }
    return Colour(red: part(2), green: part(1), blue: part(0))
}

func assertClose(
    _ left: Colour, _ right: Colour, within tolerance: Int, file: StaticString = #filePath, line: UInt = #line
) {
    for (a, b) in [(left.red, right.red), (left.green, right.green), (left.blue, right.blue)] {
        XCTAssertLessThanOrEqual(abs(Int(a) - Int(b)), tolerance, "\(left) and \(right)", file: file, line: line)
    }
}

/// Writes a 32BGRA buffer to an image file.
func writePNG(_ buffer: CVPixelBuffer, _ path: String) throws {
    let extent = CGRect(x: 0, y: 0, width: CVPixelBufferGetWidth(buffer), height: CVPixelBufferGetHeight(buffer))
    let image = try XCTUnwrap(CIContext().createCGImage(CIImage(cvPixelBuffer: buffer), from: extent))
    let file = try XCTUnwrap(
        CGImageDestinationCreateWithURL(URL(fileURLWithPath: path), "public.png", 1, nil))
    CGImageDestinationAddImage(file, image, nil)
    XCTAssertTrue(CGImageDestinationFinalize(file))
}
