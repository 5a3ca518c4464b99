import Foundation

/// Confidences of the scene taxonomy's classes from the logits of a scene network.
///
/// The probabilities of a softmax sum to one, so two objects in an image compete. Here each class has an independent
/// confidence: its softmax probability in the whole image and in the best half of the image, combined by a logistic
/// function fitted on labelled photos. An inner class has the probabilities of all outputs below it, and at least the
/// confidence of its best child. For some inner classes, with enough photos, the context counts as well: a linear
/// function of all logits, so that people are found although the networks have only three outputs for them.
///
/// `Training/Scene/fit.py` fits the numbers; the model card in `Documentation/Models.md` says on what.
package struct SceneScoring: Sendable {
    /// The backbone of each revision of the confidences.
    package static let backbones: [Int: Backbone.Revision] = [
        1: .efficientNetLite0, 2: .efficientNetLite2, 3: .efficientNetLite2, 4: .efficientNetLite2,
    ]
    /// How the backbone of a revision computes.
    package static func arithmetic(revision: Int) -> Backbone.Arithmetic { revision == 4 ? .bytes : .floats }
    /// The revision whose numbers and curves a revision has: logits in 8 bits are nearly those in floats.
    static func fitted(revision: Int) -> Int { revision == 4 ? 2 : revision }
    /// Whether a revision runs its backbone at nearly the aspect ratio of the region, not on the square.
    package static func keepsAspect(revision: Int) -> Bool { revision == 3 }
    /// The number of outputs of the backbones.
    package static let outputCount = 1000
    /// The number of halves of the image: left, right, upper, lower.
    package static let partCount = 4

    /// The coefficients of a kind of class.
    private struct Numbers {
        let share: Float
        let top: Float
        let size: Float
        let offset: Float
    }

    /// The context of a class.
    private struct Context {
        let index: Int
        let factor: Float
        let offset: Float
        /// The weight of each logit, after the mean of all is subtracted.
        let weights: [Float]
    }

    private let taxonomy = SceneTaxonomy.shared
    private let partWeight: Float
    /// The outputs of each class and of its descendants, class by class; those of class i are at
    /// `starts[i]..<starts[i + 1]`.
    private let below: [Int]
    private let starts: [Int]
    private let isLeaf: [Bool]
    /// The coefficients of each class: the factor of its own logit, the factor of the highest leaf's logit, the offset.
    private let numbers: [SIMD3<Float>]
    private let contexts: [Context]

    /// - Returns: nil for a revision that has no numbers.
    package init?(revision: Int) {
        let revision = Self.fitted(revision: revision)
        guard let table = try? BinaryTable(builtIn: "scene-scoring.table"),
            let (weight, leaf) = try? Self.numbers(table, "\(revision).leaf"),
            let (_, above) = try? Self.numbers(table, "\(revision).above"),
            let contexts = try? Self.contexts(table, revision: revision)
        else { return nil }
        partWeight = weight
        self.contexts = contexts

        var sets = taxonomy.classes.map { Set($0.outputs) }
        for index in taxonomy.bottomUp {
            for parent in taxonomy.classes[index].parents { sets[parent].formUnion(sets[index]) }
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
        return classes.indices.compactMap { row in
            SceneTaxonomy.shared.index(of: classes[row]).map { index in
                Context(
                    index: index, factor: factors[row], offset: offsets[row],
                    weights: weights[row * outputCount..<(row + 1) * outputCount].map { $0 * steps[row] })
            }
        }
    }

    /// Returns the confidence of each class of the taxonomy, in its order, 0…1.
    ///
    /// The confidences do not sum to one. Logits that are not finite count as no evidence.
    ///
    /// - Parameters:
    ///   - logits: The network's 1000 outputs for the whole image.
    ///   - parts: The outputs for the four halves (`ImageHalf`) one after the other; empty: two objects in an image are
    ///     separated less well.
    package func confidences(ofLogits logits: [Float], parts: [Float] = []) -> [Float] {
        let outputs = Self.outputCount
        precondition(logits.count == outputs && (parts.isEmpty || parts.count == Self.partCount * outputs))
        // SIMD lane 0 is for the whole image and one lane is for each half, so that one addition serves all.
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
        for index in values.indices {
            var sum = SIMD8<Float>.zero
            for position in starts[index]..<starts[index + 1] { sum += shares[below[position]] }
            let whole = sum[0]
            let best = max(max(sum[1], sum[2]), max(sum[3], sum[4]))
            values[index] = (whole + partWeight * best) * scale
            if isLeaf[index] { top = max(top, values[index]) }
        }
        let topLogit = Self.logit(top)
        for index in values.indices {
            let number = numbers[index]
            values[index] = number.x * Self.logit(values[index]) + number.y * topLogit + number.z
        }
        let centred = Self.centred(logits)
        for context in contexts {
            var sum = context.factor * values[context.index] + context.offset
            for output in 0..<outputs { sum += context.weights[output] * centred[output] }
            values[context.index] = sum
        }
        for index in values.indices { values[index] = Self.sigmoid(values[index]) }
        for index in taxonomy.bottomUp {
            for parent in taxonomy.classes[index].parents { values[parent] = max(values[parent], values[index]) }
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

    /// Returns the logits minus their mean; 0 for one that is not finite.
    private static func centred(_ logits: [Float]) -> [Float] {
        var sum: Float = 0
        var count: Float = 0
        for logit in logits where logit.isFinite {
            // Limits beyond the outputs of any network, so that the sum cannot overflow.
            sum += min(max(logit, -1e4), 1e4)
            count += 1
        }
        let mean = count > 0 ? sum / count : 0
        return logits.map { $0.isFinite ? min(max($0, -1e4), 1e4) - mean : 0 }
    }

    static func sigmoid(_ value: Float) -> Float { 1 / (1 + exp(-value)) }

    /// Returns the logit of a probability within the limits of the fit, beyond which rounding dominates.
    private static func logit(_ share: Float) -> Float {
        let share = min(max(share, 1e-6), 1 - 1e-6)
        return log(share / (1 - share))
    }
}
