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
    package var beamWidth: Int

    package init(beamWidth: Int = 16) { self.beamWidth = beamWidth }

    /// Returns the most probable readings, the most probable first; of equally probable ones the one that was found
    /// first. The first reading of a lattice without steps is empty.
    ///
    /// - Parameter count: The maximum number of readings.
    package func readings(of lattice: CTCLattice, count: Int) -> [CTCReading] {
        var search = PrefixSearch()
        // The beams are scaled so that the best one has the probability 1: those of long lines would underflow.
        var logScale = 0.0
        for step in 0..<lattice.stepCount {
            let best = lattice.best(ofStep: step)
            // Most steps are certain; then the order of the prefixes does not change. So it is with a step that shows
            // nothing that may occur.
            if best.probability == 0 || (best.index == 0 && best.probability > 0.9999) {
                search.pass()
                continue
            }
            search.extend(lattice, step, width: beamWidth)
            guard let scale = search.beams.first?.total else { break }
            logScale += log(scale)
            search.divide(by: scale)
        }
        return search.beams.prefix(count).map {
            CTCReading(characters: search.characters(of: $0), logProbability: logScale + log($0.total))
        }
    }
}

/// The beams of a search, and the tree of all prefixes that it has seen: prefixes are compared by their nodes.
private struct PrefixSearch {
    /// A prefix: its last character, and its probabilities with the last step showing none, or that character.
    struct Beam {
        var node: Int32
        /// The entry of the character before the last one; -1 for none.
        var history: Int32
        /// Without meaning for the empty prefix.
        var character: CTCReading.Character
        var none = 0.0
        var last = 0.0
        var total: Double { none + last }
        var isEmpty: Bool { node == 0 }
    }

    /// A prefix in the tree; node 0 is the empty one.
    private struct Node {
        let index: Int
        var firstChild: Int32 = -1
        var sibling: Int32 = -1
        /// The step in which `slot` was set.
        var step = -1
        /// The beam of the prefix.
        var slot = 0
    }

    private(set) var beams: [Beam]
    private var nodes = [Node(index: 0)]
    /// Characters with the entry of the one before. A prefix that goes on keeps the steps that its beginning had then.
    private var entries: [(character: CTCReading.Character, before: Int32)] = []

    init() {
        beams = [Beam(node: 0, history: -1, character: .init(index: 0, step: 0, probability: 0), none: 1)]
    }

    /// Takes a step that shows nothing.
    mutating func pass() {
        for index in beams.indices { (beams[index].none, beams[index].last) = (beams[index].total, 0) }
    }

    mutating func divide(by scale: Double) {
        for index in beams.indices {
            beams[index].none /= scale
            beams[index].last /= scale
        }
    }

    func characters(of beam: Beam) -> [CTCReading.Character] {
        guard !beam.isEmpty else { return [] }
        var characters = [beam.character]
        var entry = beam.history
        while entry >= 0 {
            characters.append(entries[Int(entry)].character)
            entry = entries[Int(entry)].before
        }
        return characters.reversed()
    }

    mutating func extend(_ lattice: CTCLattice, _ step: Int, width: Int) {
        var next: [Beam] = []
        next.reserveCapacity(beams.count * CTCLattice.width)
        for beam in beams {
            // The entry of this beam's last character, once a prefix needs it.
            var history: Int32?
            func grow(_ index: Int, _ value: Float, by probability: Double) {
                let before = history ?? push(beam)
                history = before
                let grown = slot(
                    Beam(
                        node: child(of: beam.node, index), history: before,
                        character: .init(index: index, step: step, probability: value)), step, &next)
                next[grown].last += probability
            }
            lattice.forEachClass(ofStep: step) { index, value in
                let probability = Double(value)
                if index == 0 {
                    next[slot(beam.stripped, step, &next)].none += probability * beam.total
                } else if !beam.isEmpty, beam.character.index == index {
                    // The same character goes on.
                    let own = slot(beam.stripped, step, &next)
                    next[own].last += probability * beam.last
                    if value > next[own].character.probability {
                        next[own].character.step = step
                        next[own].character.probability = value
                    }
                    // Or it comes again, after a step that showed none.
                    if beam.none > 0 { grow(index, value, by: probability * beam.none) }
                } else {
                    grow(index, value, by: probability * beam.total)
                }
            }
        }
        let order = next.indices.sorted { (next[$1].total, $0) < (next[$0].total, $1) }.prefix(width)
        beams = order.map { next[$0] }.filter { $0.total > 0 }
    }

    /// Adds the last character of a beam to the history.
    private mutating func push(_ beam: Beam) -> Int32 {
        guard !beam.isEmpty else { return -1 }
        entries.append((beam.character, beam.history))
        return Int32(entries.count - 1)
    }

    /// Returns the place of a beam's prefix among the next beams, where it is put if it is not there yet.
    private mutating func slot(_ beam: Beam, _ step: Int, _ next: inout [Beam]) -> Int {
        let node = Int(beam.node)
        if nodes[node].step == step { return nodes[node].slot }
        (nodes[node].step, nodes[node].slot) = (step, next.count)
        next.append(beam)
        return next.count - 1
    }

    /// Returns the node of a prefix with one more character.
    private mutating func child(of parent: Int32, _ index: Int) -> Int32 {
        var child = nodes[Int(parent)].firstChild
        while child >= 0 {
            if nodes[Int(child)].index == index { return child }
            child = nodes[Int(child)].sibling
        }
        nodes.append(Node(index: index, sibling: nodes[Int(parent)].firstChild))
        nodes[Int(parent)].firstChild = Int32(nodes.count - 1)
        return Int32(nodes.count - 1)
    }
}

extension PrefixSearch.Beam {
    /// The prefix without probabilities.
    fileprivate var stripped: Self {
        var beam = self
        (beam.none, beam.last) = (0, 0)
        return beam
    }
}
