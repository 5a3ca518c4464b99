import Foundation
package import VisionAlgorithms
package import VisionImage

/// Follows one target with a network that was trained to find again what it has seen once.
///
/// In each frame a square around the last place is compared with the target as the first frame showed it, mixed with
/// how it looked of late; the best place, by its score, by how little the box changes and by how near it is, becomes
/// the new one. Some targets never score high, so scores count against those that are usual for the target. While no
/// place is good enough it counts as hidden or gone: the box goes on with the last speed, slowing down, the square
/// grows, and a second one wanders over the frame, until a place is good enough again. Nothing is learnt meanwhile.
package final class LearnedTracker: ObjectTracker {
    let networks: TrackerNetworks
    private let first: TrackerNetworks.Template
    let fill: SIMD3<Float>
    /// The target's sides in the first frame.
    private let start: (width: Double, height: Double)
    private let habit: BoxHabit
    private var target: Target
    private var memory: Memory

    /// Where the target is, in pixels of the frame.
    private struct Target {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        var box: PixelRegion {
            PixelRegion(x: x - width / 2, y: y - height / 2, width: width, height: height)
        }
    }

    /// What changes besides the target.
    private struct Memory {
        /// What the target looked like of late, and that mixed with the first look.
        var recent: TrackerNetworks.Template
        var hasLearnt = false
        var template: TrackerNetworks.Template
        /// What the target scores as a rule; nil in the first frame.
        var usual: Double?
        /// What it scored of late, as a part of the usual score.
        var late = 1.0
        /// Frames in which the target was seen.
        var seen = 0
        var speedX = 0.0
        var speedY = 0.0
        /// Frames since the target was seen.
        var missed = 0
        /// Frames since the target was seen without doubt.
        var doubted = 0
        /// Which part of the frame was last searched for a target that is gone.
        var stop = 0
    }

    /// The best place of one search window.
    private struct Find {
        var target: Target
        var score: Float
        /// How much of the change of size is to be believed.
        var trust: Double
    }

    private enum Constants {
        /// How much the middle of the window counts against the score.
        static let window = 0.30
        /// How much a change of size or of aspect counts.
        static let shape = 0.15
        /// How fast sizes follow.
        static let rate = 0.60
        /// Below this part of the usual score the target is hidden; only from `found` on it is seen again, and from
        /// `foundElsewhere` on far from where it was lost.
        static let lost = 0.03
        static let found = 0.10
        /// Below this part it is followed, but in doubt.
        static let doubted = 0.35
        static let foundElsewhere = 0.60
        /// By how much the late look has to score higher than the mixed one to be believed.
        static let turned = 2.0
        /// How fast the usual score follows.
        static let habit = 0.05
        static let leastUsual = 0.2
        /// By how much the window grows with each frame without the target, and how much in all.
        static let growth = 0.08
        static let widest = 1.6
        /// How wide the squares are in which it is looked for elsewhere.
        static let wander = 1.5
        /// Frames in doubt after which the target is looked for elsewhere.
        static let patience = 4
        /// How many windows are looked through then in each frame.
        static let turns = 2
        /// The part of the usual score that a place elsewhere needs for the first look of the target.
        static let firstLook = 0.40
        static let drag = 0.8
        /// Every so many frames a new look is taken, where the score is at least this part of the late one: targets
        /// that turn fade, those that are hidden are gone from one frame to the next.
        static let lookInterval = 3
        static let sure = 0.80
        /// The share of a new look in the recent one.
        static let lean: Float = 0.4
        /// The share of the recent look in the template: the larger, the less the target looks as it did at first.
        static let mix = 0.25...0.6
        /// How fast the late score follows, and within which parts of the usual score the share changes.
        static let doubt = 0.3
        static let doubtful = 0.3...0.9
        /// How much of what the first frame told of the network's boxes is made good later.
        static let habitual = 1.0
        static let leastSide = 4.0
        /// Sizes beyond this have no meaning.
        static let mostSide = 1e6
    }

    /// Starts with the target in `box`, in pixels of the frame; it may lie partly outside.
    ///
    /// - Throws: `TrackingError.invalidBox` for a box without area or without a pixel of the frame, and what the frame
    ///   and the network throw.
    package init(frame: any TrackingFrame, box: PixelRegion, networks: TrackerNetworks) throws {
        try checkTrackingStart(box, in: frame)
        self.networks = networks
        target = Target(
            x: box.x + box.width / 2, y: box.y + box.height / 2,
            width: min(max(box.width, 1e-3), Constants.mostSide),
            height: min(max(box.height, 1e-3), Constants.mostSide))
        start = (target.width, target.height)
        let whole = try frame.colour(covering: PixelRegion(width: frame.width, height: frame.height))
        fill = try ImagePatch.meanColour(of: whole.pixels)
        first = try Self.look(at: target, in: frame, fill: fill, networks)
        memory = Memory(recent: first, template: first)
        habit = try Self.habit(of: target, first, in: frame, fill: fill, networks)
    }

    /// How the network's boxes of the target lie about the one that was given, which may leave out parts of a thing or
    /// take in more than it.
    private static func habit(
        of target: Target, _ template: TrackerNetworks.Template, in frame: any TrackingFrame, fill: SIMD3<Float>,
        _ networks: TrackerNetworks
    ) throws -> BoxHabit {
        let side = 2 * ImagePatch.templateSide(width: target.width, height: target.height)
        var finds: [PixelRegion] = []
        for (x, y, scale) in [
            (0, 0, 1), (-0.1, -0.06, 0.88), (0.1, 0.06, 1.14), (0.06, -0.1, 1.06), (-0.06, 0.1, 0.94),
        ] {
            let window = ImagePatch(
                centre: SIMD2(target.x + x * side, target.y + y * side), side: side * scale,
                size: TrackerGraphs.searchSide)
            let seen = try SeenWindow(window, in: frame, fill: fill, networks)
            guard
                let best = ScoreMap(try networks.search(template, in: seen.features), window: window).best(
                    width: target.width, height: target.height, nearness: 0, shape: Constants.shape)
            else { continue }
            finds.append(
                PixelRegion(
                    x: best.x - best.width / 2, y: best.y - best.height / 2, width: best.width, height: best.height))
        }
        return BoxHabit(of: finds, given: target.box, strength: Constants.habitual)
    }

    package func update(frame: any TrackingFrame) throws -> (box: PixelRegion, confidence: Float) {
        try update(frame: frame, seen: nil)
    }

    /// As `update(frame:)`, with what has been seen already of the window that is searched first.
    package func update(frame: any TrackingFrame, seen: SeenWindow?) throws -> (box: PixelRegion, confidence: Float) {
        // The tracker is left as it was where something throws.
        var (target, memory) = (target, memory)
        let wanted = Self.move(&target, &memory)
        let seen =
            try seen.flatMap { $0.wanted == wanted ? $0 : nil }
            ?? SeenWindow(wanted, in: frame, fill: fill, networks)
        let nearness = Constants.window / Double(1 + memory.missed)
        var find = try search(seen, for: target, memory.template, nearness: nearness)
        let usual = memory.usual ?? max(Double(find.score), Constants.leastUsual)
        memory.usual = usual
        if Double(find.score) < Constants.doubted * usual, memory.hasLearnt {
            // It may have turned: what it looked like last says more then than what it looked like at first.
            var turned = try search(seen, for: target, memory.recent, nearness: nearness)
            if Double(turned.score) > Constants.turned * Double(find.score) {
                // Sure it is only where both looks agree.
                turned.score = (turned.score * max(find.score, 0)).squareRoot()
                find = turned
            }
        }
        memory.doubted = Double(find.score) < Constants.doubted * usual ? min(memory.doubted + 1, 1 << 20) : 0
        if memory.doubted > Constants.patience {
            for _ in 0..<Constants.turns {
                let other = try searchElsewhere(frame, for: target, &memory)
                if Double(other.score) > max(Double(find.score), Constants.foundElsewhere * usual),
                    try looksAsAtFirst(other, in: frame, usual: usual)
                {
                    find = other
                    memory.missed = max(memory.missed, 1)
                }
            }
        }
        if Double(find.score) >= (memory.missed == 0 ? Constants.lost : Constants.found) * usual {
            follow(find, &target, &memory, in: frame)
            // What is usual is not learnt from what may be something else.
            if memory.doubted == 0 { memory.usual = usual + Constants.habit * (Double(find.score) - usual) }
            try learn(find, target, &memory, usual: usual, in: frame)
        } else {
            memory.missed = min(memory.missed + 1, 1 << 20)
            target.x = min(max(target.x, 0), Double(frame.width))
            target.y = min(max(target.y, 0), Double(frame.height))
        }
        (self.target, self.memory) = (target, memory)
        return (target.box, Self.confidence(ofScore: find.score))
    }

    /// The window that the next update searches first.
    var wanted: ImagePatch {
        var (target, memory) = (target, memory)
        return Self.move(&target, &memory)
    }

    /// Moves a hidden target on, and tells where to look.
    private static func move(_ target: inout Target, _ memory: inout Memory) -> ImagePatch {
        if memory.missed > 0 {
            target.x += memory.speedX
            target.y += memory.speedY
            memory.speedX *= Constants.drag
            memory.speedY *= Constants.drag
        }
        let growth = min(1 + Constants.growth * Double(max(0, memory.missed - 2)), Constants.widest)
        return window(about: target, x: target.x, y: target.y, growth: growth)
    }

    /// A square about (`x`, `y`).
    ///
    /// - Parameter growth: How much wider than usual the square is.
    private static func window(about target: Target, x: Double, y: Double, growth: Double) -> ImagePatch {
        let usual = ImagePatch.templateSide(width: target.width, height: target.height)
        return ImagePatch(centre: SIMD2(x, y), side: 2 * usual * growth, size: TrackerGraphs.searchSide)
    }

    /// Whether the target of the first frame is there, too, and not only what has been taken for it of late.
    private func looksAsAtFirst(_ find: Find, in frame: any TrackingFrame, usual: Double) throws -> Bool {
        let window = Self.window(about: find.target, x: find.target.x, y: find.target.y, growth: 1)
        let seen = try SeenWindow(window, in: frame, fill: fill, networks)
        let again = try search(seen, for: find.target, first, nearness: Constants.window)
        return Double(again.score) > Constants.firstLook * usual
    }

    /// Takes a new look from time to time, and mixes the template anew.
    private func learn(
        _ find: Find, _ target: Target, _ memory: inout Memory, usual: Double,
        in frame: any TrackingFrame
    ) throws {
        let score = Double(find.score)
        guard score > Constants.sure * usual * memory.late else { return }
        memory.seen = (memory.seen + 1) % Constants.lookInterval
        if memory.seen == 0 {
            let new = try Self.look(at: target, in: frame, fill: fill, networks)
            memory.recent = try memory.recent.mixed(with: new, share: Constants.lean)
            memory.hasLearnt = true
        }
        memory.late += Constants.doubt * (score / usual - memory.late)
        let (low, high) = (Constants.doubtful.lowerBound, Constants.doubtful.upperBound)
        let doubt = min(max((high - memory.late) / (high - low), 0), 1)
        let mix =
            Constants.mix.lowerBound + (Constants.mix.upperBound - Constants.mix.lowerBound) * doubt
        memory.template = try first.mixed(with: memory.recent, share: Float(mix))
    }

    /// How likely the target is found: a logistic function that is one half between what hidden targets score in
    /// made-up videos, below 0.3 as a rule, and what faint ones score that are still followed, 0.5 and more.
    private static func confidence(ofScore score: Float) -> Float { 1 / (1 + exp(-12 * (score - 0.45))) }

    /// What the target looks like in a frame.
    private static func look(
        at target: Target, in frame: any TrackingFrame, fill: SIMD3<Float>, _ networks: TrackerNetworks
    ) throws -> TrackerNetworks.Template {
        let window = ImagePatch(
            centre: SIMD2(target.x, target.y),
            side: ImagePatch.templateSide(width: target.width, height: target.height),
            size: TrackerGraphs.templateSide)
        return try networks.template(box: (target.width * window.scale, target.height * window.scale)) {
            input in
            try window.write(frame, fill: fill, to: input)
        }
    }

    private func follow(
        _ find: Find, _ target: inout Target, _ memory: inout Memory, in frame: any TrackingFrame
    ) {
        let x = min(max(find.target.x, 0), Double(frame.width))
        let y = min(max(find.target.y, 0), Double(frame.height))
        if memory.missed == 0 {
            memory.speedX = 0.7 * memory.speedX + 0.3 * (x - target.x)
            memory.speedY = 0.7 * memory.speedY + 0.3 * (y - target.y)
        } else {
            (memory.speedX, memory.speedY) = (0, 0)
        }
        memory.missed = 0
        (target.x, target.y) = (x, y)
        let rate = find.trust * Constants.rate
        target.width = Self.limited(
            target.width + rate * (find.target.width - target.width), first: start.width, frame.width)
        target.height = Self.limited(
            target.height + rate * (find.target.height - target.height), first: start.height,
            frame.height)
    }

    /// A target neither vanishes nor outgrows the frame, unless it began so.
    static func limited(_ side: Double, first: Double, _ extent: Int) -> Double {
        min(max(side, min(Constants.leastSide, first)), max(Double(extent), first))
    }

    /// The best place in a window.
    ///
    /// - Parameter nearness: How much the distance from the middle of the window that was wanted counts.
    private func search(
        _ seen: SeenWindow, for target: Target, _ template: TrackerNetworks.Template, nearness: Double
    ) throws -> Find {
        let answer = try networks.search(template, in: seen.features)
        let expected = habit.expected(width: target.width, height: target.height)
        return ScoreMap(answer, window: seen.window, wanted: seen.wanted).best(
            width: expected.width, height: expected.height, nearness: nearness, shape: Constants.shape
        ).map { best in
            let box = habit.given(best.x, best.y, best.width, best.height)
            return Find(
                target: Target(x: box.x, y: box.y, width: box.width, height: box.height),
                score: best.score,
                trust: best.trust)
        } ?? Find(target: target, score: 0, trust: 0)
    }

    /// The best place of the next part of the frame, in rows of squares that overlap.
    private func searchElsewhere(
        _ frame: any TrackingFrame, for target: Target, _ memory: inout Memory
    ) throws -> Find {
        let usual = ImagePatch.templateSide(width: target.width, height: target.height)
        let step = max(2 * usual * Constants.wander * 0.6, 1)
        let across = max(1, (Double(frame.width) / step).rounded(.up))
        let down = max(1, (Double(frame.height) / step).rounded(.up))
        let (columns, rows) = (Int(across), Int(down))
        memory.stop = (memory.stop + 1) % (columns * rows)
        let x = (Double(memory.stop % columns) + 0.5) * Double(frame.width) / across
        let y = (Double(memory.stop / columns) + 0.5) * Double(frame.height) / down
        let window = Self.window(about: target, x: x, y: y, growth: Constants.wander)
        let seen = try SeenWindow(window, in: frame, fill: fill, networks)
        return try search(seen, for: target, memory.template, nearness: 0)
    }
}
