import Foundation

/// Confidences of the scene taxonomy's classes from the logits of a scene network.
///
/// A softmax shares one unit among all classes, so two things in a picture take it from each other. Here each class has
/// a confidence of its own: its share of the softmax of the whole picture and its share of the softmax that the best
/// half of the picture has by itself, together put through a logistic function fitted on labelled photos. A class above
/// others has the shares of all outputs below it, and at least the confidence of its best child. For some classes
/// above, of which there were photos enough, what they are seen with counts as well: a linear function of all logits,
/// so that people are found although the networks have three outputs for them.
///
/// `Training/Scene/fit.py` fits the numbers; the model card in `Documentation/Models.md` says on what.
package struct SceneScoring: Sendable {
    /// Which backbone each revision of the confidences reads.
    package static let backbones: [Int: Backbone.Revision] = [1: .efficientNetLite0, 2: .efficientNetLite2]
    /// Outputs of the backbones.
    package static let outputCount = 1000
    /// The halves of the picture: left, right, upper, lower.
    package static let partCount = 4

    /// The numbers of a kind of class.
    private struct Numbers {
        let share: Float
        let top: Float
        let size: Float
        let offset: Float
    }

    /// What a class is seen with.
    private struct Context {
        let place: Int
        let factor: Float
        let offset: Float
        /// Of each logit less the mean of all.
        let weights: [Float]
    }

    private let taxonomy = SceneTaxonomy.shared
    private let partWeight: Float
    /// The outputs that are a class or below it, class by class, in one row; those of class i are `starts[i]..<starts[i
    /// + 1]`.
    private let below: [Int]
    private let starts: [Int]
    private let isLeaf: [Bool]
    /// What is fixed of each class: factor of the share's logit, factor of the highest leaf's, the rest.
    private let numbers: [SIMD3<Float>]
    private let contexts: [Context]

    /// - Returns: nil for a revision that has no numbers.
    package init?(revision: Int) {
        guard let table = try? BinaryTable(builtIn: "scene-scoring.table"),
            let (weight, leaf) = try? Self.numbers(table, "\(revision).leaf"),
            let (_, above) = try? Self.numbers(table, "\(revision).above"),
            let contexts = try? Self.contexts(table, revision: revision)
        else { return nil }
        partWeight = weight
        self.contexts = contexts

        var sets = taxonomy.classes.map { Set($0.outputs) }
        for place in taxonomy.bottomUp {
            for parent in taxonomy.classes[place].parents { sets[parent].formUnion(sets[place]) }
        }
        below = sets.flatMap { $0.sorted() }
        starts = sets.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
        isLeaf = taxonomy.classes.map { !$0.outputs.isEmpty }
        numbers = zip(isLeaf, sets).map { isLeaf, outputs in
            let kind = isLeaf ? leaf : above
            return SIMD3(kind.share, kind.top, kind.offset + kind.size * log(Float(max(outputs.count, 1))))
        }
    }

    private static func numbers(_ table: BinaryTable, _ name: String) throws(WeightFileError) -> (Float, Numbers) {
        let values = try table.floats(name, count: 5)
        return (values[0], Numbers(share: values[1], top: values[2], size: values[3], offset: values[4]))
    }

    private static func contexts(_ table: BinaryTable, revision: Int) throws(WeightFileError) -> [Context] {
        let classes = try table.lines("\(revision).contexts")
        let factors = try table.floats("\(revision).factors", count: classes.count)
        let offsets = try table.floats("\(revision).context_offsets", count: classes.count)
        let steps = try table.floats("\(revision).steps", count: classes.count)
        let weights = try table.floats("\(revision).weights", count: classes.count * outputCount)
        return classes.indices.compactMap { index in
            SceneTaxonomy.shared.index(of: classes[index]).map { place in
                Context(
                    place: place, factor: factors[index], offset: offsets[index],
                    weights: weights[index * outputCount..<(index + 1) * outputCount].map { $0 * steps[index] })
            }
        }
    }

    /// - Parameters:
    ///   - logits: the network's 1000 outputs for the whole picture.
    ///   - parts: those of the four halves (`ImageHalf`) one after the other, or none: then two things in a picture are
    ///     told apart less well.
    /// - Returns: for each class of the taxonomy, in its order, a number from 0 to 1 that says how likely it is to be
    ///   in the picture. They do not sum to anything. Logits that are not finite count for nothing.
    package func confidences(ofLogits logits: [Float], parts: [Float] = []) -> [Float] {
        let outputs = Self.outputCount
        precondition(logits.count == outputs && (parts.isEmpty || parts.count == Self.partCount * outputs))
        // One lane for the whole and one for each part, so that one addition serves all.
        var shares = [SIMD8<Float>](repeating: .zero, count: outputs)
        Self.softmax(logits, from: 0, into: &shares, lane: 0)
        for part in 0..<Self.partCount {
            if parts.isEmpty {
                for output in 0..<outputs { shares[output][part + 1] = shares[output][0] }
            } else {
                Self.softmax(parts, from: part * outputs, into: &shares, lane: part + 1)
            }
        }

        let scale = 1 / (1 + partWeight)
        var values = [Float](repeating: 0, count: taxonomy.classes.count)
        var top: Float = 0
        for place in values.indices {
            var sum = SIMD8<Float>.zero
            for index in starts[place]..<starts[place + 1] { sum += shares[below[index]] }
            let whole = sum[0]
            let best = max(max(sum[1], sum[2]), max(sum[3], sum[4]))
            values[place] = (whole + partWeight * best) * scale
            if isLeaf[place] { top = max(top, values[place]) }
        }
        let topLogit = Self.logit(top)
        for place in values.indices {
            let number = numbers[place]
            values[place] = number.x * Self.logit(values[place]) + number.y * topLogit + number.z
        }
        let centred = Self.centred(logits)
        for context in contexts {
            var sum = context.factor * values[context.place] + context.offset
            for output in 0..<outputs { sum += context.weights[output] * centred[output] }
            values[context.place] = sum
        }
        for place in values.indices { values[place] = Self.sigmoid(values[place]) }
        for place in taxonomy.bottomUp {
            for parent in taxonomy.classes[place].parents { values[parent] = max(values[parent], values[place]) }
        }
        return values
    }

    private static func softmax(_ logits: [Float], from start: Int, into shares: inout [SIMD8<Float>], lane: Int) {
        var highest = -Float.infinity
        for output in 0..<outputCount where logits[start + output] > highest { highest = logits[start + output] }
        var sum: Float = 0
        for output in 0..<outputCount {
            let power = exp(logits[start + output] - highest)
            // Not a number fails the comparison.
            let share: Float = power >= 0 ? power : 0
            shares[output][lane] = share
            sum += share
        }
        guard sum > 0 else { return }
        let scale = 1 / sum
        for output in 0..<outputCount { shares[output][lane] *= scale }
    }

    /// Less their mean; 0 for one that is not finite.
    private static func centred(_ logits: [Float]) -> [Float] {
        var sum: Float = 0
        var count: Float = 0
        for logit in logits where logit.isFinite {
            // Far beyond what a network says; sums of more could overflow.
            sum += min(max(logit, -1e4), 1e4)
            count += 1
        }
        let mean = count > 0 ? sum / count : 0
        return logits.map { $0.isFinite ? min(max($0, -1e4), 1e4) - mean : 0 }
    }

    static func sigmoid(_ value: Float) -> Float { 1 / (1 + exp(-value)) }

    /// The limits are those of the fit: beyond them the shares are rounding.
    private static func logit(_ share: Float) -> Float {
        let share = min(max(share, 1e-6), 1 - 1e-6)
        return log(share / (1 - share))
    }
}
