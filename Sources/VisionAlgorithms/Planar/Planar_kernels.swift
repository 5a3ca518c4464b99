import CVisionKernels
package import VisionImage

/// A grey image at 1, 1/2, 1/4 … of its size, each level the mean of 2 × 2 pixels of the one before. All levels but the
/// first have at least 8 × 8 pixels.
package struct PlanarPyramid: Sendable {
    package let levels: [Raster]

    package init(_ frame: Raster, most: Int = 8) throws {
        precondition(frame.format == .grey8)
        var levels = [frame]
        while levels.count < most, let last = levels.last, last.width >= 16, last.height >= 16 {
            levels.append(
                try Raster(width: last.width / 2, height: last.height / 2, format: .grey8) { pixels, rowBytes in
                    last.withUnsafePixels { source in
                        cvk_u8_halve_c1(
                            pixels.assumingMemoryBound(to: UInt8.self), rowBytes,
                            source.assumingMemoryBound(to: UInt8.self), last.rowBytes, Int32(last.width / 2),
                            Int32(last.height / 2))
                    }
                })
        }
        self.levels = levels
    }

    package var width: Int { levels[0].width }
    package var height: Int { levels[0].height }

    /// Returns the level whose pixels are nearest in size to `step` pixels of the image.
    func level(forStep step: Double) -> Int {
        var level = 0
        while level < levels.count - 1, step > 1.42 * Double(1 << level) { level += 1 }
        return level
    }
}

/// A dense patch of samples, with a mask of those within the image.
final class PlanarPatch {
    static let cell = Int(CVK_PLANAR_CELL)
    static let most = Int(CVK_PLANAR_MOST)
    /// The number of sums of a cell, in the order of `cvk_f32_planar_cells`.
    static let cellSums = Int(CVK_PLANAR_CELL_SUMS)

    let columns: Int
    let rows: Int
    let values: FloatBlock
    let inside: FloatBlock

    init(columns: Int, rows: Int) throws {
        precondition(columns > 0 && columns <= Self.most && columns % Self.cell == 0)
        precondition(rows > 0 && rows <= Self.most && rows % Self.cell == 0)
        self.columns = columns
        self.rows = rows
        values = try FloatBlock(count: columns * rows)
        inside = try FloatBlock(count: columns * rows)
    }

    var cells: Int { columns * rows / (Self.cell * Self.cell) }

    /// Samples one level of a pyramid: sample (i, j) is the grey at the point, in pixels of the whole image, to which
    /// `map` maps the centre of its part of the square from -1 to 1.
    func sample(_ pyramid: PlanarPyramid, level: Int, map: Homography) {
        let raster = pyramid.levels[level]
        guard raster.width >= 2, raster.height >= 2, raster.width < 1 << 24, map.isFinite else {
            values.fill(with: 0)
            inside.fill(with: 0)
            return
        }
        let shrink = 1 / Double(1 << level)
        let (c, r) = (Double(columns), Double(rows))
        let patchMap =
            Homography([shrink, 0, -0.5], [0, shrink, -0.5], [0, 0, 1]) * map
            * Homography([2 / c, 0, 1 / c - 1], [0, 2 / r, 1 / r - 1], [0, 0, 1])
        var kernelMap = patchMap.kernelMap
        raster.withUnsafePixels { pixels in
            values.withUnsafeFloats { values in
                inside.withUnsafeFloats { inside in
                    cvk_u8_planar_sample(
                        values, inside, pixels.assumingMemoryBound(to: UInt8.self), raster.rowBytes,
                        Int32(raster.width), Int32(raster.height), Int32(columns), Int32(rows), &kernelMap)
                }
            }
        }
    }

    /// Computes the sums of each cell of an image of this patch's samples and a model of the same size.
    func cellSums(of image: FloatBlock, against model: FloatBlock, into sums: FloatBlock) {
        precondition(image.count == values.count && model.count == values.count)
        precondition(sums.count >= cells * Self.cellSums)
        image.withUnsafeFloats { image in
            inside.withUnsafeFloats { inside in
                model.withUnsafeFloats { model in
                    sums.withUnsafeFloats {
                        cvk_f32_planar_cells($0, image, model, inside, Int32(columns), Int32(rows))
                    }
                }
            }
        }
    }

    /// Adjusts an image of this patch's samples to other illumination: `gain` and `bias` have an element a cell.
    func relight(_ image: FloatBlock, gain: [Float], bias: [Float], into result: FloatBlock) {
        precondition(result.count == values.count && image.count == values.count)
        precondition(gain.count == cells && bias.count == cells)
        image.withUnsafeFloats { image in
            result.withUnsafeFloats { result in
                gain.withUnsafeBufferPointer { gain in
                    bias.withUnsafeBufferPointer { bias in
                        cvk_f32_planar_relight(
                            result, image, Int32(columns), Int32(rows), gain.baseAddress, bias.baseAddress)
                    }
                }
            }
        }
    }
}

/// Compares patches with a model and computes the moments of the moves that would align them.
final class PlanarComparison {
    static let momentCount = 57
    private let mean: FloatBlock
    private let residual: FloatBlock
    private let weight: FloatBlock

    init(columns: Int, rows: Int) throws {
        mean = try FloatBlock(count: columns * rows)
        residual = try FloatBlock(count: columns * rows)
        weight = try FloatBlock(count: columns * rows)
    }

