import Foundation
import Vision

/// A 32BGRA buffer of a smooth pattern, seen from `x` pixels further right.
func patternBuffer(width: Int = 96, height: Int = 64, x shift: Double = 0) -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(kCFAllocatorDefault, width, height, kCVPixelFormatType_32BGRA, nil, &made)
    guard let buffer = made else { preconditionFailure("no buffer") }
    CVPixelBufferLockBaseAddress(buffer, [])
    guard let base = CVPixelBufferGetBaseAddress(buffer) else { preconditionFailure("a buffer has memory") }
    let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
    for row in 0..<height {
        for column in 0..<width {
            let (x, y) = (Double(column) + shift, Double(row))
            let waves =
                cos(x * 0.31 + y * 0.12) + cos(x * 0.13 - y * 0.41 + 1) + cos(x * 0.05 + y * 0.09 + 2)
                + cos(x * 0.52 + y * 0.33 + 3) + cos(y * 0.61 - x * 0.21)
            let value = UInt8(min(255, max(0, 128 + waves * 22)))
            let pixel = base + row * rowBytes + column * 4
            for component in 0..<4 { pixel.storeBytes(of: value, toByteOffset: component, as: UInt8.self) }
        }
    }
    CVPixelBufferUnlockBaseAddress(buffer, [])
    return buffer
}
