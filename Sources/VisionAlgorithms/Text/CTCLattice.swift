/// The most probable classes of each step of a network that reads a line of text (connectionist temporal
/// classification; Graves et al., 2006): a step is a narrow column of the line, and shows a character or, as class 0,
/// none.
package struct CTCLattice: Equatable, Sendable {
    /// The number of classes that are kept for each step.
    package static let width = 8

    package private(set) var stepCount = 0
    /// `width` classes for each step, the most probable first; unused ones have the probability 0.
    private var classes: [Int32] = []
    private var probabilities: [Float] = []

    package init() {}

    /// A class that is more frequent in what is read than it was in what the network learnt.
    package struct Prior: Hashable, Sendable {
        package var index: Int
        /// The factor by which its odds are higher.
        package var odds: Float

        package init(index: Int, odds: Float) { (self.index, self.odds) = (index, odds) }
    }

    /// Appends a step.
    ///
    /// - Parameters:
    ///   - values: The probability of every class.
    ///   - isAllowed: Whether a class may occur; nil for all. Class 0 always may.
    ///   - prior: Corrects the probabilities for a class; nil to leave them.
    ///   - least: Less probable classes are left out.
    package mutating func appendStep(
        _ values: UnsafeBufferPointer<Float>, isAllowed: [Bool]? = nil, prior: Prior? = nil, least: Float = 1e-4
    ) {
        let start = classes.count
        classes += repeatElement(0, count: Self.width)
        probabilities += repeatElement(0, count: Self.width)
        stepCount += 1
        var floor = least
        func insert(_ index: Int, _ value: Float) {
            // Insertion into the sorted list; of equal ones the first class stays first.
            var slot = start + Self.width - 1
            while slot > start, probabilities[slot - 1] < value {
                (probabilities[slot], classes[slot]) = (probabilities[slot - 1], classes[slot - 1])
                slot -= 1
            }
            (probabilities[slot], classes[slot]) = (value, Int32(index))
            floor = max(floor, probabilities[start + Self.width - 1])
        }
        for (index, value) in values.enumerated() where value > floor {
            guard index == 0 || isAllowed?[index] ?? true, index != prior?.index else { continue }
            insert(index, value)
        }
        guard let prior, values.indices.contains(prior.index) else { return }
        let (value, total) = (values[prior.index] * prior.odds, 1 + values[prior.index] * (prior.odds - 1))
        if value > floor { insert(prior.index, value) }
        guard total > 0, total.isFinite else { return }
        for slot in start..<start + Self.width { probabilities[slot] /= total }
    }

    /// Returns the lattice of a range of steps.
    package func part(_ steps: Range<Int>) -> CTCLattice {
        var part = CTCLattice()
        part.stepCount = steps.count
        part.classes = Array(classes[steps.lowerBound * Self.width..<steps.upperBound * Self.width])
        part.probabilities = Array(probabilities[steps.lowerBound * Self.width..<steps.upperBound * Self.width])
        return part
    }

    /// Calls `body` with each kept class of a step and its probability, the most probable first.
    package func forEachClass(ofStep step: Int, _ body: (_ index: Int, _ probability: Float) -> Void) {
        for slot in step * Self.width..<(step + 1) * Self.width where probabilities[slot] > 0 {
            body(Int(classes[slot]), probabilities[slot])
        }
    }

    /// The most probable class of a step, and its probability.
    package func best(ofStep step: Int) -> (index: Int, probability: Float) {
        (Int(classes[step * Self.width]), probabilities[step * Self.width])
    }

    /// The probability of a class in a step; 0 for one that was left out.
    package func probability(of index: Int, step: Int) -> Float {
        for slot in step * Self.width..<(step + 1) * Self.width
        where classes[slot] == Int32(index) && probabilities[slot] > 0 {
            return probabilities[slot]
        }
        return 0
    }
}
