import CVisionKernels
import Foundation
import VisionImage

/// A peak of the correlation: the shift of the content in the floating image.
struct CorrelationPeak {
    var x: Int
    var y: Int
    var value: Float
    /// The height relative to the typical value: the mean of the maxima of blocks of 64 columns.
    var prominence: Float
}

/// The buffers of a correlator, and its kernel calls.
final class CorrelationWorkspace: @unchecked Sendable {
    // Unchecked: all mutable state is accessed with the lock held.

    private let width: Int
    private let height: Int
    private let plan: FourierPlan
    private let planeRowBytes: Int
    private let planeBytes: Int
    private let windowX: [Float]
    private let windowY: [Float]
    private let floor: Float
    private let pool: PlanePool
    private let lock = NSLock()
    /// The buffers: work memory of the transforms, cross power, correlation, its maxima by 64 columns, a row of floats.
    private let work: PixelMemory
    private let power: PixelMemory
    private let correlation: PixelMemory
    private let maxima: PixelMemory
    private let row: PixelMemory

    /// The standard deviation of the noise, in grey levels, below which frequencies have little weight.
    private static let noise: Float = 4
    private static let peakLimit = 6

    init(width: Int, height: Int) throws {
        guard let paddedWidth = FourierPlan.goodLength(atLeast: width, even: true),
            let paddedHeight = FourierPlan.goodLength(atLeast: height, even: false)
        else { throw RegistrationError.tooLarge(width: width, height: height, limit: 16384) }
        func memory(_ bytes: Int) throws -> PixelMemory {
            guard let memory = PixelMemory(count: bytes) else { throw ImageError.outOfMemory(bytes: bytes) }
            return memory
        }
        self.width = width
        self.height = height
        plan = try FourierPlan.shared(width: paddedWidth, height: paddedHeight)
        planeRowBytes = Raster.rowBytes(width: paddedWidth / 2 + 1, format: .greyFloat)
        planeBytes = planeRowBytes * paddedHeight
        windowX = registrationWindow(width)
        windowY = registrationWindow(height)
        let energyX = windowX.reduce(0) { $0 + $1 * $1 }
        let energyY = windowY.reduce(0) { $0 + $1 * $1 }
        floor = Self.noise * Self.noise * energyX * energyY
        pool = PlanePool(bytes: 2 * planeBytes)
        work = try memory(plan.workBytes)
        power = try memory(2 * planeBytes)
        correlation = try memory(Raster.rowBytes(width: paddedWidth, format: .greyFloat) * paddedHeight)
        maxima = try memory((paddedWidth + 63) / 64 * paddedHeight * MemoryLayout<Float>.stride)
        row = try memory((width + 5) * MemoryLayout<Float>.stride)
    }

    /// - Precondition: the raster is `grey8` and of the size of this workspace.
    func spectrum(of raster: Raster) throws -> ImageSpectrum {
        precondition(raster.format == .grey8 && raster.width == width && raster.height == height)
        let planes = try pool.take()
        lock.lock()
        defer { lock.unlock() }
        raster.withUnsafePixels { pixels in
            let source = pixels.assumingMemoryBound(to: UInt8.self)
            var total: UInt64 = 0
            cvk_u8_sum(&total, source, raster.rowBytes, Int32(width), Int32(height))
            let mean = Float(Double(total) / (Double(width) * Double(height)))
            let re = planes.address.assumingMemoryBound(to: Float.self)
            let im = (planes.address + planeBytes).assumingMemoryBound(to: Float.self)
            plan.withUnsafePlan { plan in
                cvk_u8_fft2_forward_windowed(
                    re, im, planeRowBytes, source, raster.rowBytes, Int32(width), Int32(height), windowX, windowY, mean,
                    plan, work.address)
            }
            // The remainder of the mean, caused by the window, says nothing about the shift.
            re[0] = 0
            im[0] = 0
        }
        return ImageSpectrum(raster: raster, planes: planes, pool: pool)
    }

    /// Returns the highest peaks of the correlation in descending order; empty if it is zero everywhere.
    ///
    /// - Precondition: both spectra are of the size of this workspace.
    func peaks(reference: ImageSpectrum, floating: ImageSpectrum) -> [CorrelationPeak] {
        precondition(reference.planes.count == 2 * planeBytes && floating.planes.count == 2 * planeBytes)
        lock.lock()
        defer { lock.unlock() }
        let rowBytes = Raster.rowBytes(width: plan.width, format: .greyFloat)
        let blocks = (plan.width + 63) / 64
        let values = correlation.address.assumingMemoryBound(to: Float.self)
        let largest = maxima.address.assumingMemoryBound(to: Float.self)
        withExtendedLifetime((reference, floating)) {
            func plane(_ memory: PixelMemory, _ index: Int) -> UnsafeMutablePointer<Float> {
                (memory.address + index * planeBytes).assumingMemoryBound(to: Float.self)
            }
            cvk_f32_cross_power(
                plane(power, 0), plane(power, 1), planeRowBytes, plane(reference.planes, 0), plane(reference.planes, 1),
                plane(floating.planes, 0), plane(floating.planes, 1), planeRowBytes, Int32(plan.width / 2 + 1),
                Int32(plan.height), floor)
            plan.withUnsafePlan { cPlan in
                cvk_f32_fft2_inverse(
                    values, rowBytes, 0, plane(power, 0), plane(power, 1), planeRowBytes, 0, 1, cPlan, work.address)
            }
            cvk_f32_max_of_64(
                largest, blocks * MemoryLayout<Float>.stride, values, rowBytes, Int32(plan.width), Int32(plan.height))
        }
        return Self.peaks(
            values: UnsafeBufferPointer(start: values, count: rowBytes / 4 * plan.height), rowLength: rowBytes / 4,
            largest: UnsafeMutableBufferPointer(start: largest, count: blocks * plan.height), width: plan.width,
            height: plan.height)
    }

