import CVisionKernels
import VisionImage

/// A grey image of dense rows, as motion detection works on. Immutable.
struct MotionPlane: Sendable {
    let width: Int
    let height: Int
    let pixels: [UInt8]

    init(_ image: Raster) {
        precondition(image.format == .grey8)
        (width, height) = (image.width, image.height)
        let (width, height, rowBytes) = (image.width, image.height, image.rowBytes)
        pixels = image.withUnsafePixels { source in
            [UInt8](unsafeUninitializedCapacity: width * height) { pixels, count in
                for y in 0..<height {
                    let row = UnsafeRawBufferPointer(start: source + y * rowBytes, count: width)
                    for x in 0..<width { pixels[y * width + x] = row[x] }
                }
                count = width * height
            }
        }
    }

    init(width: Int, height: Int, pixels: [UInt8]) {
        precondition(pixels.count == width * height)
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Returns the image moved by whole pixels; beyond its edge it goes on.
    func moved(right: Int, down: Int) -> MotionPlane {
        guard right != 0 || down != 0 else { return self }
        let moved = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
            for y in 0..<height {
                let row = min(max(y - down, 0), height - 1) * width
                for x in 0..<width { target[y * width + x] = pixels[row + min(max(x - right, 0), width - 1)] }
            }
            count = pixels.count
        }
        return MotionPlane(width: width, height: height, pixels: moved)
    }

    /// Returns the median of each pixel over images of one size, at most `mostImages`.
    static func median(of planes: [MotionPlane]) -> MotionPlane {
        let first = planes[0]
        precondition(planes.count <= mostImages && planes.allSatisfy { $0.pixels.count == first.pixels.count })
        func withAddresses(
            _ index: Int, _ addresses: [UnsafePointer<UInt8>?], _ body: ([UnsafePointer<UInt8>?]) -> Void
        ) {
            guard index < planes.count else { return body(addresses) }
            planes[index].pixels.withUnsafeBufferPointer {
                withAddresses(index + 1, addresses + [$0.baseAddress], body)
            }
        }
        let median = [UInt8](unsafeUninitializedCapacity: first.pixels.count) { target, count in
            withAddresses(0, []) { addresses in
                addresses.withUnsafeBufferPointer {
                    cvk_u8_motion_median(
                        target.baseAddress, $0.baseAddress, Int32(planes.count), first.pixels.count)
                }
            }
            count = first.pixels.count
        }
        return MotionPlane(width: first.width, height: first.height, pixels: median)
    }

    static let mostImages = Int(CVK_MOTION_MOST)

    /// Returns how far each pixel is outside of the range of the nine background pixels around it.
    func difference(from background: MotionPlane) -> MotionPlane {
        precondition(background.width == width && background.height == height)
        var work = [UInt8](repeating: 0, count: 2 * width + 4)
        let difference = [UInt8](unsafeUninitializedCapacity: pixels.count) { target, count in
            cvk_u8_motion_difference(
                target.baseAddress, pixels, background.pixels, Int32(width), Int32(height), &work)
            count = pixels.count
        }
        return MotionPlane(width: width, height: height, pixels: difference)
    }

    /// The pixels as a raster.
    func raster() throws -> Raster {
        try Raster(width: width, height: height, format: .grey8) { target, rowBytes in
            for y in 0..<height {
                let row = UnsafeMutableRawBufferPointer(start: target + y * rowBytes, count: width)
                for x in 0..<width { row[x] = pixels[y * width + x] }
            }
        }
    }
}
