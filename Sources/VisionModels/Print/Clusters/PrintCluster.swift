/// The prints of one cluster, as a search reads them: their identifiers and binary codes.
package struct PrintCluster: Sendable, Equatable {
    package internal(set) var ids: [Int64]
    /// The codes of 32 prints at a time, interleaved: a byte of each, then the next.
    package internal(set) var codes: [UInt8]
    /// `BinaryCode.offset` of each print; infinite in the empty slots of the last block, which no search finds.
    package internal(set) var offsets: [Float]
    /// `BinaryCode.factor` of each print.
    package internal(set) var factors: [Float]

    /// The bytes of a cluster in a file.
    static func byteCount(prints: Int, codeBytes: Int) -> Int { 8 * prints + slots(for: prints) * (codeBytes + 8) }

    static func slots(for prints: Int) -> Int {
        (prints + BinaryCode.blockSize - 1) / BinaryCode.blockSize * BinaryCode.blockSize
    }

    /// Interleaves the codes of prints.
    ///
    /// - Parameter codes: Print by print, `codeBytes` each.
    init(ids: [Int64], codes: [UInt8], codeBytes: Int, offsets: [Float], factors: [Float]) {
        let slots = Self.slots(for: ids.count)
        self.ids = ids
        self.offsets = offsets + [Float](repeating: .infinity, count: slots - ids.count)
        self.factors = factors + [Float](repeating: 0, count: slots - ids.count)
        var interleaved = [UInt8](repeating: 0, count: slots * codeBytes)
        for print in ids.indices {
            let (block, slot) = print.quotientAndRemainder(dividingBy: BinaryCode.blockSize)
            let first = block * BinaryCode.blockSize * codeBytes + slot
            for byte in 0..<codeBytes {
                interleaved[first + byte * BinaryCode.blockSize] = codes[print * codeBytes + byte]
            }
        }
        self.codes = interleaved
    }
}

/// The prints of the smallest estimated distances that a search has met.
struct PrintCandidates {
    struct Candidate: Comparable {
        let estimate: Float
        let id: Int64

        static func < (a: Candidate, b: Candidate) -> Bool { (a.estimate, a.id) < (b.estimate, b.id) }
    }

    let limit: Int
    private var found: [Candidate] = []
    /// The largest estimate that can still be among them.
    private(set) var reach = Float.infinity

    init(limit: Int) {
        self.limit = limit
        found.reserveCapacity(2 * limit)
    }

    mutating func add(_ id: Int64, estimate: Float) {
        found.append(Candidate(estimate: estimate, id: id))
        if found.count == 2 * limit { reduce() }
    }

    /// The candidates, those of the smallest estimates first.
    var sorted: [Candidate] { Array(found.sorted().prefix(limit)) }

    /// Keeps the `limit` smallest: those before the place at which a partition by pivots ends (quickselect).
    private mutating func reduce() {
        var (low, high) = (0, found.count - 1)
        while low < high {
            // The median of three, because lists are partly sorted.
            let pivot = [found[low], found[(low + high) / 2], found[high]].sorted()[1]
            var (i, j) = (low, high)
            while i <= j {
                while found[i] < pivot { i += 1 }
                while pivot < found[j] { j -= 1 }
                if i <= j {
                    found.swapAt(i, j)
                    (i, j) = (i + 1, j - 1)
                }
            }
            if limit - 1 <= j { high = j } else if limit - 1 >= i { low = i } else { break }
        }
        reach = found[..<limit].reduce(-.infinity) { max($0, $1.estimate) }
        found.removeSubrange(limit...)
    }
}
