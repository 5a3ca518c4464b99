import CVisionKernels
import Foundation
import VisionImage

/// One octave of a scale space: a grey image with increasing blur, the standard deviation growing by 2^(1/3) from image
/// to image.
final class ScaleOctave {
    static let steps = 3
    static let count = steps + 3
    /// The standard deviation of the first image's blur, in pixels of the octave.
    static let sigma = 1.6

    let width: Int
    let height: Int
    private let rowBytes: Int
    private let planeBytes: Int
    private let memory: PixelMemory

    /// Creates the first octave, of a grey image that already has a blur of `assumed` pixels.
    init(_ raster: Raster, assumed: Double) throws {
        precondition(raster.format == .grey8)
        (width, height) = (raster.width, raster.height)
        (rowBytes, planeBytes, memory) = try Self.memory(width: raster.width, height: raster.height)
        let first = sigmaFloats(1)
        raster.withUnsafePixels { pixels in
            cvk_f32_from_u8(
                first, rowBytes, pixels.assumingMemoryBound(to: UInt8.self), raster.rowBytes, Int32(width),
                Int32(height), 1, 0)
        }
        let work = try Self.work(cvk_blur_work(Int32(width)))
        blur(from: 1, to: 0, sigma: max(Self.sigma * Self.sigma - assumed * assumed, 0.01).squareRoot(), work)
        blurAll(work)
    }

    /// Creates the next octave, at half the size.
    init(after other: ScaleOctave) throws {
        (width, height) = ((other.width + 1) / 2, (other.height + 1) / 2)
        (rowBytes, planeBytes, memory) = try Self.memory(width: width, height: height)
        cvk_f32_every_second(
            sigmaFloats(0), rowBytes, other.sigmaFloats(Self.steps), other.rowBytes, Int32(width), Int32(height))
        blurAll(try Self.work(cvk_blur_work(Int32(width))))
    }

    private static func memory(width: Int, height: Int) throws -> (Int, Int, PixelMemory) {
        let rowBytes = Raster.rowBytes(width: width, format: .greyFloat)
        return (rowBytes, rowBytes * height, try memory(bytes: rowBytes * height * count))
    }

    private static func memory(bytes: Int) throws -> PixelMemory {
        guard let memory = PixelMemory(count: bytes) else { throw ImageError.outOfMemory(bytes: bytes) }
        return memory
    }

    private static func work(_ floats: Int) throws -> PixelMemory {
        try memory(bytes: floats * MemoryLayout<Float>.stride)
    }

    private func sigmaFloats(_ index: Int) -> UnsafeMutablePointer<Float> {
        (memory.address + index * planeBytes).assumingMemoryBound(to: Float.self)
    }

    private func blurAll(_ work: PixelMemory) {
        for index in 1..<Self.count {
            let before = Self.sigma * pow(2, Double(index - 1) / Double(Self.steps))
            let after = Self.sigma * pow(2, Double(index) / Double(Self.steps))
            blur(from: index - 1, to: index, sigma: (after * after - before * before).squareRoot(), work)
        }
    }

    private func blur(from: Int, to: Int, sigma: Double, _ work: PixelMemory) {
        let radius = min(Int((3.3 * sigma).rounded(.up)), Int(CVK_BLUR_MOST))
        let curve = (0...radius).map { exp(-0.5 * Double($0 * $0) / (sigma * sigma)) }
        let total = 2 * curve.reduce(0, +) - 1
        let weights = curve.map { Float($0 / total) }
        withExtendedLifetime((memory, work)) {
            cvk_f32_blur(
                sigmaFloats(to), rowBytes, sigmaFloats(from), rowBytes, Int32(width), Int32(height), weights,
                Int32(radius), work.address.assumingMemoryBound(to: Float.self))
        }
    }

    /// Returns the pixels where the difference of the images `index` + 1 and `index` is an extremum among its
    /// neighbours and those of the adjacent differences, at least `border` pixels from the edges.
    func extrema(of index: Int, border: Int, least: Float, most: Int) throws -> [(x: Int, y: Int)] {
        precondition(index >= 1 && index + 2 < Self.count && border >= 1 && most >= 0)
        let work = try Self.work(cvk_extrema_work(Int32(width)))
        let indices = withExtendedLifetime((memory, work)) {
            [Int32](unsafeUninitializedCapacity: most + 1) { indices, count in
                guard let address = indices.baseAddress else { return }
                cvk_f32_scale_extrema(
                    address, Int32(most), sigmaFloats(index - 1), rowBytes, planeBytes, Int32(width), Int32(height),
                    Int32(border), least, work.address.assumingMemoryBound(to: Float.self))
                count = Int(address.pointee) + 1
            }
        }
        return indices.dropFirst().map { (Int($0) % width, Int($0) / width) }
    }

    /// Calls `body` with a function that returns the difference of the images `index` + 1 and `index` at a pixel.
    func withDifferences<Result>(_ body: ((_ index: Int, _ x: Int, _ y: Int) -> Double) -> Result) -> Result {
        withExtendedLifetime(memory) {
            let (address, row, plane) = (sigmaFloats(0), rowBytes / 4, planeBytes / 4)
            return body { index, x, y in
                let at = address + (index * plane + y * row + x)
                return Double(at[plane] - at[0])
            }
        }
    }

    /// A position in an image of the octave, with the spacing and the orientation of its samples.
    struct Sample {
        var x: Double
        var y: Double
        var spacing: Double
        var angle: Double

        fileprivate var kernelValue: cvk_feature {
            cvk_feature(
                x: Float(x), y: Float(y), along_x: Float(spacing * cos(angle)), along_y: Float(spacing * sin(angle)))
        }
    }

    static let directions = Int(CVK_FEATURE_DIRECTIONS)
    static let descriptorBytes = Int(CVK_FEATURE_BYTES)

    /// Returns the histograms of gradient orientations, `directions` numbers for each sample.
    func directions(at samples: [Sample], image index: Int) -> [Float] {
        results(Self.directions, at: samples, image: index) { result, features in
            cvk_f32_feature_directions(
                result, sigmaFloats(index), rowBytes, Int32(width), Int32(height), features, Int32(features.count))
        }
    }

    /// Returns the descriptors, `descriptorBytes` bytes for each sample.
    func descriptors(at samples: [Sample], image index: Int) -> [UInt8] {
        results(Self.descriptorBytes, at: samples, image: index) { result, features in
            cvk_u8_feature_describe(
                result, sigmaFloats(index), rowBytes, Int32(width), Int32(height), features, Int32(features.count))
        }
    }

    /// Returns `size` numbers for each sample, which `write` computes.
    private func results<Number>(
        _ size: Int, at samples: [Sample], image index: Int,
        _ write: (UnsafeMutablePointer<Number>?, [cvk_feature]) -> Void
    ) -> [Number] {
        precondition(
            index >= 0 && index < Self.count && width >= 2 && height >= 2 && width <= 1 << 15 && height <= 1 << 15)
        guard !samples.isEmpty else { return [] }
        let features = samples.map(\.kernelValue)
        return withExtendedLifetime(memory) {
            [Number](unsafeUninitializedCapacity: features.count * size) { result, count in
                write(result.baseAddress, features)
                count = features.count * size
            }
        }
    }
}
