import ModelTestSupport
import Vision

extension DrawnBody {
    /// Bodies before a wall, as a pixel buffer.
    static func buffer(_ bodies: [DrawnBody], width: Int, height: Int) -> CVPixelBuffer {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
        guard let buffer else { preconditionFailure("no buffer") }
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard let base = CVPixelBufferGetBaseAddress(buffer) else { preconditionFailure("no address") }
        let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
        pixels(bodies, width: width, height: height).withUnsafeBytes { pixels in
            guard let source = pixels.baseAddress else { return }
            for row in 0..<height {
                (base + row * rowBytes).copyMemory(from: source + 4 * width * row, byteCount: 4 * width)
            }
        }
        return buffer
    }
}
