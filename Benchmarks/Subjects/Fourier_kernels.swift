import CVisionKernels

/// A planned transform with memory for its input, its spectrum and its scratch space.
final class PlannedTransform {
    struct NoPlan: Error, CustomStringConvertible {
        let description: String
    }

    let width: Int
    let height: Int
    let count: Int
    private let plan: UnsafeMutableRawBufferPointer
    private let work: UnsafeMutableRawBufferPointer
    private let image: UnsafeMutableRawBufferPointer
    private let spectrum: UnsafeMutableRawBufferPointer
    // Rows of the spectrum start at multiples of 64 bytes, as a raster's do.
    private let spectrumStride: Int

    private var imageStride: Int { width * 4 }
    private var planeBytes: Int { spectrumStride * height }

    /// - Parameters:
    ///   - pixels: `count` images of `width` × `height` without padding.
    /// - Throws: `NoPlan` for a size without a plan.
    init(width: Int, height: Int, count: Int = 1, pixels: [Float]) throws {
        let planSize = cvk_fft_plan_size(Int32(width), Int32(height))
        guard planSize > 0 else { throw NoPlan(description: "no Fourier transform of \(width) x \(height)") }
        precondition(count > 0 && pixels.count == width * height * count)
        self.width = width
        self.height = height
        self.count = count
        spectrumStride = ((width / 2 + 1) * 4 + 63) / 64 * 64
        plan = .allocate(byteCount: planSize, alignment: 64)
        cvk_fft_plan_init(plan.baseAddress?.assumingMemoryBound(to: cvk_fft_plan.self), Int32(width), Int32(height))
        let planned = UnsafePointer(plan.baseAddress?.assumingMemoryBound(to: cvk_fft_plan.self))
        work = .allocate(byteCount: cvk_fft_work_size(planned), alignment: 64)
        image = .allocate(byteCount: width * 4 * height * count, alignment: 64)
        spectrum = .allocate(byteCount: 2 * spectrumStride * height * count, alignment: 64)
        pixels.withUnsafeBytes { image.copyMemory(from: $0) }
        spectrum.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        [plan, work, image, spectrum].forEach { $0.deallocate() }
    }

    func forward() {
        guard let image = image.baseAddress?.assumingMemoryBound(to: Float.self), let planes else { return }
        cvk_f32_fft2_forward(
            planes.real, planes.imaginary, spectrumStride, 2 * planeBytes, image, imageStride, imageStride * height,
            Int32(count), plan.baseAddress?.assumingMemoryBound(to: cvk_fft_plan.self), work.baseAddress)
    }

    /// Transforms the spectrum back into the image; the spectrum is lost.
    func inverse() {
        guard let image = image.baseAddress?.assumingMemoryBound(to: Float.self), let planes else { return }
        cvk_f32_fft2_inverse(
            image, imageStride, imageStride * height, planes.real, planes.imaginary, spectrumStride, 2 * planeBytes,
            Int32(count), plan.baseAddress?.assumingMemoryBound(to: cvk_fft_plan.self), work.baseAddress)
    }

    /// Real parts of all rows without padding, then imaginary parts, of the first image.
    var spectrumValues: [Float] {
        var values: [Float] = []
        for row in 0..<(2 * height) {
            for column in 0...(width / 2) {
                values.append(spectrum.load(fromByteOffset: row * spectrumStride + column * 4, as: Float.self))
            }
        }
        return values
    }

    /// Each image has its real plane, then its imaginary plane.
    private var planes: (real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>)? {
        guard let base = spectrum.baseAddress else { return nil }
        return (
            base.assumingMemoryBound(to: Float.self), (base + planeBytes).assumingMemoryBound(to: Float.self)
        )
    }
}
