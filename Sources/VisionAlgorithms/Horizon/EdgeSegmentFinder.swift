import Foundation
package import VisionImage

/// Finds straight edges: regions of neighbouring pixels whose gradients point the same way are grown from the steepest
/// pixels on, and those that fill a long narrow rectangle are kept, as in Grompone von Gioi and others, "LSD: a fast line
/// segment detector with a false detection control" (2010). Instead of counting false alarms, a length is asked for.
package struct EdgeSegmentFinder {
    /// The least change of brightness from pixel to pixel, in bytes: quantisation turns what is flatter by more than the
    /// tolerance.
    private static let leastSlope: Float = 5.2
    /// Squared cosines of the tolerances of direction: 22.5°, and 11.25° where that gives a curve.
    private static let tolerances: [Float] = [0.853_553_4, 0.961_939_8]
    /// The most pixels that regions are grown from.
    private static let mostPixels = 24_000
    /// The least part of its rectangle that a region fills.
    private static let leastDensity: Float = 0.6

    /// The mean square of the distances from its axis, in pixels, up to which a region is a line: the teeth of a slanted edge
    /// that is drawn without blur leave half of its rectangle empty.
    private static let lineDeviation: Float = 0.6

    private let width: Int
    private let height: Int
    /// The directions of steep pixels' gradients, of length 1.
    private var directions: [SIMD2<Float>]
    /// Their slopes, 8 times the change from pixel to pixel (Sobel); 0 for pixels that are not steep and along the border.
    private var slopes: [Int16]
    /// Pixels that no region has yet.
    private var isFree: [Bool]
    /// The places of steep pixels, steepest first.
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
        let least = Self.leastSlope * 8
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
                            let place = y * width + x
                            let (above, below) = (place - width, place + width)
                            let (a, b) = (Int32(smooth[above - 1]), Int32(smooth[above + 1]))
                            let (c, d) = (Int32(smooth[below - 1]), Int32(smooth[below + 1]))
                            let across = b + d - a - c + 2 * (Int32(smooth[place + 1]) - Int32(smooth[place - 1]))
                            let down = c + d - a - b + 2 * (Int32(smooth[below]) - Int32(smooth[above]))
                            let gradient = SIMD2(Float(across), Float(down)) / 16
                            let square = (gradient * gradient).sum()
                            guard square >= least * least else { continue }
                            let slope = square.squareRoot()
                            directions[place] = gradient / slope
                            slopes[place] = Int16(slope)
                            counts[Int(slope)] += 1
                            steep.append(Int32(place))
                        }
                    }
                }
            }
        }
        // The slopes that so many pixels have at least: what is flatter in a picture full of texture says nothing.
        var starts = counts
        var sum = 0
        for slope in counts.indices.reversed() {
            starts[slope] = sum
            if sum < Self.mostPixels { sum += counts[slope] } else { starts[slope] = -1 }
        }
        order = [Int32](repeating: 0, count: sum)
        for place in steep {
            let slope = Int(slopes[Int(place)])
            guard starts[slope] >= 0 else { continue }
            order[starts[slope]] = place
            starts[slope] += 1
            isFree[Int(place)] = true
        }
    }

    /// The picture, 16 times as bright, each pixel mixed with its neighbours by 1, 2 and 1 along both axes: so the teeth of
    /// slanted edges do not break them. At the border the
    /// picture goes on as it ends.
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

    /// The segments of at least that many pixels, from the steepest on.
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
                    // A curve's straight part around the steepest pixel.
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
        for place in region { isFree[Int(place)] = true }
    }

    /// The free pixels that hang together with the seed and whose gradients point as those of the region on average.
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
                    let place = Int(region[next])
                    next += 1
                    // Pixels of the border are never free, so a region's pixels have all eight neighbours.
                    for row in -1...1 {
                        let centre = place + row * width
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
        /// Whether the region fills its rectangle, or is hardly more than a line.
        var isStraight: Bool
    }

    /// The narrow rectangle around a region: its longer axis is that of the slopes' moments.
    private func fit(_ region: [Int32]) -> Shape {
        var (weight, first, second, mixed) = (Float(0), SIMD2<Float>.zero, SIMD2<Float>.zero, Float(0))
        var slope = SIMD2<Float>.zero
        // From the first pixel on, which keeps the sums small and exact.
        let base = region.first.map { point(of: $0) } ?? .zero
        for place in region {
            let steepness = Float(slopes[Int(place)])
            let offset = point(of: place) - base
            weight += steepness
            first += steepness * offset
            second += steepness * offset * offset
            mixed += steepness * offset.x * offset.y
            slope += directions[Int(place)]
        }
        guard weight > 0 else { return Shape(segment: .init(start: base, end: base), isStraight: true) }
        let mean = first / weight
        let spread = second / weight - mean * mean
        let angle = atan2(2 * (mixed / weight - mean.x * mean.y), spread.x - spread.y) / 2
        var along = SIMD2(cos(angle), sin(angle))
        // Brighter on the right, which is where y grows when x does.
        if along.x * slope.y - along.y * slope.x < 0 { along = -along }
        var (from, to, left, right) = (Float(0), Float(0), Float(0), Float(0))
        for place in region {
            let offset = point(of: place) - base - mean
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
            isStraight: density >= Self.leastDensity || deviation <= Self.lineDeviation)
    }

    /// Leaves the pixels within three quarters of the distance that the region reaches from the seed.
    private mutating func shrink(_ region: inout [Int32], around seed: Int32, from shape: Shape) {
        let centre = point(of: seed)
        let ends = [shape.segment.start - centre, shape.segment.end - centre].map { ($0 * $0).sum() }
        let limit = 0.5625 * max(ends[0], ends[1])
        var kept: [Int32] = []
        for place in region {
            let offset = point(of: place) - centre
            if (offset * offset).sum() <= limit { kept.append(place) } else { isFree[Int(place)] = true }
        }
        // Where nothing goes, the region is as good as a point.
        region = kept.count < region.count ? kept : [seed]
    }

    private func point(of place: Int32) -> SIMD2<Float> {
        SIMD2(Float(Int(place) % width) + 0.5, Float(Int(place) / width) + 0.5)
    }
}
