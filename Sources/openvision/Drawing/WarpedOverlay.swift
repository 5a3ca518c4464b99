import Vision
import VisionVideo

/// An image with another one drawn over it, warped to align with it.
struct WarpedOverlay {
    private let reference: Raster
    private let floating: Raster
    /// Maps points of the reference to points of the floating image, both with y up.
    private let back: matrix_float3x3

    /// - Precondition: The format of both images is `bgra8`.
    init(reference: Raster, floating: Raster, warp: matrix_float3x3) {
        precondition(reference.format == .bgra8 && floating.format == .bgra8)
        self.reference = reference
        self.floating = floating
        back = warp.inverse
    }

    /// Returns the reference in grey with the other image over it, half transparent, in colour, with a frame.
    func render() throws -> CVPixelBuffer {
        let (width, height) = (reference.width, reference.height)
        let buffer = try CVPixelBuffer.make(
            width: width, height: height, format: kCVPixelFormatType_32BGRA, path: "overlay")
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        guard let pixels = CVPixelBufferGetBaseAddress(buffer) else { return buffer }
        let rowBytes = CVPixelBufferGetBytesPerRow(buffer)
        reference.withUnsafePixels { base in
            floating.withUnsafePixels { other in
                for y in 0..<height {
                    for x in 0..<width {
                        let under = base + y * reference.rowBytes + x * 4
                        let to = pixels + y * rowBytes + x * 4
                        let below = (0..<3).map { Float(under.load(fromByteOffset: $0, as: UInt8.self)) }
                        let grey = below[0] * 0.114 + below[1] * 0.587 + below[2] * 0.299
                        let over = colour(x, y, other)
                        for part in 0..<3 {
                            let value = over.map { 0.5 * grey + 0.5 * $0[part] } ?? grey
                            to.storeBytes(of: UInt8(min(255, max(0, value + 0.5))), toByteOffset: part, as: UInt8.self)
                        }
                        to.storeBytes(of: 255, toByteOffset: 3, as: UInt8.self)
                    }
                }
            }
        }
        return buffer
    }

    /// Returns the colour of the floating image at a pixel of the reference; nil outside the floating image.
    private func colour(_ x: Int, _ y: Int, _ pixels: UnsafeRawPointer) -> SIMD3<Float>? {
        let p = back * SIMD3(Float(x) + 0.5, Float(reference.height) - Float(y) - 0.5, 1)
        let (u, v) = (p.x / p.z, Float(floating.height) - p.y / p.z)
        let (width, height) = (Float(floating.width), Float(floating.height))
        guard u.isFinite, v.isFinite, u >= 0, v >= 0, u < width, v < height else { return nil }
        // The frame is two pixels of the floating image wide, or a hundredth of a small image.
        if min(u, v, width - u, height - v) < max(width, height) / 250 { return SIMD3(60, 60, 255) }
        let (left, top) = (min(max(u - 0.5, 0), width - 1), min(max(v - 0.5, 0), height - 1))
        let (x0, y0) = (Int(left), Int(top))
        let (x1, y1) = (min(x0 + 1, floating.width - 1), min(y0 + 1, floating.height - 1))
        func pixel(_ x: Int, _ y: Int) -> SIMD3<Float> {
            let at = pixels + y * floating.rowBytes + x * 4
            return SIMD3(
                Float(at.load(fromByteOffset: 0, as: UInt8.self)), Float(at.load(fromByteOffset: 1, as: UInt8.self)),
                Float(at.load(fromByteOffset: 2, as: UInt8.self)))
        }
        let (fx, fy) = (left - Float(x0), top - Float(y0))
        let upper = pixel(x0, y0) * (1 - fx) + pixel(x1, y0) * fx
        let lower = pixel(x0, y1) * (1 - fx) + pixel(x1, y1) * fx
        return upper * (1 - fy) + lower * fy
    }
}
