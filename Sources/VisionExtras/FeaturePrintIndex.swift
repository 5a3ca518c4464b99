import Vision
import VisionModels

/// Many feature prints under keys, and the search for those nearest to another one.
///
/// A search is exact: it gives the distances that `FeaturePrint.distance(to:)` gives, and leaves nothing nearer out. It
/// goes once through a byte an element, on all cores, and looks at the floats of those prints only that may be among the
/// nearest. The result does not depend on the number of threads.
///
/// The first print that is put in decides on the revision and length of all. A print takes 5 bytes an element and 32 bytes
/// more – 2592 for those of the scene networks – and its key; copies of an index share what they have in common.
///
///     var index = FeaturePrintIndex<String>()
///     for (name, observation) in observations { try index.insert(FeaturePrint(observation), for: name) }
///     let alike = try index.nearest(10, to: FeaturePrint(query))
public struct FeaturePrintIndex<Key: Hashable & Sendable>: Sendable {
    /// A print that a search found.
    public struct Match: Sendable {
        /// The key of the print.
        public let key: Key
        /// Its distance from the print that was looked for.
        public let distance: Float
    }

    private var prints: PrintIndex?
    /// The keys by slot, and the other way round.
    private var keysBySlot: [Key] = []
    private var slots: [Key: Int] = [:]

    /// An index without prints.
    public init() {}

    /// How many prints there are.
    public var count: Int { keysBySlot.count }

    /// Whether there are none.
    public var isEmpty: Bool { keysBySlot.isEmpty }

    /// The revision of the prints; nil before the first.
    public var revision: Int? { prints?.revision }

    /// The number of elements of each print; nil before the first.
    public var elementCount: Int? { prints?.elementCount }

    /// The keys, from the one that was put in first.
    public var keys: [Key] { prints?.slotsByAge.map { keysBySlot[$0] } ?? [] }

    /// The print under a key.
    public subscript(key: Key) -> FeaturePrint? {
        guard let prints, let slot = slots[key] else { return nil }
        // What went in was checked.
        return (try? PrintVector(revision: prints.revision, elements: prints.elements(at: slot)))
            .map(FeaturePrint.init(vector:))
    }

    // MARK: - Changing

    /// Puts a print in, in the place of the one that the key had.
    ///
    /// - Throws: `invalidOperation` when the print is of another revision or length than those that are there.
    public mutating func insert(_ print: FeaturePrint, for key: Key) throws {
        var prints = self.prints ?? PrintIndex(like: print.vector)
        // Not to be shared while it is changed: it would be copied.
        self.prints = nil
        defer { self.prints = prints }
        do {
            try prints.check(print.vector)
            if let slot = slots[key] { take(slot, outOf: &prints) }
            try prints.append(print.vector)
        } catch {
            throw visionError(from: error)
        }
        slots[key] = keysBySlot.count
        keysBySlot.append(key)
    }

    /// Takes a print out. False when the key has none.
    @discardableResult
    public mutating func remove(_ key: Key) -> Bool {
        guard let slot = slots[key], var prints else { return false }
        self.prints = nil
        take(slot, outOf: &prints)
        self.prints = prints
        return true
    }

    private mutating func take(_ slot: Int, outOf prints: inout PrintIndex) {
        prints.remove(at: slot)
        slots[keysBySlot[slot]] = nil
        let last = keysBySlot.removeLast()
        // The last one has moved into the gap.
        if slot < keysBySlot.count {
            keysBySlot[slot] = last
            slots[last] = slot
        }
    }

    // MARK: - Searching

    /// The nearest prints, nearest first; of equally distant ones the one first that was put in first.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - print: What to look for. It need not be in the index; where it is, it is found.
    ///   - distance: The largest distance that counts.
    /// - Throws: `invalidOperation` when the print is of another revision or length than those of the index.
    public func nearest(_ limit: Int, to print: FeaturePrint, within distance: Float = .infinity) throws -> [Match] {
        guard let prints else { return [] }
        do {
            return try prints.nearest(limit, to: print.vector, within: distance, threads: VisionSettings.threadCount)
                .map { Match(key: keysBySlot[$0.slot], distance: $0.distance) }
        } catch {
            throw visionError(from: error)
        }
    }
}
