import CVisionKernels
package import VisionImage

/// Finds the borders of dark or light regions in a grey image.
///
/// Regions are 8-connected, holes 4-connected; the borders and the tree that they make are those of Suzuki and Abe,
/// "Topological structural analysis of digitized binary images by border following" (1985).
package struct ContourFinder: Hashable, Sendable {
    /// The grey value, 0…1, that separates regions from their surroundings; nil for that which separates the image's
    /// values best (Otsu, 1979).
    package var pivot: Double?
    /// Whether regions are darker than the pivot; otherwise they are lighter.
    package var isDark: Bool
    /// By how much a region must be darker than the pivot somewhere, and a hole lighter (0…1, or the other way round),
    /// to count. Others belong to what surrounds them.
    package var leastDepth: Double

    package init(pivot: Double?, isDark: Bool, leastDepth: Double) {
        (self.pivot, self.isDark, self.leastDepth) = (pivot, isDark, leastDepth)
    }

    /// The greatest width and height of an image.
    package static let sizeLimit = 65535

    /// Finds all contours.
    ///
    /// Time is proportional to the number of pixels and of points. Memory too: besides the image 5 bytes a pixel, and
    /// in the worst case, a fine pattern, about 30 more for the contours.
    ///
    /// - Parameters:
    ///   - image: A grey byte image of at most `sizeLimit` pixels a side.
    ///   - aspectRatio: The ratio of width to height of what the image shows; nil for that of its pixels.
    ///   - check: Called between the steps; may throw to stop.
    package func contours(
        in image: Raster, aspectRatio: Double? = nil, check: () throws -> Void = {}
    ) throws -> ContourTree {
        precondition(image.format == .grey8 && image.width <= Self.sizeLimit && image.height <= Self.sizeLimit)
        let level = 255 * (pivot ?? Self.bestPivot(of: image))
        var lookup = [UInt8](repeating: 0, count: 256)
        for value in 0..<256 where isDark ? Double(value) < level : Double(value) > level { lookup[value] = 1 }
        let borders = try Borders(image, lookup: lookup, check: check)
        try check()
        let parents = borders.keptParents { border, isHole in
            let (least, greatest) = (Double(borders.depths[2 * border]), Double(borders.depths[2 * border + 1]))
            let depth = isHole == isDark ? greatest - level : level - least
            return depth >= 255 * leastDepth
        }
        return ContourTree(
            borders.contours, parents: parents, points: borders.points, of: image,
            aspectRatio: aspectRatio ?? Double(image.width) / Double(image.height))
    }

    /// Returns the level, 0…1, with the greatest variance between the values below and above it (Otsu, 1979); a half if
    /// all values are equal.
    package static func bestPivot(of image: Raster) -> Double {
        var counts = [Int](repeating: 0, count: 256)
        image.withUnsafePixels { pixels in
            for y in 0..<image.height {
                let row = (pixels + y * image.rowBytes).assumingMemoryBound(to: UInt8.self)
                for x in 0..<image.width { counts[Int(row[x])] += 1 }
            }
        }
        let total = Double(image.width * image.height)
        let sum = counts.enumerated().reduce(0.0) { $0 + Double($1.offset) * Double($1.element) }
        // The middle of equally good levels: a drawing of two values has many.
        var (below, belowSum, best, first, last) = (0.0, 0.0, 0.0, 127, 127)
        for value in 0..<255 {
            below += Double(counts[value])
            belowSum += Double(value) * Double(counts[value])
            guard below > 0, below < total else { continue }
            let difference = belowSum / below - (sum - belowSum) / (total - below)
            let variance = below * (total - below) * difference * difference
            if variance > best {
                (best, first, last) = (variance, value, value)
            } else if variance == best {
                last = value
            }
        }
        return (Double(first + last) / 2 + 0.5) / 255
    }
}

/// All borders of a binary image, in the order in which they are found: a border comes after the one around it.
private struct Borders {
    let contours: [cvk_contour]
    let points: [UInt32]
    /// The least and greatest value in the region within each border.
    let depths: [UInt8]

