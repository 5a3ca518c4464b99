import CVisionKernels
import VisionImage

/// The Fourier transforms of a tracker's small images, between float blocks.
struct TrackingTransform: Sendable {
    private let plan: FourierPlan
    /// The size of the work buffer of a transform, in floats.
    let workCount: Int

    /// Creates transforms of real `width` × `height` images, or of columns of length `height` if `width` is 0.
    init(width: Int, height: Int) throws {
        plan = try FourierPlan.shared(width: width, height: height)
        workCount = (plan.workBytes + 3) / 4
    }

    private var width: Int { plan.width }
    private var height: Int { plan.height }

    /// The number of frequencies of one image.
    var frequencies: Int { height * (width / 2 + 1) }

    func forward(_ images: FloatBlock, to spectra: ComplexBlock, count: Int, work: FloatBlock) {
        precondition(images.count >= count * width * height && spectra.count >= count * frequencies)
        withUnsafeMemory(images, spectra, work) { plan, images, real, imaginary, work in
            cvk_f32_fft2_forward(
                real, imaginary, (width / 2 + 1) * 4, frequencies * 4, images, width * 4, width * height * 4,
                Int32(count), plan, work)
        }
    }

    /// Computes the inverse transform. The contents of `spectra` are destroyed.
    func inverse(_ spectra: ComplexBlock, to images: FloatBlock, count: Int, work: FloatBlock) {
        precondition(images.count >= count * width * height && spectra.count >= count * frequencies)
        withUnsafeMemory(images, spectra, work) { plan, images, real, imaginary, work in
            cvk_f32_fft2_inverse(
                images, width * 4, width * height * 4, real, imaginary, (width / 2 + 1) * 4, frequencies * 4,
                Int32(count), plan, work)
        }
    }

    /// Transforms each of `columns` columns of real numbers; all `height` frequencies are written.
    func columns(_ rows: FloatBlock, to spectra: ComplexBlock, columns: Int, work: FloatBlock) {
        precondition(width == 0 && rows.count >= columns * height && spectra.count >= columns * height)
        withUnsafeMemory(rows, spectra, work) { plan, rows, real, imaginary, work in
            cvk_f32_fft_columns(real, imaginary, columns * 4, rows, nil, columns * 4, Int32(columns), 0, plan, work)
        }
    }

    private typealias Floats = UnsafeMutablePointer<Float>

    private func withUnsafeMemory(
        _ images: FloatBlock, _ spectra: ComplexBlock, _ work: FloatBlock,
        _ closure: (UnsafePointer<cvk_fft_plan>, Floats, Floats, Floats, Floats) -> Void
    ) {
        precondition(work.count >= workCount)
        plan.withUnsafePlan { plan in
            images.withUnsafeFloats { images in
                spectra.withUnsafeFloats { real, imaginary in
                    work.withUnsafeFloats { closure(plan, images, real, imaginary, $0) }
                }
            }
        }
    }
}

extension ComplexBlock {
    func withUnsafeFloats(_ closure: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void) {
        real.withUnsafeFloats { real in imaginary.withUnsafeFloats { closure(real, $0) } }
    }

    /// Moves every element towards `other`: new = old + rate * (other - old).
    func blend(with other: ComplexBlock, rate: Float) {
        precondition(other.count >= count)
        withUnsafeFloats { real, imaginary in
            other.withUnsafeFloats { otherReal, otherImaginary in
                cvk_f32_track_blend(real, otherReal, Int32(count), rate)
                cvk_f32_track_blend(imaginary, otherImaginary, Int32(count), rate)
            }
        }
    }

    /// Computes, for each of the first `rows` rows, the sum of conj(self) * other.
    func dot(_ other: ComplexBlock, columns: Int, rows: Int, into result: ComplexBlock) {
        precondition(count >= columns * rows && other.count >= columns * rows && result.count >= rows)
        withUnsafeFloats { real, imaginary in
            other.withUnsafeFloats { otherReal, otherImaginary in
                result.withUnsafeFloats {
                    cvk_f32_track_dot(
                        $0, $1, real, imaginary, otherReal, otherImaginary, Int32(columns), Int32(rows))
                }
            }
        }
    }

    /// Multiplies a row of `columns` numbers by the complex number (cosine, sine) of modulus 1.
    func rotate(row: Int, columns: Int, cosine: Float, sine: Float) {
        precondition(row >= 0 && columns >= 0 && (row + 1) * columns <= count)
        withUnsafeFloats { real, imaginary in
            let real = real + row * columns, imaginary = imaginary + row * columns
            for index in 0..<columns {
                let (re, im) = (real[index], imaginary[index])
                real[index] = re * cosine - im * sine
                imaginary[index] = re * sine + im * cosine
            }
        }
    }

    /// Computes the response of this filter to `features`, summed over the channels.
    func respond(to features: ComplexBlock, channels: Int, into result: ComplexBlock) {
        precondition(features.count == count && result.count * channels == count)
        withUnsafeFloats { real, imaginary in
            features.withUnsafeFloats { featuresReal, featuresImaginary in
                result.withUnsafeFloats {
                    cvk_f32_track_respond(
                        $0, $1, real, imaginary, featuresReal, featuresImaginary, Int32(result.count),
                        Int32(channels))
                }
            }
        }
    }

