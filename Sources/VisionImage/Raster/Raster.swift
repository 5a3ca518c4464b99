/// Pixels in one of the layouts that algorithms read: immutable, shared without copying.
///
/// Row 0 is the top row. Coordinates of rasters are pixels with the origin at the top left; the conversion to Vision's
/// lower-left origin happens in the `Vision` module only.
package struct Raster: @unchecked Sendable {
    // Unchecked: the memory is written only by `init(width:height:format:fill:)`, before the value exists.

    package enum Format: Hashable, Sendable {
        /// One byte a pixel.
        case grey8
        /// Three bytes a pixel in the order of the name.
        case rgb8, bgr8
        /// Four bytes a pixel in the order of the name.
        case bgra8, rgba8, argb8
        /// One 32-bit float a pixel.
        case greyFloat
        /// One 16-bit float a pixel: read from pixel buffers, never written.
        case greyHalf
        /// Three consecutive planes of 32-bit floats, R, G and B, each of `height` rows.
        case planarRGBFloat

        package var bytesPerPixel: Int {
            switch self {
            case .grey8: 1
            case .greyHalf: 2
            case .rgb8, .bgr8: 3
            case .bgra8, .rgba8, .argb8, .greyFloat, .planarRGBFloat: 4
            }
        }

        package var planeCount: Int { self == .planarRGBFloat ? 3 : 1 }
    }

    package let width: Int
    package let height: Int
    package let format: Format
    /// The distance between rows of a plane, in bytes.
    package let rowBytes: Int
    package let memory: PixelMemory
    /// The offset of the first row in `memory`: a crop shares the memory of the whole.
    package let offset: Int

    /// The distance between the first rows of consecutive planes, in bytes.
    package var planeBytes: Int { rowBytes * height }

    /// Creates a view of memory that already holds pixels.
    ///
    /// - Precondition: all rows lie within `memory`.
    package init(width: Int, height: Int, format: Format, rowBytes: Int, memory: PixelMemory, offset: Int = 0) {
        precondition(width > 0 && height > 0 && offset >= 0 && rowBytes >= width * format.bytesPerPixel)
        let rows = (height * format.planeCount - 1) * rowBytes + width * format.bytesPerPixel
        precondition(offset + rows <= memory.count)
        self.width = width
        self.height = height
        self.format = format
        self.rowBytes = rowBytes
        self.memory = memory
        self.offset = offset
    }

    /// Creates a raster whose pixels `fill` must all write. Rows start at multiples of 64 bytes.
    ///
    /// - Throws: `ImageError.outOfMemory` if memory is short, and errors of `fill`.
    package init(
        width: Int, height: Int, format: Format,
        fill: (_ pixels: UnsafeMutableRawPointer, _ rowBytes: Int) throws -> Void
    ) throws {
        let rowBytes = Self.rowBytes(width: width, format: format)
        let count = rowBytes * height * format.planeCount
        guard let memory = PixelMemory(count: count) else {
            throw ImageError.outOfMemory(bytes: count)
        }
        try fill(memory.address, rowBytes)
        self.init(width: width, height: height, format: format, rowBytes: rowBytes, memory: memory)
    }

    package static func rowBytes(width: Int, format: Format) -> Int {
        (width * format.bytesPerPixel + PixelMemory.alignment - 1) / PixelMemory.alignment * PixelMemory.alignment
    }

    /// Calls `closure` with a pointer to the pixels, which is valid during the call only.
    package func withUnsafePixels<Result>(_ closure: (UnsafeRawPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(memory) { try closure(UnsafeRawPointer(memory.address + offset)) }
    }

    /// Returns the part inside the rectangle, sharing this raster's memory. Planar rasters cannot be cropped.
    ///
    /// - Precondition: the rectangle lies within the raster, is not empty, and the format has one plane.
    package func cropped(x: Int, y: Int, width: Int, height: Int) -> Raster {
        precondition(format.planeCount == 1)
        precondition(x >= 0 && y >= 0 && x + width <= self.width && y + height <= self.height)
        return Raster(
            width: width, height: height, format: format, rowBytes: rowBytes, memory: memory,
            offset: offset + y * rowBytes + x * format.bytesPerPixel)
    }
}
