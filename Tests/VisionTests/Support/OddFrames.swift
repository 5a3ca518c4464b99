import Vision
import XCTest

/// Unusual frames for trackers.
enum OddFrames {
    static let size = (width: 200, height: 150)
    private static let background = Scene(seed: 21, contrast: 0.5)
    private static let object = Scene(seed: 22)

    /// A textured square over a background.
    static func frame(_ x: Int, _ y: Int, side: Int = 48) -> CVPixelBuffer {
        var frame = background.frame(width: size.width, height: size.height)
        frame.draw(object, centreX: x, centreY: y, side: side)
        return frame.pixelBuffer()
    }

    /// The position of the square.
    static func box(_ x: Int, _ y: Int, side: Int = 48) -> CGRect {
        VNNormalizedRectForImageRect(
            CGRect(x: x - side / 2, y: size.height - y - side / 2, width: side, height: side), size.width, size.height)
    }

    /// A frame of one brightness.
    static func flat(_ width: Int, _ height: Int, format: OSType, value: UInt8) throws -> CVPixelBuffer {
        var made: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, format, nil, &made)
        let buffer = try XCTUnwrap(made)
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        if CVPixelBufferGetPlaneCount(buffer) > 0 {
            for plane in 0..<CVPixelBufferGetPlaneCount(buffer) {
                let bytes = try XCTUnwrap(CVPixelBufferGetBaseAddressOfPlane(buffer, plane))
                bytes.initializeMemory(
                    as: UInt8.self, repeating: value,
                    count: CVPixelBufferGetBytesPerRowOfPlane(buffer, plane)
                        * CVPixelBufferGetHeightOfPlane(buffer, plane))
            }
        } else {
            let bytes = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
            bytes.initializeMemory(
                as: UInt8.self, repeating: value, count: CVPixelBufferGetBytesPerRow(buffer) * height)
        }
        return buffer
    }

    /// 7680 × 4320 pixels with a textured square of 400 pixels in them, and where that is.
    static func large() throws -> (frame: CVPixelBuffer, box: CGRect) {
        let frame = try flat(7680, 4320, format: kCVPixelFormatType_OneComponent8, value: 60)
        CVPixelBufferLockBaseAddress(frame, [])
        defer { CVPixelBufferUnlockBaseAddress(frame, []) }
        let bytes = try XCTUnwrap(CVPixelBufferGetBaseAddress(frame)), rowBytes = CVPixelBufferGetBytesPerRow(frame)
        for row in 0..<400 {
            for column in 0..<400 {
                let value = UInt8(object.brightness(Double(column) / 12, Double(row) / 12))
                bytes.storeBytes(of: value, toByteOffset: (2000 + row) * rowBytes + 3000 + column, as: UInt8.self)
            }
        }
        return (
            frame,
            VNNormalizedRectForImageRect(CGRect(x: 3000, y: 4320 - 2400, width: 400, height: 400), 7680, 4320)
        )
    }

    /// One after the other: frames of all sizes and formats, the first and the last of them with the square at (100,
    /// 75).
    static func restless() throws -> [CVPixelBuffer] {
        var video = [frame(100, 75)]
        for (width, height) in [(1, 1), (2, 301), (640, 4), (200, 150)] {
            video.append(try flat(width, height, format: kCVPixelFormatType_32BGRA, value: 90))
            video.append(try flat(width, height, format: kCVPixelFormatType_OneComponent8, value: 90))
        }
        video.append(try flat(64, 48, format: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, value: 90))
        video.append(frame(100, 75))
        return video
    }

    /// `video` with times that jump and run backwards.
    static func samples(of video: [CVPixelBuffer]) -> [CMSampleBuffer] {
        let times = [0, 40, 41, -7, 1_000_000, 1_000_000]
        return video.enumerated().map { index, frame in
            CMSampleBuffer(
                imageBuffer: frame,
                presentationTimeStamp: CMTime(value: CMTimeValue(times[index % times.count]), timescale: 600))
        }
    }
}