    /// Replaces this prior filter by the nearby one whose response to `features` is `wanted`.
    func solve(_ features: ComplexBlock, wanted: FloatBlock, channels: Int, penalty: Float, work: FloatBlock) {
        precondition(features.count == count && wanted.count * channels == count && penalty > 0)
        precondition(work.count >= 3 * wanted.count)
        withUnsafeFloats { real, imaginary in
            features.withUnsafeFloats { featuresReal, featuresImaginary in
                wanted.withUnsafeFloats { wanted in
                    work.withUnsafeFloats { work in
                        cvk_f32_track_solve(
                            real, imaginary, featuresReal, featuresImaginary, wanted, Int32(count / channels),
                            Int32(channels), penalty, work)
                    }
                }
            }
        }
    }
}

extension FloatBlock {
    /// Returns the dot product with `other`.
    func dot(_ other: FloatBlock) -> Float {
        precondition(count == other.count)
        var sum: Float = 0, imaginary: Float = 0
        withUnsafeFloats { one in
            // The blocks serve as both the real and the imaginary parts: the product's real part is then twice the sum.
            other.withUnsafeFloats {
                cvk_f32_track_dot(&sum, &imaginary, one, one, $0, $0, Int32(count), 1)
            }
        }
        return sum / 2
    }

    /// Copies a rectangle from each of the first `planes` planes of `other`, which has `all` planes with `rowLength`
    /// floats a row.
    func gather(from other: FloatBlock, rows: Range<Int>, columns: Range<Int>, rowLength: Int, planes: Int, of all: Int)
    {
        precondition(planes <= all)
        let plane = other.count / all
        precondition(rows.lowerBound >= 0 && columns.lowerBound >= 0 && columns.upperBound <= rowLength)
        precondition(rows.upperBound * rowLength <= plane && count == rows.count * columns.count * planes)
        withUnsafeFloats { floats in
            other.withUnsafeFloats { from in
                var index = 0
                for start in stride(from: 0, to: planes * plane, by: plane) {
                    for row in rows {
                        for column in columns {
                            floats[index] = from[start + row * rowLength + column]
                            index += 1
                        }
                    }
                }
            }
        }
    }

    /// Multiplies each of the first `planes` planes by `weight`.
    func weigh(by weight: FloatBlock, planes: Int) {
        precondition(count == weight.count * planes)
        withUnsafeFloats { floats in
            weight.withUnsafeFloats { cvk_f32_track_weigh(floats, $0, Int32(weight.count), Int32(planes)) }
        }
    }
}

/// Patches of one size, sampled side by side, and their gradient features.
struct PatchFeatures {
    /// The number of orientation bins.
    static let channels = Int(CVK_TRACK_BINS)
    /// The side of a cell in pixels.
    static let cell = Int(CVK_TRACK_CELL)

    let columns: Int
    let rows: Int
    let patches: Int
    private let window: FloatBlock
    /// The sizes of the sample buffer and the work buffer, in floats.
    let sampleCount: Int
    let workCount: Int

    /// Creates patches whose window function at (column, row, patch) is `weight`.
    init(columns: Int, rows: Int, patches: Int, weight: (Int, Int, Int) -> Float) throws {
        precondition(columns > 0 && rows > 0 && patches > 0)
        precondition(columns <= CVK_TRACK_MOST_CELLS && rows <= CVK_TRACK_MOST_CELLS)
        self.columns = columns
        self.rows = rows
        self.patches = patches
        let elements = (columns + 2) * patches
        sampleCount = elements * Self.cell * rows * Self.cell
        window = try FloatBlock(count: elements * rows)
        workCount = cvk_track_cells_work(Int32(columns), Int32(rows), Int32(patches))
        for row in 0..<rows {
            for patch in 0..<patches {
                for column in 0..<columns {
                    window[row * elements + patch * (columns + 2) + column + 1] = weight(column, row, patch)
                }
            }
        }
    }

    /// Samples the part of a grey frame that `box` covers.
    func sample(_ frame: Raster, box: PixelRegion, patch: Int, into samples: FloatBlock) {
        precondition(frame.format == .grey8 && patch >= 0 && patch < patches && samples.count >= sampleCount)
        let elements = (columns + 2) * patches
        let stepX = box.width / Double(columns * Self.cell), stepY = box.height / Double(rows * Self.cell)
        var view = cvk_track_view(
            x: box.x + (stepX - 1) / 2, y: box.y + (stepY - 1) / 2, step_x: stepX, step_y: stepY,
            phase_stride: Int32(elements))
        frame.withUnsafePixels { pixels in
            samples.withUnsafeFloats { samples in
                cvk_u8_track_sample(
                    samples + patch * (columns + 2), elements * Self.cell * 4,
                    pixels.assumingMemoryBound(to: UInt8.self), frame.rowBytes, Int32(frame.width),
                    Int32(frame.height), Int32(columns), Int32(rows), &view)
            }
        }
    }

    /// Computes the features of the sampled patches: for each patch the planes of all channels, each `rows` ×
    /// `columns`.
    func features(of samples: FloatBlock, into result: FloatBlock, work: FloatBlock) {
        precondition(samples.count >= sampleCount && work.count >= workCount)
        let plane = columns * rows, elements = (columns + 2) * patches
        precondition(result.count >= plane * Self.channels * patches)
        samples.withUnsafeFloats { samples in
            window.withUnsafeFloats { window in
                work.withUnsafeFloats { work in
                    result.withUnsafeFloats {
                        cvk_f32_track_cells(
                            $0, plane * 4, plane * Self.channels * 4, samples, elements * Self.cell * 4,
                            Int32(columns), Int32(rows), Int32(patches), window, work)
                    }
                }
            }
        }
    }
}
