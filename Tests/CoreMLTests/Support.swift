import CoreML
import XCTest

/// A BGRA buffer of one colour.
func pixelBuffer(width: Int, height: Int, bgr: (UInt8, UInt8, UInt8)) throws -> CVPixelBuffer {
    try pixelBuffer(width: width, height: height) { _, _ in (bgr.2, bgr.1, bgr.0) }
}

/// A BGRA buffer whose pixels are red, green and blue at (x, y), row 0 on top.
func pixelBuffer(
    width: Int, height: Int, rgb: (Int, Int) -> (UInt8, UInt8, UInt8)
) throws -> CVPixelBuffer {
    var made: CVPixelBuffer?
    CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &made)
    let buffer = try XCTUnwrap(made)
    CVPixelBufferLockBaseAddress(buffer, [])
    defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
    let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer))
    for y in 0..<height {
        for x in 0..<width {
            let (r, g, b) = rgb(x, y)
            let address = base + y * CVPixelBufferGetBytesPerRow(buffer) + 4 * x
            for (index, value) in [b, g, r, 255].enumerated() {
                address.storeBytes(of: value, toByteOffset: index, as: UInt8.self)
            }
        }
    }
    return buffer
}

/// An RGB image, row 0 on top.
func image(width: Int, height: Int, rgb: (Int, Int) -> (UInt8, UInt8, UInt8)) throws -> CGImage {
    var bytes = Data()
    for y in 0..<height {
        for x in 0..<width {
            let (r, g, b) = rgb(x, y)
            bytes.append(contentsOf: [r, g, b])
        }
    }
    let provider = try XCTUnwrap(CGDataProvider(data: bytes))
    return try XCTUnwrap(
        CGImage(
            width: width, height: height, bitsPerComponent: 8, bitsPerPixel: 24, bytesPerRow: width * 3,
            space: CGColorSpaceCreateDeviceRGB(), bitmapInfo: CGBitmapInfo(rawValue: CGImageAlphaInfo.none.rawValue),
            provider: provider, decode: nil, shouldInterpolate: false, intent: .defaultIntent))
}

/// The colour components of a pixel: blue, green, red, or the single one.
func pixel(_ buffer: CVPixelBuffer, _ x: Int, _ y: Int) throws -> [UInt8] {
    let base = try XCTUnwrap(CVPixelBufferGetBaseAddress(buffer)) + y * CVPixelBufferGetBytesPerRow(buffer)
    if CVPixelBufferGetPixelFormatType(buffer) == kCVPixelFormatType_OneComponent8 {
        return [base.load(fromByteOffset: x, as: UInt8.self)]
    }
    return (0..<3).map { base.load(fromByteOffset: 4 * x + $0, as: UInt8.self) }
}
