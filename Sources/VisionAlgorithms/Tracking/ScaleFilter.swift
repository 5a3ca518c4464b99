import Foundation
import VisionImage

/// How large the target is: a correlation filter along a row of sizes, sampled around one point.
///
/// Danelljan, Häger, Khan, Felsberg, "Accurate scale estimation for robust visual tracking" (2014).
final class ScaleFilter {
    struct Settings {
        /// Sizes that are compared, the middle one being the present; a length with a Fourier transform, odd.
        var sizes: Int
        var step: Double
        var learningRate: Float
        /// Pixels that a target is sampled to, at most.
        var area: Double

        static let fast = Settings(sizes: 15, step: 1.03, learningRate: 0.025, area: 512)
        static let accurate = Settings(sizes: 25, step: 1.03, learningRate: 0.025, area: 1024)
    }

    /// What a target looks like in its sizes: the mean of their spectra, and the energy of each frequency.
    final class Look {
        let model: ComplexBlock
        let energy: FloatBlock

        init(count: Int, frequencies: Int) throws {
            model = try ComplexBlock(count: count)
            energy = try FloatBlock(count: frequencies)
        }

        func copy(from other: Look) {
            model.copy(from: other.model)
            energy.copy(from: other.energy)
        }
    }

    /// A look as large as this filter's.
    func emptyLook() throws -> Look { try Look(count: look.model.count, frequencies: half) }

    static let penalty: Float = 0.01
    /// Sizes that the target may have grown or shrunk by for the spectra to be turned instead of made anew.
    static let mostMoved = 1.0

    private let settings: Settings
    private let factors: [Double]
    private let turns: [(cosine: Float, sine: Float)]
    /// Frequencies that say everything about real data.
    private let half: Int
    private let width: Double
    private let height: Double
    private let transform: TrackingTransform
    private let patches: PatchFeatures
    /// What is learnt.
    let look: Look
    private let sum: ComplexBlock
    private let work: FloatBlock
    private let wanted: [Float]
    private var response: [Float]
    private let columns: Int
    private var isLearnt = false
    /// What the spectra are of.
    private var seen = (x: 0.0, y: 0.0, scale: 0.0)

    init(width: Double, height: Double, settings: Settings) throws {
        self.settings = settings
        self.width = width
        self.height = height
        let sizes = settings.sizes, cell = Double(PatchFeatures.cell), half = sizes / 2 + 1
        self.half = half
        factors = (0..<sizes).map { pow(settings.step, Double($0 - sizes / 2)) }
        turns = (0..<sizes).map { index in
            let angle = 2 * Double.pi * Double(index) / Double(sizes)
            return (cosine: Float(cos(angle)), sine: Float(sin(angle)))
        }
        let shrink = min(1, (settings.area / (width * height)).squareRoot())
        func cells(_ length: Double) -> Int { max(2, min(24, Int((min(length * shrink, 1000) / cell).rounded()))) }
        let hann = (0..<sizes).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0 + 1) / Double(sizes + 1))) }
        patches = try PatchFeatures(columns: cells(width), rows: cells(height), patches: sizes) { _, _, patch in
            hann[patch]
        }
        columns = patches.columns * patches.rows * PatchFeatures.channels
        transform = try TrackingTransform(width: 0, height: sizes)
        // The other frequencies of the spectra are these again.
        look = try Look(count: columns * half, frequencies: half)
        sum = try ComplexBlock(count: half)
        work = try FloatBlock(count: transform.workCount)
        response = Array(repeating: 0, count: sizes)
        let sigma = 0.25 * Double(sizes).squareRoot()
        wanted = (0..<half).map { frequency in
            let terms = (-(sizes / 2)...(sizes / 2)).map { offset in
                exp(-0.5 * pow(Double(offset) / sigma, 2))
                    * cos(2 * Double.pi * Double(frequency * offset) / Double(sizes))
            }
            return Float(terms.reduce(0, +))
        }
    }

    /// The factor by which the target at a point has changed its size.
    func change(
        in frame: FramePixels, at place: TrackedPlace
    ) throws -> (factor: Double, peak: Float) {
        let spectra = try spectra(of: frame, at: place)
        look.model.dot(spectra, columns: columns, rows: half, into: sum)
        let sizes = settings.sizes
        for index in 0..<sizes {
            var value: Float = 0
            for frequency in 0..<half {
                let turn = turns[frequency * index % sizes]
                let part = sum.real[frequency] * turn.cosine - sum.imaginary[frequency] * turn.sine
                value += part * wanted[frequency] / (look.energy[frequency] + Self.penalty) * (frequency == 0 ? 1 : 2)
            }
            response[index] = value / Float(sizes)
        }
        var best = 0
        for index in 1..<sizes where response[index] > response[best] { best = index }
        guard response[best] > 0 else { return (1, 0) }
        let refined = vertex(
            response[(best + sizes - 1) % sizes], response[best], response[(best + 1) % sizes])
        let offset = Double(best <= sizes / 2 ? best : best - sizes) + refined
        return (pow(settings.step, offset), response[best])
    }

    /// Takes the sizes around a point as the target's.
    func learn(_ frame: FramePixels, at place: TrackedPlace) throws {
        let spectra: ComplexBlock
        let moved = log(place.scale / seen.scale) / log(settings.step)
        if seen.x == place.x, seen.y == place.y, abs(moved) <= Self.mostMoved {
            spectra = try memory(in: frame).spectra
            turn(spectra, by: moved)
        } else {
            spectra = try self.spectra(of: frame, at: place)
        }
        let rate = isLearnt ? settings.learningRate : 1
        if isLearnt { look.model.blend(with: spectra, rate: rate) } else { look.model.copy(from: spectra) }
        isLearnt = true
        spectra.dot(spectra, columns: columns, rows: half, into: sum)
        for frequency in 0..<half {
            look.energy[frequency] += (sum.real[frequency] - look.energy[frequency]) * rate
        }
    }

    /// Turns the spectra of the sizes around the scale that was seen into those around one that is `steps` larger: a shift
    /// along the row of sizes. What comes in at its end has no weight.
    private func turn(_ spectra: ComplexBlock, by steps: Double) {
        for frequency in 1..<half {
            let angle = 2 * Double.pi * Double(frequency) * steps / Double(settings.sizes)
            spectra.turn(row: frequency, columns: columns, cosine: Float(cos(angle)), sine: Float(sin(angle)))
        }
        seen.scale *= pow(settings.step, steps)
    }

    private func memory(in frame: FramePixels) throws -> TrackingWorkspace.Sizes.Memory {
        try frame.space.sizes.memory(
            samples: patches.sampleCount, cellWork: patches.workCount, features: columns * settings.sizes)
    }

    private func spectra(of frame: FramePixels, at place: TrackedPlace) throws -> ComplexBlock {
        let memory = try memory(in: frame)
        seen = (place.x, place.y, place.scale)
        let finest = place.scale * (factors.first ?? 1), cell = Double(PatchFeatures.cell)
        let step = min(width / Double(patches.columns), height / Double(patches.rows)) * finest / cell
        let grey = try frame.grey(forStep: step)
        for index in 0..<settings.sizes {
            let factor = place.scale * factors[index]
            let box = PixelRegion(
                x: place.x - width * factor / 2, y: place.y - height * factor / 2, width: width * factor,
                height: height * factor)
            patches.sample(grey.pixels, box: grey.box(box), patch: index, into: memory.samples)
        }
        patches.features(of: memory.samples, into: memory.features, work: memory.cellWork)
        transform.columns(memory.features, to: memory.spectra, columns: columns, work: work)
        return memory.spectra
    }
}
