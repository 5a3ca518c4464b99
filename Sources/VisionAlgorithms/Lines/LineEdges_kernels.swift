import CVisionKernels
import VisionImage

/// Thinned edges that run more along the rows of the map than across them. Rows have no padding. An element is 0 where
/// there is no edge, otherwise a value of `cvk_s16_line_peaks`.
struct EdgeMap {
    let width: Int
    let height: Int
    let peaks: [Int32]
    /// The least gradient at which a segment starts.
    let seed: Int32

    /// Returns the straight edge segments of at least `least` columns, at most `most`, by the rows of their seeds.
    ///
    /// The idea of growing a segment along thinned edges while a least-squares line fits is that of Akinlar and Topal,
    /// "EDLines: a real-time line segment detector with a false detection control" (2011).
    func segments(least: Int, most: Int) -> [EdgePiece] {
        let least = max(least, 4)
        guard width >= least, height > 2 else { return [] }
        var taken = [UInt8](repeating: 0, count: width * height)
        let pieces = [cvk_line_segment](unsafeUninitializedCapacity: most + 1) { pieces, count in
            guard let address = pieces.baseAddress else { return }
            taken.withUnsafeMutableBufferPointer { taken in
                peaks.withUnsafeBufferPointer { peaks in
                    cvk_s32_line_segments(
                        address, Int32(most), peaks.baseAddress, Int32(width), Int32(height), Int32(least), seed,
                        taken.baseAddress)
                }
            }
            count = Int(address.pointee.count) + 1
        }
        return pieces.dropFirst().map {
            EdgePiece(
                start: Double($0.start), slope: Double($0.slope), first: Int($0.first), last: Int($0.last),
                count: Int($0.count), weight: Int($0.weight))
        }
    }

    /// Finds the edges on a line between two columns, the second one excluded, where at least `dense` of nine columns
    /// have one; `hits` has an element for every column.
    ///
    /// - Returns: The least-squares line of these edges, or the given one if they are too few.
    func support(
        start: Double, slope: Double, from first: Int, to last: Int, dense: Int, hits: inout [Int32]
    ) -> (start: Double, slope: Double) {
        precondition(first >= 0 && last <= width && first < last && hits.count == width)
        var sums = (0.0, 0.0, 0.0, 0.0, 0.0)
        hits.withUnsafeMutableBufferPointer { hits in
            peaks.withUnsafeBufferPointer { peaks in
                withUnsafeMutableBytes(of: &sums) { sums in
                    cvk_s32_line_support(
                        hits.baseAddress, sums.assumingMemoryBound(to: Double.self).baseAddress, peaks.baseAddress,
                        Int32(width), Int32(height), Int32(first), Int32(last), Float(start), Float(slope),
                        Int32(dense))
                }
            }
        }
        let (n, x, y, xx, xy) = sums
        guard n >= 4 else { return (start, slope) }
        let slopeChange = (xy - x * y / n) / (xx - x * x / n + 1)
        let shift = (y - slopeChange * x) / n
        return (start + shift - slopeChange * Double(first + last) / 2, slope + slopeChange)
    }
}

/// A straight segment of an edge in an `EdgeMap`: at column t it is at row `start + slope * t`.
struct EdgePiece {
    var start: Double
    var slope: Double
    /// The columns that it spans.
    var first: Int
    var last: Int
    /// The number of columns with an edge on it.
    var count: Int
    /// The sum of the gradients.
    var weight: Int
}

/// The edges of an image for line detection. Each pixel takes the gradient of the channel that changes most, so that
/// objects which differ from their surroundings in hue only have edges as well.
struct LineEdges {
    /// Edges nearer to the horizontal than to the vertical.
    let level: EdgeMap
    /// Edges nearer to the vertical. The map is transposed: its rows are the columns of the image.
    let upright: EdgeMap

