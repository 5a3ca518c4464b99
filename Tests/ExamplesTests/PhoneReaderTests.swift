import Foundation
import ModelTestSupport
import Vision
import XCTest

@testable import ReadingApp

final class PhoneReaderTests: XCTestCase {
    func testNumbersAreFoundInText() {
        for (text, number) in [
            ("(415) 555-2671", "4155552671"), ("Call +1 415.555.2671 now", "4155552671"),
            ("4I5-555-267l", "4155552671"),
            ("415 555 26", nil), ("015 555 2671", nil), ("SOILBOOBSZ", nil), ("", nil),
        ] as [(String, String?)] {
            XCTAssertEqual(PhoneReader.phoneNumber(in: text), number, text)
        }
    }

    /// A number in seven-segment digits, with strokes so thin that it is not read as letters upside down.
    private func frame(_ digits: String, shift: CGFloat) throws -> CVPixelBuffer {
        let context = try XCTUnwrap(
            CGContext(
                data: nil, width: 640, height: 200, bitsPerComponent: 8, bytesPerRow: 0,
                space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue))
        context.setFillColor(gray: 1, alpha: 1)
        context.fill(CGRect(x: 0, y: 0, width: 640, height: 200))
        context.setFillColor(gray: 0.1, alpha: 1)
        // Top, upper right, lower right, bottom, lower left, upper left, middle.
        let segments: [Character: [Int]] = [
            "2": [0, 1, 6, 4, 3], "4": [5, 6, 1, 2], "7": [0, 1, 2], "8": [0, 1, 2, 3, 4, 5, 6], "-": [6],
        ]
        let boxes = [
            CGRect(x: 0, y: 40, width: 22, height: 4), CGRect(x: 18, y: 20, width: 4, height: 24),
            CGRect(x: 18, y: 0, width: 4, height: 24), CGRect(x: 0, y: 0, width: 22, height: 4),
            CGRect(x: 0, y: 0, width: 4, height: 24), CGRect(x: 0, y: 20, width: 4, height: 24),
            CGRect(x: 0, y: 20, width: 22, height: 4),
        ]
        for (index, digit) in digits.enumerated() {
            for segment in segments[digit] ?? [] {
                context.fill(boxes[segment].offsetBy(dx: 60 + shift + 32 * CGFloat(index), dy: 80))
            }
        }
        let image = try XCTUnwrap(context.makeImage())
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, 640, 200, kCVPixelFormatType_32BGRA, nil, &buffer)
        let made = try XCTUnwrap(buffer)
        CIContext().render(CIImage(cgImage: image), to: made)
        return made
    }

    func testANumberIsReportedOnceSeveralFramesShowIt() throws {
        let reader = PhoneReader()
        var reported: [String?] = []
        for shift in 0..<PhoneReader.neededFrames {
            let frame = try frame("247-284-7482", shift: CGFloat(shift))
            reported.append(try requireModel { try reader.read(frame) })
        }
        XCTAssertEqual(reported.dropLast().compactMap { $0 }, [])
        XCTAssertEqual(reported.last, "2472847482")
    }
}
