import Foundation
import ModelTestSupport
import Vision
import VisionVideo

@testable import openvision

/// Photos that the tests make.
enum DrawnPhotos {
    /// Bright rectangles before a background of one colour, others for each seed.
    static func make(seed: UInt64, width: Int = 160, height: Int = 120) throws -> CVPixelBuffer {
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: "test")
        var random = SplitMix64(seed: seed)
        func colour() -> Colour {
            Colour(
                red: .random(in: 0...255, using: &random), green: .random(in: 0...255, using: &random),
                blue: .random(in: 0...255, using: &random))
        }
        try Canvas.paint(on: buffer) { canvas in
            canvas.fill(PixelRectangle(x: 0, y: 0, width: width, height: height), colour())
            for _ in 0..<12 {
                canvas.fill(
                    PixelRectangle(
                        x: .random(in: -20..<width, using: &random), y: .random(in: -20..<height, using: &random),
                        width: .random(in: 5..<width / 2, using: &random),
                        height: .random(in: 5..<height / 2, using: &random)), colour())
            }
        }
        return buffer
    }

    /// Returns the path.
    @discardableResult
    static func write(_ seed: UInt64, _ name: String, in scratch: Scratch) throws -> String {
        let path = scratch.path(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try ImageFile.write(try make(seed: seed), to: path)
        return path
    }

    /// Writes an image of 96 × 64 pixels of one colour, and returns its path.
    static func write(_ colour: Colour, _ name: String, in scratch: Scratch) throws -> String {
        let buffer = try CVPixelBuffer.make(width: 96, height: 64, format: kCVPixelFormatType_32BGRA, path: name)
        try Canvas.paint(on: buffer) { $0.fill(PixelRectangle(x: 0, y: 0, width: 96, height: 64), colour) }
        try ImageFile.write(buffer, to: scratch.path(name))
        return scratch.path(name)
    }
}
