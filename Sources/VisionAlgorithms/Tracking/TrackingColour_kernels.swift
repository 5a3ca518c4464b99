import CVisionKernels
import VisionImage

/// The colours of a square view around a target, 16 levels a component, and the colour features made of them.
final class ColourView {
    /// The channels that describe the colour of a cell: colour names, and the brightness.
    static let channels = Int(CVK_TRACK_NAMES)

    /// The number of cells along a side, each of 2 × 2 points.
    let cells: Int
    /// The number of points along a side.
    let side: Int
    private var points: [UInt16]
    private let integral: FloatBlock

    init(cells: Int) throws {
        precondition(cells > 0 && 2 * cells <= CVK_TRACK_MOST_POINTS)
        self.cells = cells
        side = 2 * cells
        points = Array(repeating: 0, count: side * side)
        integral = try FloatBlock(count: (side + 1) * (side + 1))
    }

    /// Samples the square of side `length` whose top left corner is at (x, y) in the frame.
    func sample(_ frame: ColourWindow, x: Double, y: Double, length: Double) throws {
        let pixels = frame.pixels
        guard let order = pixels.format.componentOrder else {
            throw ImageError.unsupportedFormat("colours cannot be read from \(pixels.format)")
        }
        var view = cvk_track_colour_view(
            x: x - Double(frame.x), y: y - Double(frame.y), step: length / Double(side),
            pixel_bytes: Int32(pixels.format.bytesPerPixel), red: order.red, green: order.green, blue: order.blue)
        let side = Int32(side)
        points.withUnsafeMutableBufferPointer { points in
            guard let points = points.baseAddress else { return }
            pixels.withUnsafePixels {
                cvk_u8_track_colours(
                    points, Int(side) * 2, $0.assumingMemoryBound(to: UInt8.self), pixels.rowBytes,
                    Int32(pixels.width), Int32(pixels.height), side, &view)
            }
        }
    }

    /// Writes all channels to consecutive planes of `result`, from plane `first` on, less their means and multiplied by
    /// `window`.
    func describe(into result: FloatBlock, fromPlane first: Int, window: FloatBlock) {
        let plane = cells * cells, names = ColourNames.table
        precondition(window.count == plane && result.count >= (first + Self.channels) * plane)
        precondition(names.count == Int(CVK_TRACK_COLOURS) * Self.channels)
        points.withUnsafeBufferPointer { points in
            names.withUnsafeBufferPointer { names in
                window.withUnsafeFloats { window in
                    result.withUnsafeFloats {
                        cvk_f32_track_names(
                            $0 + first * plane, plane * 4, points.baseAddress, side * 2, Int32(cells),
                            names.baseAddress, window)
                    }
                }
            }
        }
    }

    /// Writes the sums, from the left, of the colour features of the cells of each row, without a window function.
    ///
    /// - Parameters:
    ///   - sums: Rows of `cells` + 1 corners of cells with `size` vectors each; the first row and column are 0.
    ///   - offset: The index of the first vector of colours.
    func addNames(to sums: UnsafeMutableBufferPointer<SIMD4<Float>>, cells size: Int, offset: Int) {
        let vectors = Self.channels / 4, line = (cells + 1) * size, side = side, cells = cells
        precondition(offset + vectors <= size && sums.count == (cells + 1) * line)
        ColourNames.table.withUnsafeBytes { names in
            points.withUnsafeBufferPointer { points in
                func name(_ point: Int, _ vector: Int) -> SIMD4<Float> {
                    let index = (Int(points[point]) * vectors + vector) * MemoryLayout<SIMD4<Float>>.stride
                    return names.loadUnaligned(fromByteOffset: index, as: SIMD4<Float>.self)
                }
                for row in 0..<cells {
                    var at = (row + 1) * line + size + offset
                    for column in 0..<cells {
                        let point = 2 * (row * side + column)
                        for vector in 0..<vectors {
                            let sum =
                                name(point, vector) + name(point + 1, vector) + name(point + side, vector)
                                + name(point + side + 1, vector)
                            sums[at + vector] = sums[at + vector - size] + sum / 4
                        }
                        at += size
                    }
                }
            }
        }
    }

    /// Updates the colour histograms of a model with the target, which covers `width` × `height` points in the middle,
    /// and its surroundings.
    func update(_ model: ColourModel, width: Double, height: Double, rate: Float) {
        points.withUnsafeBufferPointer { points in
            model.target.withUnsafeFloats { target in
                model.around.withUnsafeFloats { around in
                    cvk_u16_track_histograms(
                        target, around, points.baseAddress, side * 2, Int32(side),
                        Float(width * 0.4), Float(height * 0.4), Float(width * 0.55), Float(height * 0.55), rate)
                }
            }
        }
    }

    /// Computes the probability of each point to belong to the target.
    func findLikelihoods(by model: ColourModel) {
        points.withUnsafeBufferPointer { points in
            model.target.withUnsafeFloats { target in
                model.around.withUnsafeFloats { around in
                    integral.withUnsafeFloats {
                        cvk_u16_track_likelihood(
                            $0, (side + 1) * 4, points.baseAddress, side * 2, Int32(side), target, around)
                    }
                }
            }
        }
    }

    /// Computes response * scale + weight * (mean likelihood of a box of `width` × `height` points around each shift).
    func merge(into response: FloatBlock, width: Double, height: Double, scale: Float, weight: Float) {
        precondition(response.count == cells * cells)
        integral.withUnsafeFloats { integral in
            response.withUnsafeFloats {
                cvk_f32_track_merge(
                    $0, integral, (side + 1) * 4, Int32(cells), Float(width), Float(height), scale,
                    weight)
            }
        }
    }
}

/// The colour histograms of a target and its surroundings.
struct ColourModel {
    let target: FloatBlock
    let around: FloatBlock

    init() throws {
        target = try FloatBlock(count: Int(CVK_TRACK_COLOURS))
        around = try FloatBlock(count: Int(CVK_TRACK_COLOURS))
    }
}

extension Raster.Format {
    /// The offsets of the components in a pixel's bytes; grey is all three.
    fileprivate var componentOrder: (red: Int32, green: Int32, blue: Int32)? {
        switch self {
        case .grey8: (0, 0, 0)
        case .rgb8, .rgba8: (0, 1, 2)
        case .bgr8, .bgra8: (2, 1, 0)
        case .argb8: (1, 2, 3)
        case .greyFloat, .greyHalf, .planarRGBFloat: nil
        }
    }
}
