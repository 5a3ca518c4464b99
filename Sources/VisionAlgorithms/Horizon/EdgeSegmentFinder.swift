import Foundation
package import VisionImage

/// Finds edge segments: regions of neighbouring pixels with similar gradient directions are grown from the steepest
/// pixels on, and those that fill a long narrow rectangle are kept, as in Grompone von Gioi and others, "LSD: a fast
/// line segment detector with a false detection control" (2010). A minimum length replaces that paper's count of false
/// alarms.
package struct EdgeSegmentFinder {
    /// The least brightness change per pixel, in bytes: at flatter edges quantisation changes the direction by more
    /// than the tolerance.
    private static let minimumSlope: Float = 5.2
    /// Squared cosines of the direction tolerances: 22.5°, then 11.25° for regions that follow a curve.
    private static let tolerances: [Float] = [0.853_553_4, 0.961_939_8]
    /// The largest number of pixels that regions are grown from.
    private static let maximumPixels = 24_000
    /// The least part of its rectangle that a region must fill.
    private static let minimumDensity: Float = 0.6

    /// The mean square distance from its axis, in pixels, up to which a region is a line: the steps of a slanted edge
    /// without antialiasing leave half of its rectangle empty.
    private static let lineDeviation: Float = 0.6

    private let width: Int
    private let height: Int
    /// The unit gradients of steep pixels.
    private var directions: [SIMD2<Float>]
    /// The slopes of steep pixels, 8 times the change per pixel (Sobel); 0 for other pixels and along the border.
    private var slopes: [Int16]
    /// The pixels that are in no region yet.
    private var isFree: [Bool]
    /// The indices of steep pixels, steepest first.
    private var order: [Int32] = []

    /// - Precondition: the image is `grey8`.
    package init(_ image: Raster) {
        precondition(image.format == .grey8)
        width = image.width
        height = image.height
        directions = [SIMD2<Float>](repeating: .zero, count: width * height)
        slopes = [Int16](repeating: 0, count: width * height)
        isFree = [Bool](repeating: false, count: width * height)
        guard width >= 3, height >= 3 else { return }
        measure(image)
    }

    private mutating func measure(_ image: Raster) {
        let (width, height) = (width, height)
        let least = Self.minimumSlope * 8
        // A slope is at most 1020 × √2.
        var counts = [Int](repeating: 0, count: 1500)
        var steep: [Int32] = []
        steep.reserveCapacity(width * height / 2)
        let smooth = Self.smoothed(image)
        directions.withUnsafeMutableBufferPointer { directions in
            slopes.withUnsafeMutableBufferPointer { slopes in
                smooth.withUnsafeBufferPointer { smooth in
                    for y in 1..<(height - 1) {
                        for x in 1..<(width - 1) {
                            let index = y * width + x
                            let (above, below) = (index - width, index + width)
                            let (a, b) = (Int32(smooth[above - 1]), Int32(smooth[above + 1]))
                            let (c, d) = (Int32(smooth[below - 1]), Int32(smooth[below + 1]))
                            let across = b + d - a - c + 2 * (Int32(smooth[index + 1]) - Int32(smooth[index - 1]))
                            let down = c + d - a - b + 2 * (Int32(smooth[below]) - Int32(smooth[above]))
                            let gradient = SIMD2(Float(across), Float(down)) / 16
                            let square = (gradient * gradient).sum()
                            guard square >= least * least else { continue }
                            let slope = square.squareRoot()
                            directions[index] = gradient / slope
                            slopes[index] = Int16(slope)
                            counts[Int(slope)] += 1
                            steep.append(Int32(index))
                        }
                    }
                }
            }
        }
        // The steepest `maximumPixels` only: in a highly textured image the flatter ones add nothing.
        var starts = counts
        var sum = 0
        for slope in counts.indices.reversed() {
            starts[slope] = sum
            if sum < Self.maximumPixels { sum += counts[slope] } else { starts[slope] = -1 }
        }
        order = [Int32](repeating: 0, count: sum)
        for index in steep {
            let slope = Int(slopes[Int(index)])
            guard starts[slope] >= 0 else { continue }
            order[starts[slope]] = index
            starts[slope] += 1
            isFree[Int(index)] = true
        }
    }

    /// Returns the image smoothed by a 1-2-1 filter along both axes, times 16, so that the steps of slanted edges do
    /// not break them. The border is replicated.
    private static func smoothed(_ image: Raster) -> [UInt16] {
        let (width, height) = (image.width, image.height)
        var columns = [UInt16](repeating: 0, count: width)
        var smooth = [UInt16](repeating: 0, count: width * height)
        columns.withUnsafeMutableBufferPointer { columns in
            smooth.withUnsafeMutableBufferPointer { smooth in
                image.withUnsafePixels { pixels in
                    for y in 0..<height {
                        let rows = [max(0, y - 1), y, min(height - 1, y + 1)].map {
                            (pixels + $0 * image.rowBytes).assumingMemoryBound(to: UInt8.self)
                        }
                        let (above, row, below) = (rows[0], rows[1], rows[2])
                        for x in 0..<width {
                            columns[x] = UInt16(above[x]) + 2 * UInt16(row[x]) + UInt16(below[x])
                        }
                        let line = y * width
                        for x in 1..<(width - 1) { smooth[line + x] = columns[x - 1] + 2 * columns[x] + columns[x + 1] }
                        smooth[line] = 3 * columns[0] + columns[1]
                        smooth[line + width - 1] = 3 * columns[width - 1] + columns[width - 2]
                    }
                }
            }
        }
        return smooth
    }

    /// Returns the segments of at least that length in pixels, in the order of the steepest pixel.
    package mutating func segments(atLeast length: Float) -> [EdgeSegment] {
        var segments: [EdgeSegment] = []
        var region: [Int32] = []
        let fewest = max(8, Int(length))
        for seed in order where isFree[Int(seed)] {
            for tolerance in Self.tolerances {
                grow(from: seed, tolerance, into: &region)
                guard region.count >= fewest else { break }
                var shape = fit(region)
                if tolerance == Self.tolerances.last {
                    // Keep the straight part of a curve around the steepest pixel.
                    while !shape.isStraight, region.count >= fewest {
                        shrink(&region, around: seed, from: shape)
                        shape = fit(region)
                    }
                }
                if shape.isStraight {
                    if region.count >= fewest, shape.segment.length >= length { segments.append(shape.segment) }
                    break
                }
                if tolerance != Self.tolerances.last { release(region) }
            }
        }
        return segments
    }

    private mutating func release(_ region: [Int32]) {
        for index in region { isFree[Int(index)] = true }
    }

    /// Collects the free pixels that are connected with the seed and whose gradients are near the region's mean
    /// direction.
    private mutating func grow(from seed: Int32, _ tolerance: Float, into region: inout [Int32]) {
        let width = width
        region.removeAll(keepingCapacity: true)
        region.append(seed)
        isFree[Int(seed)] = false
        directions.withUnsafeBufferPointer { directions in
            isFree.withUnsafeMutableBufferPointer { isFree in
                var sum = directions[Int(seed)]
                var least = tolerance
                var next = 0
                while next < region.count {
                    let index = Int(region[next])
                    next += 1
                    // Pixels of the border are never free, so a region's pixels have all eight neighbours.
                    for row in -1...1 {
                        let centre = index + row * width
                        for neighbour in (centre - 1)...(centre + 1) where isFree[neighbour] {
                            let direction = directions[neighbour]
                            let product = (direction * sum).sum()
                            guard product > 0, product * product >= least else { continue }
                            isFree[neighbour] = false
                            region.append(Int32(neighbour))
                            sum += direction
                            least = tolerance * (sum * sum).sum()
                        }
                    }
                }
            }
        }
    }

    private struct Shape {
        var segment: EdgeSegment
        /// Whether the region fills its rectangle, or is about one pixel wide.
        var isStraight: Bool
    }

    /// Fits a rectangle to a region: its longer axis is that of the second moments, weighted by slope.
    private func fit(_ region: [Int32]) -> Shape {
        var (weight, first, second, mixed) = (Float(0), SIMD2<Float>.zero, SIMD2<Float>.zero, Float(0))
        var slope = SIMD2<Float>.zero
        // Relative to the first pixel, which keeps the sums small and exact.
        let base = region.first.map { point(of: $0) } ?? .zero
        for index in region {
            let steepness = Float(slopes[Int(index)])
            let offset = point(of: index) - base
            weight += steepness
            first += steepness * offset
            second += steepness * offset * offset
            mixed += steepness * offset.x * offset.y
            slope += directions[Int(index)]
        }
        guard weight > 0 else { return Shape(segment: .init(start: base, end: base), isStraight: true) }
        let mean = first / weight
        let spread = second / weight - mean * mean
        let angle = atan2(2 * (mixed / weight - mean.x * mean.y), spread.x - spread.y) / 2
        var along = SIMD2(cos(angle), sin(angle))
        // The brighter side is on the right.
        if along.x * slope.y - along.y * slope.x < 0 { along = -along }
        var (from, to, left, right) = (Float(0), Float(0), Float(0), Float(0))
        for index in region {
            let offset = point(of: index) - base - mean
            let (length, across) = ((offset * along).sum(), offset.y * along.x - offset.x * along.y)
            (from, to) = (min(from, length), max(to, length))
            (left, right) = (min(left, across), max(right, across))
        }
        let middle = base + mean
        let density = Float(region.count) / ((to - from + 1) * (right - left + 1))
        let across = SIMD2(-along.y, along.x)
        let deviation =
            (across * across * spread).sum() + 2 * across.x * across.y * (mixed / weight - mean.x * mean.y)
        return Shape(
            segment: .init(start: middle + from * along, end: middle + to * along),
            isStraight: density >= Self.minimumDensity || deviation <= Self.lineDeviation)
    }

    /// Removes the pixels that are farther from the seed than three quarters of the region's reach.
    private mutating func shrink(_ region: inout [Int32], around seed: Int32, from shape: Shape) {
        let centre = point(of: seed)
        let ends = [shape.segment.start - centre, shape.segment.end - centre].map { ($0 * $0).sum() }
        let limit = 0.5625 * max(ends[0], ends[1])
        var kept: [Int32] = []
        for index in region {
            let offset = point(of: index) - centre
            if (offset * offset).sum() <= limit { kept.append(index) } else { isFree[Int(index)] = true }
        }
        // If no pixel is removed, the region is effectively a point.
        region = kept.count < region.count ? kept : [seed]
    }

    private func point(of index: Int32) -> SIMD2<Float> {
        SIMD2(Float(Int(index) % width) + 0.5, Float(Int(index) / width) + 0.5)
    }
}