    /// Returns the moments of an alignment step for an image of the samples of `patch`; `cells` has a weight a cell.
    func moments(
        of image: FloatBlock, patch: PlanarPatch, model: FloatBlock, cells: [Float], cutoff: Float
    ) -> [Double] {
        precondition(Self.momentCount == 3 * 15 + 2 * 6)
        precondition(model.count == mean.count && image.count == mean.count && patch.values.count == mean.count)
        precondition(cells.count == patch.cells && cutoff > 0)
        var result = [Double](repeating: 0, count: Self.momentCount)
        let (columns, rows) = (Int32(patch.columns), Int32(patch.rows))
        mean.withUnsafeFloats { mean in
            residual.withUnsafeFloats { residual in
                weight.withUnsafeFloats { weight in
                    image.withUnsafeFloats { image in
                        patch.inside.withUnsafeFloats { inside in
                            model.withUnsafeFloats { model in
                                cells.withUnsafeBufferPointer {
                                    cvk_f32_planar_residual(
                                        mean, residual, weight, image, model, inside, columns, rows, $0.baseAddress,
                                        cutoff)
                                }
                            }
                        }
                    }
                    result.withUnsafeMutableBufferPointer { result in
                        guard let address = result.baseAddress else { return }
                        cvk_f32_planar_moments(address, mean, residual, weight, columns, rows)
                    }
                }
            }
        }
        return result
    }
}

/// The corners of one level of a pyramid: pixels that differ from their surroundings in all directions.
struct PlanarCorners {
    struct Corner {
        var x: Int
        var y: Int
        var score: UInt8
    }

    /// The largest number of corners in one image.
    private static let most = 1 << 14

    /// The corner score of each pixel; nil for images that are too small to have corners.
    private let scores: Raster?

    init(_ raster: Raster) throws {
        precondition(raster.format == .grey8)
        let (width, height) = (Int32(clamping: raster.width), Int32(clamping: raster.height))
        guard width >= 7, height >= 7, width < 1 << 15, height < 1 << 15 else {
            scores = nil
            return
        }
        scores = try Raster(width: raster.width, height: raster.height, format: .grey8) { scores, rowBytes in
            raster.withUnsafePixels { pixels in
                cvk_u8_corner_score(
                    scores.assumingMemoryBound(to: UInt8.self), rowBytes, pixels.assumingMemoryBound(to: UInt8.self),
                    raster.rowBytes, width, height)
            }
        }
    }

    /// Returns the pixels whose score is at least `least` grey levels and a local maximum, in image order.
    func corners(least: UInt8) -> [Corner] {
        precondition(least > 0)
        guard let scores else { return [] }
        let (width, height) = (scores.width, scores.height)
        return scores.withUnsafePixels { pixels in
            let bytes = pixels.assumingMemoryBound(to: UInt8.self)
            let indices = [Int32](unsafeUninitializedCapacity: Self.most + 1) { indices, count in
                guard let address = indices.baseAddress else { return }
                address.pointee = 0
                cvk_u8_local_maxima(
                    address, Int32(Self.most), bytes, scores.rowBytes, Int32(width), Int32(height), Int32(least))
                count = Int(address.pointee) + 1
            }
            return indices.dropFirst().map { index in
                let (y, x) = Int(index).quotientAndRemainder(dividingBy: width)
                return Corner(x: x, y: y, score: bytes[y * scores.rowBytes + x])
            }
        }
    }
}

/// A value for each colour, indexed by the upper five bits of red, green and blue.
struct ColourTable: Sendable {
    static let count = 1 << 15
    let values: [UInt8]

    /// - Precondition: `values` has `count` elements: red in the highest bits of the index, blue in the lowest.
    init(values: [UInt8]) {
        precondition(values.count == Self.count)
        self.values = values
    }

    /// Returns the index of a colour.
    static func index(red: UInt8, green: UInt8, blue: UInt8) -> Int {
        Int(red >> 3) << 10 | Int(green >> 3) << 5 | Int(blue >> 3)
    }

    /// Returns the offsets of red, green and blue in a pixel; nil for formats that are not bytes.
    static func channels(of format: Raster.Format) -> (red: Int, green: Int, blue: Int)? {
        switch format {
        case .rgb8, .rgba8: (0, 1, 2)
        case .bgr8, .bgra8: (2, 1, 0)
        case .argb8: (1, 2, 3)
        case .grey8: (0, 0, 0)
        case .greyFloat, .greyHalf, .planarRGBFloat: nil
        }
    }

    /// Returns the values of all pixels of a raster in colour.
    func map(_ raster: Raster) throws -> Raster {
        guard let channels = Self.channels(of: raster.format) else {
            throw TrackingError.unsupportedFrame("Tracking by colour needs frames in colour, not \(raster.format)")
        }
        return try Raster(width: raster.width, height: raster.height, format: .grey8) { result, rowBytes in
            raster.withUnsafePixels { pixels in
                values.withUnsafeBufferPointer { values in
                    var order: (Int32, Int32, Int32) = (
                        Int32(channels.red), Int32(channels.green), Int32(channels.blue)
                    )
                    withUnsafeBytes(of: &order) { order in
                        cvk_u8_colour_lookup(
                            result.assumingMemoryBound(to: UInt8.self), rowBytes,
                            pixels.assumingMemoryBound(to: UInt8.self), raster.rowBytes, Int32(raster.width),
                            Int32(raster.height), Int32(raster.format.bytesPerPixel),
                            order.assumingMemoryBound(to: Int32.self).baseAddress, values.baseAddress)
                    }
                }
            }
        }
    }
}

extension Homography {
    /// The map as kernels take it.
    var kernelMap: cvk_planar_map {
        cvk_planar_map(m: (row0.x, row0.y, row0.z, row1.x, row1.y, row1.z, row2.x, row2.y, row2.z))
    }
}
