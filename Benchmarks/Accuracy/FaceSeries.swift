import Foundation
import VisionImage

/// Images of one face, each worse than the one before it: the right order of their qualities is known.
///
/// In a series of one kind that degradation goes further with every image. Where several mix, two orders are certain
/// and both are tried: `together`, in which every image is degraded further in each of two to four ways, and
/// `stepwise`, in which it is degraded further in one way and as before in all others.
struct FaceSeries {
    enum Kind: String, CaseIterable {
        case blur, dark, bright, noise, shrink, occlusion, turn
        case eyes, mouth
        case together, stepwise

        static let single: [Kind] = [.blur, .dark, .bright, .noise, .shrink, .occlusion, .turn]
        static let mixed: [Kind] = [.together, .stepwise]
    }

    let kind: Kind
    let steps: [FaceDegradation]
    static let length = 5

    init(_ kind: Kind, using generator: inout SplitMix64) {
        self.kind = kind
        var scale = Scale(using: &generator)
        switch kind {
        case .together:
            let ways = Self.ways(Int.random(in: 2...4, using: &generator), using: &generator)
            // So that the last image still shows a face.
            scale.share = ways.count == 2 ? 0.7 : ways.count == 3 ? 0.55 : 0.45
            steps = (0..<Self.length).map { step in
                scale.degradation(Dictionary(uniqueKeysWithValues: ways.map { ($0, step) }))
            }
        case .stepwise:
            scale.share = 0.8
            let ways = Self.ways(6, using: &generator)
            var levels = Dictionary(uniqueKeysWithValues: ways.map { ($0, 0) })
            var steps = [scale.degradation(levels)]
            while steps.count < Self.length {
                if let way = ways.randomElement(using: &generator) { levels[way, default: 0] += 1 }
                steps.append(scale.degradation(levels))
            }
            self.steps = steps
        default:
            steps = (0..<Self.length).map { scale.degradation([kind: $0]) }
        }
    }

    /// Some of the ways to degrade; an image is not both too dark and too bright.
    private static func ways(_ count: Int, using generator: inout SplitMix64) -> [Kind] {
        let light: Kind = Bool.random(using: &generator) ? .dark : .bright
        return Array([.blur, light, .noise, .shrink, .occlusion, .turn].shuffled(using: &generator).prefix(count))
    }

    /// How far the steps of a series go.
    private struct Scale {
        /// Of a step, where several mix.
        var share = 1.0
        private let blur, gamma, gain, wash, noise, shrink, occlusion, yaw, eyes, mouth: Double
        private let occluder: FaceDegradation.Occluder
        /// Steps of what has no upper end grow: a little more blur is not to be seen where there is much.
        private static let growing = [0, 1, 2, 3.3, 5]

        init(using generator: inout SplitMix64) {
            func random(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &generator) }
            blur = random(0.006...0.012)
            gamma = random(1.25...1.5)
            gain = random(1.2...1.45)
            // Half of the bright ones are washed out, not clipped.
            wash = Bool.random(using: &generator) ? random(0.7...0.8) : 1
            noise = random(4...9)
            shrink = random(0.6...0.75)
            occlusion = random(0.10...0.14)
            yaw = random(6.5...9.5) * .pi / 180
            eyes = random(0.22...0.25)
            mouth = random(0.03...0.05)
            let grey = random(20...220)
            occluder = FaceDegradation.Occluder(
                direction: random(0...(2 * .pi)),
                colour: SIMD3(grey + random(-30...30), grey + random(-30...30), grey + random(-30...30)),
                texture: max(random(-20...40), 0))
        }

        func degradation(_ levels: [Kind: Int]) -> FaceDegradation {
            var change = FaceDegradation()
            change.occluder = occluder
            for (kind, level) in levels {
                let (step, growing) = (share * Double(level), share * Self.growing[min(level, Self.growing.count - 1)])
                switch kind {
                case .blur: change.blur = blur * growing
                case .dark: change.gamma = pow(gamma, step)
                case .bright:
                    change.gain = wash < 1 ? 1 : pow(gain, step)
                    change.gamma = pow(wash, step)
                case .noise: change.noise = noise * growing
                case .shrink: change.shrink = pow(shrink, step)
                case .occlusion: change.occlusion = occlusion * step
                case .turn: change.yaw = yaw * step
                case .eyes: change.eyes = eyes * step
                case .mouth: change.mouth = mouth * step
                case .together, .stepwise: break
                }
            }
            return change
        }
    }
}