    /// Finds the peaks. `largest` has the maximum of every 64 columns of every row and is overwritten.
    private static func peaks(
        values: UnsafeBufferPointer<Float>, rowLength: Int, largest: UnsafeMutableBufferPointer<Float>, width: Int,
        height: Int
    ) -> [CorrelationPeak] {
        let blocks = (width + 63) / 64
        var found: [(x: Int, y: Int)] = []
        var peaks: [CorrelationPeak] = []
        // Peaks are farther apart than this, horizontally or vertically.
        let peakRadius = min(4, max(1, min(width, height) / 8))
        let typical = largest.reduce(0, +) / Float(largest.count)
        func distance(_ a: Int, _ b: Int, _ length: Int) -> Int { min(abs(a - b), length - abs(a - b)) }
        func isFree(_ x: Int, _ y: Int) -> Bool {
            found.allSatisfy { distance($0.x, x, width) > peakRadius || distance($0.y, y, height) > peakRadius }
        }
        while peaks.count < peakLimit {
            var block = 0
            var value = largest[0]
            for index in 0..<largest.count where largest[index] > value { (block, value) = (index, largest[index]) }
            let first = peaks.first?.value ?? value
            guard value > 0, value >= 0.25 * first else { break }
            let y = block / blocks
            let columns = (block % blocks * 64)..<min(block % blocks * 64 + 64, width)
            guard let x = columns.first(where: { values[y * rowLength + $0] == value && isFree($0, y) }) else { break }
            found.append((x, y))
            peaks.append(
                CorrelationPeak(
                    x: x > width / 2 ? x - width : x, y: y > height / 2 ? y - height : y, value: value,
                    prominence: value / max(typical, .leastNormalMagnitude)))
            // The slopes of this peak must not count as the next one.
            for dy in -min(peakRadius, height / 2)...min(peakRadius, height / 2) {
                let row = (y + dy + height) % height
                let near = (-peakRadius...peakRadius).map { ((x + $0) % width + width) % width / 64 }
                for nearBlock in Set(near) {
                    var rest: Float = 0
                    for column in (nearBlock * 64)..<min(nearBlock * 64 + 64, width) where isFree(column, row) {
                        rest = max(rest, values[row * rowLength + column])
                    }
                    largest[row * blocks + nearBlock] = rest
                }
            }
        }
        return peaks
    }

    /// Returns the least-squares sums at a displacement.
    ///
    /// - Precondition: both rasters are `grey8` and of the size of this workspace; the overlap is that of the
    ///   displacement.
    func sums(
        reference: Raster, floating: Raster, overlap: Overlap, rowStep: Int, whole: (x: Int, y: Int),
        taps: (x: [Float], y: [Float])
    ) -> TranslationSums {
        for raster in [reference, floating] {
            precondition(raster.format == .grey8 && raster.width == width && raster.height == height)
        }
        let left = overlap.x + whole.x
        let top = overlap.y + whole.y
        precondition(overlap.x >= 1 && overlap.y >= 1 && left >= 2 && top >= 2 && rowStep >= 1)
        precondition(overlap.x + overlap.width <= width - 1 && left + overlap.width <= width - 3)
        precondition(overlap.y + overlap.height <= height - 1 && top + overlap.height <= height - 3)
        precondition(taps.x.count == 6 && taps.y.count == 6)
        let rows = (overlap.height - 1) / rowStep + 1
        var values = [Double](repeating: 0, count: 14)
        lock.lock()
        defer { lock.unlock() }
        reference.withUnsafePixels { referencePixels in
            floating.withUnsafePixels { floatingPixels in
                cvk_u8_translation_sums(
                    &values,
                    (referencePixels + overlap.y * reference.rowBytes + overlap.x).assumingMemoryBound(to: UInt8.self),
                    reference.rowBytes,
                    (floatingPixels + top * floating.rowBytes + left).assumingMemoryBound(to: UInt8.self),
                    floating.rowBytes, Int32(overlap.width), Int32(rows), Int32(rowStep), taps.x, taps.y,
                    row.address.assumingMemoryBound(to: Float.self))
            }
        }
        return TranslationSums(values: values, count: Double(overlap.width) * Double(rows))
    }
}
