import ModelTestSupport
import Foundation
import Vision
import VisionVideo
import XCTest

@testable import openvision

/// The behaviour that all commands for photos share.
final class PhotoProcessingTests: XCTestCase {
    private let commands = ["barcodes", "rectangles", "horizon"]

    private func write(_ name: String, in scratch: Scratch) throws -> String {
        let buffer = try CVPixelBuffer.make(width: 60, height: 40, format: kCVPixelFormatType_32BGRA, path: "test")
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: 60, height: 40), Colour(red: 30, green: 60, blue: 90))
        }
        let path = scratch.path(name)
        try ImageFile.write(buffer, to: path)
        return path
    }

    func testADrawingNeverOverwritesAPhoto() throws {
        for command in commands {
            let scratch = try Scratch()
            let photos = [try write("a.png", in: scratch), try write("b-1.png", in: scratch)]
            let before = try photos.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            // With two photos the first drawing is b-1.png, which is one of them.
            for arguments in [[photos[0], "--render", photos[0]], photos + ["--render", scratch.path("b.png")]] {
                let refused = try openvision([command] + arguments)
                XCTAssertEqual(refused.code, 1, "\(command) \(arguments)")
                XCTAssertTrue(refused.errors.contains("not overwritten"), refused.errors)
            }
            XCTAssertEqual(try photos.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }, before, command)
        }
    }

    func testEachOfSeveralPhotosIsDrawnToAFileOfItsOwn() throws {
        for command in commands {
            let scratch = try Scratch()
            let photos = [try write("a.png", in: scratch), try write("b.png", in: scratch)]
            let run = try openvision([command] + photos + ["--render", scratch.path("out.png")])
            XCTAssertEqual(run.code, 0, run.errors)
            for name in ["out-1.png", "out-2.png"] {
                XCTAssertTrue(FileManager.default.fileExists(atPath: scratch.path(name)), "\(command) \(name)")
            }
        }
    }
}
