import Foundation
import VisionImage

/// Estimates the target's scale, or its aspect ratio: a one-dimensional correlation filter over patches of several
/// sizes around one point.
///
/// Danelljan, Häger, Khan, Felsberg, "Accurate scale estimation for robust visual tracking" (2014).
final class ScaleFilter {
    enum Quantity {
        case scale
        /// `TargetState.stretch`: patches that are the wider the less high they are.
        case stretch
    }

    struct Settings {
        var quantity = Quantity.scale
        /// The number of scales, the middle one being the current scale: odd, and a length with a Fourier transform.
        var sizes: Int
        var step: Double
        var learningRate: Float
        /// The largest number of pixels that a patch is sampled to.
        var area: Double

        static let fast = Settings(sizes: 15, step: 1.03, learningRate: 0.025, area: 512)
        static let accurate = Settings(sizes: 25, step: 1.03, learningRate: 0.025, area: 1024)
        static let stretch = Settings(quantity: .stretch, sizes: 15, step: 1.03, learningRate: 0.025, area: 1024)
    }

    /// The learnt appearance of a target over its scales: the running mean of the spectra, and the energy of each
    /// frequency.
    final class Appearance {
        let model: ComplexBlock
        let energy: FloatBlock

        init(count: Int, frequencies: Int) throws {
            model = try ComplexBlock(count: count)
            energy = try FloatBlock(count: frequencies)
        }

        func copy(from other: Appearance) {
            model.copy(from: other.model)
            energy.copy(from: other.energy)
        }
    }

    /// Returns an empty model of the same size as this filter's.
    func emptyAppearance() throws -> Appearance { try Appearance(count: appearance.model.count, frequencies: half) }

    static let penalty: Float = 0.01
    /// The largest change of scale, in steps, for which the spectra are shifted instead of recomputed.
    static let maximumShift = 1.0

    private let settings: Settings
    private let factors: [Double]
    private let rotations: [(cosine: Float, sine: Float)]
    /// The number of frequencies that describe real data.
    private let half: Int
    private let width: Double
    private let height: Double
    private let transform: TrackingTransform
    private let patches: PatchFeatures
    /// The learnt appearance model.
    let appearance: Appearance
    private let sum: ComplexBlock
    private let work: FloatBlock
    private let wanted: [Float]
    private var response: [Float]
    private let columns: Int
    private var isLearnt = false
    /// The state that the spectra belong to.
    private var sampled: TargetState?

    init(width: Double, height: Double, settings: Settings) throws {
        self.settings = settings
        self.width = width
        self.height = height
        let sizes = settings.sizes, cell = Double(PatchFeatures.cell), half = sizes / 2 + 1
        self.half = half
        factors = (0..<sizes).map { pow(settings.step, Double($0 - sizes / 2)) }
        rotations = (0..<sizes).map { index in
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
        // The other frequencies are the complex conjugates of these.
        appearance = try Appearance(count: columns * half, frequencies: half)
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

    /// Returns the factor by which the target's scale or stretch has changed, and the height of the peak.
    func change(
        in frame: FramePixels, at state: TargetState
    ) throws -> (factor: Double, peak: Float) {
        let spectra = try spectra(of: frame, at: state)
        appearance.model.dot(spectra, columns: columns, rows: half, into: sum)
        let sizes = settings.sizes
        for index in 0..<sizes {
            var value: Float = 0
            for frequency in 0..<half {
                let rotation = rotations[frequency * index % sizes]
                let part = sum.real[frequency] * rotation.cosine - sum.imaginary[frequency] * rotation.sine
                value +=
                    part * wanted[frequency] / (appearance.energy[frequency] + Self.penalty) * (frequency == 0 ? 1 : 2)
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

    /// Returns the spectra around a state, in the memory of the frame: what `learn` takes, and all of it that may fail.
    func sample(_ frame: FramePixels, at state: TargetState) throws -> ComplexBlock {
        guard let moved = steps(to: state) else { return try spectra(of: frame, at: state) }
        let spectra = try memory(in: frame).spectra
        shift(spectra, by: moved)
        return spectra
    }

    /// Learns sampled spectra as the target's.
    func learn(_ spectra: ComplexBlock) {
        let rate = isLearnt ? settings.learningRate : 1
        if isLearnt { appearance.model.blend(with: spectra, rate: rate) } else { appearance.model.copy(from: spectra) }
        isLearnt = true
        spectra.dot(spectra, columns: columns, rows: half, into: sum)
        for frequency in 0..<half {
            appearance.energy[frequency] += (sum.real[frequency] - appearance.energy[frequency]) * rate
        }
    }

    /// Returns the steps from the scale that was sampled to that of a state, or nil if the spectra must be computed
    /// anew: shifted ones are less exact, which costs the stretch more than it saves.
    private func steps(to state: TargetState) -> Double? {
        guard settings.quantity == .scale, let sampled, sampled.x == state.x, sampled.y == state.y,
            sampled.stretch == state.stretch
        else { return nil }
        let steps = log(state.scale / sampled.scale) / log(settings.step)
        return abs(steps) <= Self.maximumShift ? steps : nil
    }

    /// Converts the spectra around the sampled scale into those around a scale that is `steps` larger, by a shift along
    /// the scales. The window function makes the values that enter at the end irrelevant.
    private func shift(_ spectra: ComplexBlock, by steps: Double) {
        for frequency in 1..<half {
            let angle = 2 * Double.pi * Double(frequency) * steps / Double(settings.sizes)
            spectra.rotate(row: frequency, columns: columns, cosine: Float(cos(angle)), sine: Float(sin(angle)))
        }
        // The spectra are those of no sampled state any more.
        sampled = nil
    }

    private func memory(in frame: FramePixels) throws -> TrackingWorkspace.Sizes.Memory {
        let sizes = settings.quantity == .scale ? frame.space.sizes : frame.space.stretches
        return try sizes.memory(
            samples: patches.sampleCount, cellWork: patches.workCount, features: columns * settings.sizes)
    }

    private func spectra(of frame: FramePixels, at state: TargetState) throws -> ComplexBlock {
        let memory = try memory(in: frame)
        sampled = state
        let finest = state.scale * (factors.first ?? 1), cell = Double(PatchFeatures.cell)
        let step = min(width / Double(patches.columns), height / Double(patches.rows)) * finest / cell
        let grey = try frame.grey(forStep: step)
        for index in 0..<settings.sizes {
            let scale = settings.quantity == .scale ? state.scale * factors[index] : state.scale
            let stretch = settings.quantity == .stretch ? state.stretch * factors[index] : state.stretch
            let box = state.box(width: width * scale * stretch, height: height * scale / stretch)
            patches.sample(grey.pixels, box: grey.box(box), patch: index, into: memory.samples)
        }
        patches.features(of: memory.samples, into: memory.features, work: memory.cellWork)
        transform.columns(memory.features, to: memory.spectra, columns: columns, work: work)
        return memory.spectra
    }
}
