import Foundation

/// A reading of a line of text.
package struct CTCReading: Equatable, Sendable {
    /// A character of the reading.
    package struct Character: Equatable, Sendable {
        /// Its class.
        package var index: Int
        /// The step that shows it best.
        package var step: Int
        /// The probability of the class in that step.
        package var probability: Float
    }

    package var characters: [Character]
    /// The logarithm of the reading's probability, which is the sum over all ways in which the steps can show it.
    package var logProbability: Double
}

/// Finds the most probable readings of a lattice by prefix beam search (Hannun et al., "First-pass large vocabulary
/// continuous speech recognition using bi-directional recurrent DNNs", 2014).
package struct CTCDecoder: Sendable {
    /// The number of prefixes that are kept after each step.
    package var beamWidth = 16

    package init() {}

    /// A prefix: its characters, and its probabilities with the last step showing none, or its last character.
    private struct Beam {
        var characters: [CTCReading.Character]
        var none = 0.0
        var last = 0.0
        var total: Double { none + last }
    }

    /// Returns the most probable readings, the most probable first; of equally probable ones the one that was found
    /// first. The first reading of a lattice without steps is empty.
    ///
    /// - Parameter count: The maximum number of readings.
    package func readings(of lattice: CTCLattice, count: Int) -> [CTCReading] {
        var beams = [Beam(characters: [], none: 1)]
        // The beams are scaled so that the best one has the probability 1: those of long lines would underflow.
        var logScale = 0.0
        for step in 0..<lattice.stepCount {
            let best = lattice.best(ofStep: step)
            // Most steps are certain; then the order of the prefixes does not change. So it is with a step that shows
            // nothing that may occur.
            if best.probability == 0 || (best.index == 0 && best.probability > 0.9999) {
                for index in beams.indices { (beams[index].none, beams[index].last) = (beams[index].total, 0) }
                continue
            }
            beams = extended(beams, lattice, step)
            guard let scale = beams.first?.total else { break }
            logScale += log(scale)
            for index in beams.indices {
                beams[index].none /= scale
                beams[index].last /= scale
            }
        }
        return beams.prefix(count).map {
            CTCReading(characters: $0.characters, logProbability: logScale + log($0.total))
        }
    }

    private func extended(_ beams: [Beam], _ lattice: CTCLattice, _ step: Int) -> [Beam] {
        var next: [Beam] = []
        var slots: [[Int]: Int] = [:]
        func slot(_ characters: [CTCReading.Character]) -> Int {
            let key = characters.map(\.index)
            if let slot = slots[key] { return slot }
            slots[key] = next.count
            next.append(Beam(characters: characters))
            return next.count - 1
        }
        for beam in beams {
            lattice.forEachClass(ofStep: step) { index, value in
                let probability = Double(value)
                if index == 0 {
                    next[slot(beam.characters)].none += probability * beam.total
                    return
                }
                if let last = beam.characters.last, last.index == index {
                    // The same character goes on.
                    let own = slot(beam.characters)
                    next[own].last += probability * beam.last
                    if value > (next[own].characters.last?.probability ?? 0) {
                        next[own].characters[beam.characters.count - 1].step = step
                        next[own].characters[beam.characters.count - 1].probability = value
                    }
                    // Or it comes again, after a step that showed none.
                    guard beam.none > 0 else { return }
                    let grown = slot(beam.characters + [.init(index: index, step: step, probability: value)])
                    next[grown].last += probability * beam.none
                } else {
                    let grown = slot(beam.characters + [.init(index: index, step: step, probability: value)])
                    next[grown].last += probability * beam.total
                }
            }
        }
        let order = next.indices.sorted { (next[$1].total, $0) < (next[$0].total, $1) }.prefix(beamWidth)
        return order.map { next[$0] }.filter { $0.total > 0 }
    }
}