    init(_ image: Raster, lookup: [UInt8], check: () throws -> Void) throws {
        let (width, height) = (Int32(image.width), Int32(image.height))
        let elements = cvk_contour_stride(width) * Int(cvk_contour_rows(height))
        guard let binary = PixelMemory(count: elements), let labels = PixelMemory(count: 4 * elements) else {
            throw ImageError.outOfMemory(bytes: 5 * elements)
        }
        let pixels = binary.address.assumingMemoryBound(to: UInt8.self)
        let numbers = labels.address.assumingMemoryBound(to: Int32.self)
        var limits = cvk_contour_totals(contours: 0, points: 0)
        image.withUnsafePixels { source in
            cvk_u8_contour_image(
                pixels, &limits, source.assumingMemoryBound(to: UInt8.self), image.rowBytes, width, height, lookup)
        }
        numbers.update(repeating: 0, count: elements)
        try check()
        var found = cvk_contour_totals(contours: 0, points: 0)
        var points: [UInt32] = []
        let all = [cvk_contour](unsafeUninitializedCapacity: Int(limits.contours)) { contours, count in
            points = [UInt32](unsafeUninitializedCapacity: Int(limits.points)) { points, pointCount in
                cvk_u8_contours(
                    contours.baseAddress, limits.contours, points.baseAddress, limits.points, &found, pixels, numbers,
                    width, height)
                pointCount = Int(min(found.points, limits.points))
            }
            count = Int(min(found.contours, limits.contours))
        }
        (contours, self.points) = (all, points)
        try check()
        depths = [UInt8](unsafeUninitializedCapacity: 2 * all.count + 2) { depths, count in
            image.withUnsafePixels { source in
                cvk_u8_contour_depths(
                    depths.baseAddress, all, Int32(all.count), pixels, numbers,
                    source.assumingMemoryBound(to: UInt8.self), image.rowBytes, width, height)
            }
            count = 2 * all.count + 2
        }
        withExtendedLifetime((binary, labels)) {}
    }

    /// Returns for each border the one around it, -1 for none, and nil for borders that do not count.
    ///
    /// A region that does not count becomes a part of what surrounds it, and so does what is directly within it.
    func keptParents(counts: (_ border: Int, _ isHole: Bool) -> Bool) -> [Int32?] {
        var parents = [Int32?](repeating: nil, count: contours.count)
        // The region that the inside of a border became part of: its own, or that of another border, or none (-1).
        var regions = [Int32](repeating: -1, count: contours.count)
        for (index, contour) in contours.enumerated() {
            let around = contour.parent < 0 ? -1 : regions[Int(contour.parent)]
            let isHole = contour.is_hole != 0
            // What is around may have become the same kind of region as this one.
            let isInHole = around < 0 || contours[Int(around)].is_hole != 0
            if isHole != isInHole, counts(index, isHole) {
                parents[index] = around
                regions[index] = Int32(index)
            } else {
                regions[index] = around
            }
        }
        return parents
    }
}

extension ContourTree {
    /// - Parameter parents: The parent of each border that counts; a parent comes before its children.
    fileprivate convenience init(
        _ borders: [cvk_contour], parents: [Int32?], points: [UInt32], of image: Raster,
        aspectRatio: Double
    ) {
        var numbers = [Int32](repeating: -1, count: borders.count)
        var kept: [(border: Int, parent: Int32)] = []
        for (index, parent) in parents.enumerated() {
            guard let parent else { continue }
            numbers[index] = Int32(kept.count)
            kept.append((index, parent < 0 ? -1 : numbers[Int(parent)]))
        }
        self.init(
            width: image.width, height: image.height, aspectRatio: aspectRatio, points: points,
            found: kept.map { border, parent in
                let contour = borders[border]
                return Found(
                    first: Int(contour.first), count: Int(contour.count), parent: Int(parent),
                    isHole: contour.is_hole != 0)
            })
    }
}
