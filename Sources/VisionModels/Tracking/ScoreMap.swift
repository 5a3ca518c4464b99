import Foundation
import VisionImage

/// Selects the best position in the score map of a search window.
struct ScoreMap {
    private let answer: TrackerNetworks.Answer
    private let window: ImagePatch
    /// The expected position of the target, in cells right of and below the window's centre.
    private let middle: (column: Double, row: Double)

    /// - Parameter requested: The window that the tracker asked for, in whose centre the target is expected; nil:
    ///   `window`.
    init(_ answer: TrackerNetworks.Answer, window: ImagePatch, requested: ImagePatch? = nil) {
        self.answer = answer
        self.window = window
        let requested = requested ?? window
        let cell = Double(TrackerGraphs.step) / window.scale
        middle = ((requested.centre.x - window.centre.x) / cell, (requested.centre.y - window.centre.y) / cell)
    }

    /// A candidate box by its centre and size, in pixels of the frame.
    struct Candidate {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
        var score: Float
        /// The score, reduced where the box differs from the last one.
        var trust: Double
    }

    /// Returns the candidate with the highest sum of penalised score and nearness to the centre.
    ///
    /// The penalty of shape changes and the window are those of Li et al., "High performance visual tracking with
    /// Siamese region proposal network", CVPR 2018.
    ///
    /// - Parameters:
    ///   - width, height: The last size, in pixels of the frame.
    ///   - nearness: The weight of nearness in the sum, 0 … 1.
    ///   - shape: The penalty of a change of size or of aspect ratio.
    ///   - presence: Reduces the scores of boxes that the target is not present in; nil: all scores count as they are.
    ///   - excluded: Regions of the frame; candidates that overlap one of them by more than half do not count.
    /// - Returns: nil where the network's answer has no finite number.
    func best(
        width: Double, height: Double, nearness: Double, shape: Double, presence: PresenceMap? = nil,
        excluded: [PixelRegion] = []
    ) -> Candidate? {
        let cells = TrackerGraphs.searchCells
        let count = cells * cells
        let step = Double(TrackerGraphs.step) / window.scale
        let lastSize = ImagePatch.templateSide(width: width, height: height)
        let lastAspect = width / height
        let near = (across: Self.nearness(of: middle.column), down: Self.nearness(of: middle.row))
        var best: (value: Double, candidate: Candidate)?
        for index in 0..<count {
            let score = Double(answer.scores[index])
            let left = Double(answer.distances[index]), top = Double(answer.distances[count + index])
            let right = Double(answer.distances[2 * count + index])
            let bottom = Double(answer.distances[3 * count + index])
            let (w, h) = ((left + right) * step, (top + bottom) * step)
            guard score.isFinite, w.isFinite, h.isFinite, w > 0, h > 0 else { continue }
            let size = ImagePatch.templateSide(width: w, height: h) / lastSize
            let aspect = w / h / lastAspect
            let likeness = exp(-shape * (max(size, 1 / size) * max(aspect, 1 / aspect) - 1))
            // The centre of the box, in cells from the left and the top of the window.
            let column = Double(index % cells) + 0.5 + (right - left) / 2
            let row = Double(index / cells) + 0.5 + (bottom - top) / 2
            var share = 1.0
            if let presence {
                let mean = presence.mean(x: column, y: row, width: left + right, height: top + bottom)
                share = Self.leastShare + (1 - Self.leastShare) * min(max(mean / Self.fullPresence, 0), 1.2)
            }
            let value =
                likeness * score * share * (1 - nearness)
                + near.across[index % cells] * near.down[index / cells] * nearness
            guard value > best?.value ?? -.infinity else { continue }
            let centre = window.framePoint(x: column * Double(TrackerGraphs.step), y: row * Double(TrackerGraphs.step))
            let box = PixelRegion(x: centre.x - w / 2, y: centre.y - h / 2, width: w, height: h)
            if excluded.contains(where: { $0.intersectionOverUnion(with: box) > 0.5 }) { continue }
            best = (
                value,
                Candidate(
                    x: centre.x, y: centre.y, width: w, height: h, score: answer.scores[index],
                    trust: likeness * score)
            )
        }
        return best?.candidate
    }

    /// What is left of the score of a box without any presence, and the presence that leaves all of it.
    private static let leastShare = 0.5
    private static let fullPresence = 0.6

    /// Returns a Hann window over the cells of an axis, shifted by `middle` cells; its zeros lie just outside.
    private static func nearness(of middle: Double) -> [Double] {
        (1...TrackerGraphs.searchCells).map { cell in
            let end = Double(TrackerGraphs.searchCells + 1)
            return 0.5 - 0.5 * cos(2 * .pi * min(max(Double(cell) - middle, 0), end) / end)
        }
    }
}