    /// - Parameters:
    ///   - image: Bytes of one, three or four channels, at most 2^15 pixels a side.
    ///   - least: The least gradient of an edge; raised in images with texture everywhere.
    init(_ image: Raster, least: Int) throws {
        let channels: [Int]
        switch image.format {
        case .grey8: channels = [0]
        case .rgb8, .bgr8, .bgra8, .rgba8: channels = [0, 1, 2]
        case .argb8: channels = [1, 2, 3]
        case .greyFloat, .greyHalf, .planarRGBFloat: preconditionFailure("line detection needs a byte format")
        }
        let (width, height) = (image.width, image.height)
        precondition(width <= 1 << 15 && height <= 1 << 15)
        let rowBytes = width * MemoryLayout<Int16>.stride
        let planeBytes = rowBytes * height
        let gradients = try Self.memory(2 * planeBytes)
        let gx = gradients.address.assumingMemoryBound(to: Int16.self)
        let gy = (gradients.address + planeBytes).assumingMemoryBound(to: Int16.self)
        let work = try Self.memory(cvk_line_gradient_work(Int32(width)) * MemoryLayout<Int16>.stride)
        let plane = try Self.memory(image.format.bytesPerPixel == 1 ? 1 : width * height)
        image.withUnsafePixels { pixels in
            let pixels = pixels.assumingMemoryBound(to: UInt8.self)
            for (index, channel) in channels.enumerated() {
                var (source, sourceBytes) = (pixels, image.rowBytes)
                if image.format.bytesPerPixel > 1 {
                    let copy = plane.address.assumingMemoryBound(to: UInt8.self)
                    cvk_u8_channel(
                        copy, width, pixels, image.rowBytes, Int32(width), Int32(height),
                        Int32(image.format.bytesPerPixel), Int32(channel))
                    (source, sourceBytes) = (UnsafePointer(copy), width)
                }
                cvk_u8_line_gradient(
                    gx, gy, rowBytes, source, sourceBytes, Int32(width), Int32(height), index > 0 ? 1 : 0,
                    work.address.assumingMemoryBound(to: Int16.self))
            }
        }
        let threshold = Int32(max(least, Self.roughness(gx, gy, width, height)))
        (level, upright) = try Self.maps(gx, gy, width, height, threshold: threshold)
        withExtendedLifetime((gradients, work, plane)) {}
    }

    private static func maps(
        _ gx: UnsafePointer<Int16>, _ gy: UnsafePointer<Int16>, _ width: Int, _ height: Int, threshold: Int32
    ) throws -> (level: EdgeMap, upright: EdgeMap) {
        let rowBytes = width * MemoryLayout<Int16>.stride, bytes = width * MemoryLayout<Int32>.stride
        let level = [Int32](unsafeUninitializedCapacity: width * height) { peaks, count in
            if let address = peaks.baseAddress {
                cvk_s16_line_peaks(address, bytes, gx, gy, rowBytes, Int32(width), Int32(height), threshold, 0)
            }
            count = width * height
        }
        let across = try memory(bytes * height)
        cvk_s16_line_peaks(
            across.address.assumingMemoryBound(to: Int32.self), bytes, gx, gy, rowBytes, Int32(width), Int32(height),
            threshold, 1)
        let upright = [Int32](unsafeUninitializedCapacity: width * height) { peaks, count in
            if let address = peaks.baseAddress {
                address.withMemoryRebound(to: UInt8.self, capacity: width * height * 4) { address in
                    cvk_b4_transpose(
                        address, height * 4, across.address.assumingMemoryBound(to: UInt8.self), bytes, Int32(height),
                        Int32(width))
                }
            }
            count = width * height
        }
        withExtendedLifetime(across) {}
        let seed = threshold * 3 / 2
        return (
            EdgeMap(width: width, height: height, peaks: level, seed: seed),
            EdgeMap(width: height, height: width, peaks: upright, seed: seed)
        )
    }

    private static func memory(_ bytes: Int) throws -> PixelMemory {
        guard let memory = PixelMemory(count: bytes) else { throw ImageError.outOfMemory(bytes: bytes) }
        return memory
    }

    /// Returns the median of the gradient's greater component over a grid of pixels: the level of noise and fine
    /// texture.
    private static func roughness(
        _ gx: UnsafePointer<Int16>, _ gy: UnsafePointer<Int16>, _ width: Int, _ height: Int
    ) -> Int {
        var counts = [Int](repeating: 0, count: 1024)
        var total = 0
        for y in stride(from: 2, to: height, by: 7) {
            for x in stride(from: 2 + y % 5, to: width, by: 5) {
                let size = max(abs(Int(gx[y * width + x])), abs(Int(gy[y * width + x])))
                counts[min(size >> 3, 1023)] += 1
                total += 1
            }
        }
        var below = 0
        for (bin, count) in counts.enumerated() {
            below += count
            if 2 * below >= total { return min(bin << 3, 480) }
        }
        return 0
    }
}
