import Vision
import VisionModels

/// A collection of feature prints under keys, with a search for the nearest ones.
///
/// A search is exact: it returns the distances of `FeaturePrint.distance(to:)` and misses no nearer print. It reads one
/// byte of each element, on all processors, and then the floats of only those prints that may be among the nearest. The
/// result does not depend on the number of threads.
///
/// The first print that is inserted determines the revision and length of all. A print takes 5 bytes an element and 32
/// bytes more (2592 for those of the scene networks) and its key; copies of an index share their storage.
///
///     var index = FeaturePrintIndex<String>()
///     for (name, observation) in observations { try index.insert(FeaturePrint(observation), for: name) }
///     let alike = try index.nearest(10, to: FeaturePrint(query))
public struct FeaturePrintIndex<Key: Hashable & Sendable>: Sendable {
    /// A print found by a search.
    public struct Match: Sendable {
        /// The key of the print.
        public let key: Key
        /// Its distance from the query.
        public let distance: Float
    }

    private var prints: PrintIndex?
    /// The keys by slot, and the slots by key.
    private var keysBySlot: [Key] = []
    private var slots: [Key: Int] = [:]

    /// Creates an empty index.
    public init() {}

    /// The number of prints.
    public var count: Int { keysBySlot.count }

    /// Whether the index is empty.
    public var isEmpty: Bool { keysBySlot.isEmpty }

    /// The revision of the prints; nil for an empty index that never had one.
    public var revision: Int? { prints?.revision }

    /// The number of elements of each print; nil before the first.
    public var elementCount: Int? { prints?.elementCount }

    /// The keys in the order of insertion.
    public var keys: [Key] { prints?.slotsByAge.map { keysBySlot[$0] } ?? [] }

    /// The print of a key.
    public subscript(key: Key) -> FeaturePrint? {
        guard let prints, let slot = slots[key] else { return nil }
        // Prints were validated when they were inserted.
        return (try? PrintVector(revision: prints.revision, elements: prints.elements(at: slot)))
            .map(FeaturePrint.init(vector:))
    }

    // MARK: - Changing

    /// Inserts a print, replacing an existing one of the key.
    ///
    /// - Throws: `invalidOperation` if the print is of another revision or length than the existing ones.
    public mutating func insert(_ print: FeaturePrint, for key: Key) throws {
        var prints = self.prints ?? PrintIndex(like: print.vector)
        // Moved out of `self` while it is changed, because a shared one would be copied.
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

    /// Removes a print. Returns false if the key has none.
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

    /// Returns the nearest prints, nearest first; equally distant ones in the order of insertion.
    ///
    /// - Parameters:
    ///   - limit: The largest number of results.
    ///   - print: The query. If it is in the index itself, it is found.
    ///   - distance: The largest distance of a result.
    /// - Throws: `invalidOperation` if the print is of another revision or length than those of the index.
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
