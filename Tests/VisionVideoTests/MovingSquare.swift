import VisionVideo
import XCTest

/// A generated video: a red square that moves by two pixels a frame over grey.
enum MovingSquare {
    static func frame(_ index: Int, width: Int = 192, height: Int = 144) throws -> CVPixelBuffer {
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: "test")
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
        for y in 0..<height {
            for x in 0..<width {
                let isInside = (20 + 2 * index..<68 + 2 * index).contains(x) && (40..<88).contains(y)
                let pixel: SIMD4<UInt8> = isInside ? [40, 60, 230, 255] : [90, 90, UInt8(60 + y % 32), 255]
                base.storeBytes(
                    of: pixel, toByteOffset: y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x, as: SIMD4<UInt8>.self)
            }
        }
        return buffer
    }

    /// - Returns: The bytes of the video and the name of its encoder.
    static func write(to path: String, frames: Int, rate: Int = 10) throws -> (bytes: [UInt8], encoder: String) {
        let writer = try VideoWriter(path: path, format: VideoFormat(width: 192, height: 144, rate: Ratio(rate, 1)))
        for index in 0..<frames { try writer.add(try frame(index), time: Double(index) / Double(rate)) }
        try writer.finish()
        return (Array(try Data(contentsOf: URL(fileURLWithPath: path))), writer.encoder)
    }
}

/// The frames of a reader up to its end, and the error that ended it.
func drain(_ reader: VideoReader) async -> (frames: [VideoFrame], error: (any Error)?) {
    var frames: [VideoFrame] = []
    do {
        for try await frame in reader { frames.append(frame) }
        return (frames, nil)
    } catch {
        return (frames, error)
    }
}

/// The error with which a source does not open.
func openingError(
    _ source: VideoSource, timeout: Duration = .seconds(10), file: StaticString = #filePath, line: UInt = #line
) async -> VideoError? {
    var options = VideoReader.Options()
    options.timeout = timeout
    do {
        _ = try await VideoReader(source, options: options)
        XCTFail("no error", file: file, line: line)
        return nil
    } catch {
        guard let error = error as? VideoError else {
            XCTFail("\(error) is no VideoError", file: file, line: line)
            return nil
        }
        XCTAssertFalse(error.reason.isEmpty, file: file, line: line)
        XCTAssertEqual(error.localizedDescription, error.description, file: file, line: line)
        return error
    }
}
