import Foundation
import VisionFilters
import XCTest

typealias Pixel = SIMD4<Double>

/// An image of known pixels, colours multiplied by alpha; y points up.
struct Picture {
    let width, height: Int
    /// 0…255, rows from the bottom.
    var pixels: [Pixel]

    init(_ width: Int, _ height: Int, _ pixel: (_ x: Int, _ y: Int) -> Pixel) {
        (self.width, self.height) = (width, height)
        pixels = (0..<width * height).map { pixel($0 % width, $0 / width) }
    }

    /// Noise with some structure; opaque, or with every opacity.
    static func noise(_ width: Int, _ height: Int, seed: UInt64 = 1, isOpaque: Bool = true) -> Picture {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> Double {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Double(state >> 11 & 0xFFFF) / 65536
        }
        return Picture(width, height) { x, y in
            let alpha = isOpaque ? 255 : (next() * 255).rounded()
            func part(_ wave: Double) -> Double {
                ((0.5 + 0.3 * sin(wave * Double(x) + Double(y) / 3) + 0.2 * (next() - 0.5)) * alpha).rounded()
            }
            return Pixel(part(0.3), part(0.5), part(0.9), alpha)
        }
    }

    /// Transparent outside.
    subscript(x: Int, y: Int) -> Pixel {
        x >= 0 && y >= 0 && x < width && y < height ? pixels[y * width + x] : .zero
    }

    var image: CIImage {
        var buffer: CVPixelBuffer?
        CVPixelBufferCreate(nil, width, height, kCVPixelFormatType_32BGRA, nil, &buffer)
        guard let buffer else { fatalError("no memory") }
        CVPixelBufferLockBaseAddress(buffer, [])
        defer { CVPixelBufferUnlockBaseAddress(buffer, []) }
        let base = CVPixelBufferGetBaseAddress(buffer)
        for y in 0..<height {
            for x in 0..<width {
                let pixel = self[x, y]
                let offset = (height - 1 - y) * CVPixelBufferGetBytesPerRow(buffer) + 4 * x
                for (index, part) in [pixel.z, pixel.y, pixel.x, pixel.w].enumerated() {
                    base?.storeBytes(of: UInt8(part), toByteOffset: offset + index, as: UInt8.self)
                }
            }
        }
        return CIImage(cvPixelBuffer: buffer)
    }

    /// What a context renders of an image.
    init(_ image: CIImage, _ rect: CGRect) {
        let (width, height) = (Int(rect.width), Int(rect.height))
        var bytes = [UInt8](repeating: 7, count: 4 * width * height)
        CIContext().render(
            image, toBitmap: &bytes, rowBytes: 4 * width, bounds: rect, format: .RGBA8, colorSpace: nil)
        self.init(width, height) { x, y in
            let start = 4 * ((height - 1 - y) * width + x)
            return Pixel(
                Double(bytes[start]), Double(bytes[start + 1]), Double(bytes[start + 2]), Double(bytes[start + 3]))
        }
    }

    /// What a context renders of an image with floats from the first to the last step.
    init(inFloats image: CIImage, _ rect: CGRect) {
        let (width, height) = (Int(rect.width), Int(rect.height))
        var floats = [Float](repeating: 7, count: 4 * width * height)
        CIContext().render(
            image, toBitmap: &floats, rowBytes: 16 * width, bounds: rect, format: .RGBAf, colorSpace: nil)
        self.init(width, height) { x, y in
            let start = 4 * ((height - 1 - y) * width + x)
            let pixel = Pixel(SIMD4(floats[start], floats[start + 1], floats[start + 2], floats[start + 3]))
            return (pixel * 255).clamped(lowerBound: .zero, upperBound: Pixel(repeating: 255))
        }
    }

    /// The bilinear mean; pixel centres at halves.
    func bilinear(_ x: Double, _ y: Double) -> Pixel {
        let (left, bottom) = (Int((x - 0.5).rounded(.down)), Int((y - 0.5).rounded(.down)))
        let (u, v) = (x - 0.5 - Double(left), y - 0.5 - Double(bottom))
        return (self[left, bottom] * (1 - u) + self[left + 1, bottom] * u) * (1 - v)
            + (self[left, bottom + 1] * (1 - u) + self[left + 1, bottom + 1] * u) * v
    }
}

/// Fails unless a context renders the image as the function says, with differences of at most one level, in bytes as in
/// floats.
func assertRenders(
    _ image: CIImage?, _ rect: CGRect, file: StaticString = #filePath, line: UInt = #line,
    _ expected: (_ x: Int, _ y: Int) -> Pixel
) {
    guard let image else { return XCTFail("no image", file: file, line: line) }
    for (name, found) in [("bytes", Picture(image, rect)), ("floats", Picture(inFloats: image, rect))] {
        var (worst, place) = (0.0, "")
        for y in 0..<found.height {
            for x in 0..<found.width {
                let (column, row) = (x + Int(rect.minX), y + Int(rect.minY))
                let wanted = expected(column, row).clamped(lowerBound: .zero, upperBound: Pixel(repeating: 255))
                let difference = found[x, y] - wanted
                let size = [difference.x, difference.y, difference.z, difference.w].map(\.magnitude).max() ?? 0
                if size > worst { (worst, place) = (size, "(\(column), \(row)): \(found[x, y]), not \(wanted)") }
            }
        }
        XCTAssertLessThanOrEqual(worst, 1, "\(name), \(place)", file: file, line: line)
    }
}
