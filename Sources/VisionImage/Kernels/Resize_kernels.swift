import CVisionKernels

/// The resampling filter of a resize.
package enum ResizeFilter: Hashable, Sendable {
    /// The mean over the area of a new pixel, including fractions of pixels.
    case area
    /// A triangle filter, two new pixels wide for reductions: no aliasing.
    case antialiasedBilinear
    /// Bilinear interpolation at any scale: large reductions have aliasing.
    case bilinear

    fileprivate var kernelValue: cvk_filter {
        switch self {
        case .area: CVK_FILTER_AREA
        case .antialiasedBilinear: CVK_FILTER_SMOOTH_BILINEAR
        case .bilinear: CVK_FILTER_BILINEAR
        }
    }
}

extension Raster {
    /// Returns the region (nil: the whole) scaled to `width` × `height`, in one pass over the pixels. Pixel centres are
    /// at half integers; the two axes scale independently.
    ///
    /// Wide filters include pixels of the image beyond the region; outside of the image nothing is sampled.
    ///
    /// - Throws: `ImageError.invalidArgument` for sizes outside 1 to 65536 and for a region that is empty, not finite
    ///   or not within the raster; `ImageError.unsupportedFormat` for half and planar floats.
    package func resized(width: Int, height: Int, filter: ResizeFilter, region: PixelRegion? = nil) throws -> Raster {
        let part = region ?? PixelRegion(width: self.width, height: self.height)
        guard format.planeCount == 1, format != .greyHalf else {
            throw ImageError.unsupportedFormat("\(format) pixels cannot be resized; convert them first")
        }
        let limit = Int(CVK_RESIZE_LIMIT)
        for side in [width, height, self.width, self.height] where side < 1 || side > limit {
            throw ImageError.invalidArgument("images from 1 to \(limit) pixels a side can be resized, not \(side)")
        }
        guard part.isFinite, part.width > 0, part.height > 0, part.x >= 0, part.y >= 0,
            part.x + part.width <= Double(self.width), part.y + part.height <= Double(self.height)
        else {
            throw ImageError.invalidArgument(
                "the region \(part) is empty or not within the image of \(self.width) × \(self.height) pixels")
        }
        if width == self.width, height == self.height, part == PixelRegion(width: width, height: height) { return self }

        let isFloat = format == .greyFloat
        var shape = cvk_resize_shape(
            src_width: Int32(self.width), src_height: Int32(self.height), x: part.x, y: part.y, columns: part.width,
            rows: part.height, dst_width: Int32(width), dst_height: Int32(height),
            channels: isFloat ? 1 : Int32(format.bytesPerPixel), is_float: isFloat ? 1 : 0, filter: filter.kernelValue)
        let plan = try ResizeWork(bytes: cvk_resize_plan_bytes(&shape))
        return try plan.use { planBytes in
            let plan = planBytes.assumingMemoryBound(to: cvk_resize_plan.self)
            cvk_resize_plan_make(plan, &shape)
            return try ResizeWork(bytes: cvk_resize_scratch_bytes(plan)).use { scratch in
                try Raster(width: width, height: height, format: format) { target, rowBytes in
                    withUnsafePixels { source in
                        if isFloat {
                            cvk_resize_f32(plan, target.floats, rowBytes, source.floats, self.rowBytes, scratch)
                        } else {
                            cvk_resize_u8(plan, target.bytes, rowBytes, source.bytes, self.rowBytes, scratch)
                        }
                    }
                }
            }
        }
    }
}

/// The work memory of a resize.
private struct ResizeWork {
    private let memory: PixelMemory

    init(bytes: Int) throws {
        guard let memory = PixelMemory(count: bytes) else { throw ImageError.outOfMemory(bytes: bytes) }
        self.memory = memory
    }

    func use<Result>(_ closure: (UnsafeMutableRawPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(memory) { try closure(memory.address) }
    }
}
