internal import Synchronization
import VisionThreads

/// An index of feature prints of one revision and length for nearest-neighbour search.
///
/// Prints occupy the slots 0..<count. Every print takes 5 bytes an element (the float and its quantised byte) and 32
/// bytes more.
package struct PrintIndex: Sendable {
    /// The data that a search reads before it reads elements.
    private struct Row: Sendable {
        var squaredNorm: Double
        var scale: Double
        var error: Double
        /// The order of insertion: which of two equally distant prints comes first.
        var sequence: UInt64
    }

    private struct Block: Sendable {
        var codes: [Int8] = []
        var elements: [Float] = []
        var rows: [Row] = []
    }

    /// A print that a search found.
    package struct Match: Equatable, Sendable {
        package let slot: Int
        package let distance: Float
    }

    /// The number of prints in a block, which is the unit of parallel search and of copy-on-write.
    static let rowsOfBlock = 1024

    package let revision: Int
    package let elementCount: Int
    package private(set) var count = 0
    private var blocks: [Block] = []
    private var nextSequence: UInt64 = 0
    /// The largest quantisation error of any row that was ever in the index.
    private var largestError = 0.0

    /// Creates an empty index for prints of the same revision and length.
    package init(like print: PrintVector) {
        revision = print.revision
        elementCount = print.elements.count
    }

    /// - Throws: `PrintError.differentKinds` for a print of another revision or length.
    package func check(_ print: PrintVector) throws(PrintError) {
        guard print.revision == revision, print.elements.count == elementCount else {
            throw .differentKinds(
                "The index holds prints of revision \(revision) with \(elementCount) elements; this one is of revision "
                    + "\(print.revision) with \(print.elements.count).")
        }
    }

    // MARK: - Contents

    /// Appends a print in the slot `count`.
    package mutating func append(_ print: PrintVector) throws(PrintError) {
        try check(print)
        if count.isMultiple(of: Self.rowsOfBlock) {
            var block = Block()
            // A small index takes no more memory than it needs; a large one is not copied as its blocks grow.
            if count > 0 {
                block.codes.reserveCapacity(Self.rowsOfBlock * elementCount)
                block.elements.reserveCapacity(Self.rowsOfBlock * elementCount)
                block.rows.reserveCapacity(Self.rowsOfBlock)
            }
            blocks.append(block)
        }
        let coded = CodedPrint<Int8>(print.elements, largest: 127)
        let last = blocks.count - 1
        blocks[last].codes.append(contentsOf: coded.codes)
        blocks[last].elements.append(contentsOf: print.elements)
        blocks[last].rows.append(
            Row(
                squaredNorm: coded.squaredNorm, scale: coded.scale, error: coded.error, sequence: nextSequence))
        largestError = max(largestError, coded.error)
        nextSequence += 1
        count += 1
    }

    /// Removes the print of a slot; the last print moves there. `slot` must be below `count`.
    package mutating func remove(at slot: Int) {
        precondition(slot >= 0 && slot < count)
        let last = blocks.count - 1
        let (block, row) = slot.quotientAndRemainder(dividingBy: Self.rowsOfBlock)
        let lastRow = blocks[last].rows.count - 1
        if slot != count - 1 {
            let from = lastRow * elementCount
            let to = row * elementCount
            for index in 0..<elementCount {
                blocks[block].codes[to + index] = blocks[last].codes[from + index]
                blocks[block].elements[to + index] = blocks[last].elements[from + index]
            }
            blocks[block].rows[row] = blocks[last].rows[lastRow]
        }
        blocks[last].codes.removeLast(elementCount)
        blocks[last].elements.removeLast(elementCount)
        blocks[last].rows.removeLast()
        if lastRow == 0 { blocks.removeLast() }
        count -= 1
    }

    /// The elements of a slot, which must be below `count`.
    package func elements(at slot: Int) -> [Float] {
        precondition(slot >= 0 && slot < count)
        let (block, row) = slot.quotientAndRemainder(dividingBy: Self.rowsOfBlock)
        return Array(blocks[block].elements[row * elementCount..<(row + 1) * elementCount])
    }

    /// The slots in the order of insertion.
    package var slotsByAge: [Int] {
        let sequences = blocks.flatMap { $0.rows.map(\.sequence) }
        return sequences.indices.sorted { sequences[$0] < sequences[$1] }
    }

    // MARK: - Search

    /// Returns the nearest prints, nearest first; of equally distant ones the one that was added first.
    ///
    /// The result is exact: the distances have the bits of `PrintVector.distance(to:)`, and nothing nearer is left out.
    /// It does not depend on the number of threads.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of prints.
    ///   - within: The largest distance.
    package func nearest(
        _ limit: Int, to query: PrintVector, within: Float = .infinity, threads: Int = 1
    ) throws(PrintError) -> [Match] {
        try check(query)
        guard limit > 0, count > 0, within >= 0 else { return [] }
        let limit = min(limit, count)
        let coded = CodedPrint<Int16>(query.elements, largest: 8191)
        // If the distance of quantised vectors exceeds a bound by more than this, the exact distance exceeds the bound.
        let slack = largestError + coded.error
        /// The bits of an upper bound of the distance of the `limit`-th nearest print.
        let bound = Atomic<UInt32>(within.bitPattern)

        return Workers.with(threads: min(threads, blocks.count)) { workers in
            var lists = [NearPrints](repeating: NearPrints(limit: limit), count: workers.count)
            lists.withUnsafeMutableBufferPointer { lists in
                // Workers of different numbers touch different lists.
                nonisolated(unsafe) let lists = lists
                workers.parallel(blocks.count) { part, worker in
                    search(part, query.elements, coded, slack: slack, bound: bound, into: &lists[worker])
                }
            }
            var all = NearPrints(limit: limit)
            for list in lists { for candidate in list.sorted { all.insert(candidate) } }
            return all.sorted.filter { $0.distance <= within }
                .map { Match(slot: $0.slot, distance: $0.distance) }
        }
    }

    private func search(
        _ part: Int, _ query: [Float], _ coded: CodedPrint<Int16>, slack: Double, bound: borrowing Atomic<UInt32>,
        into candidates: inout NearPrints
    ) {
        let block = blocks[part]
        PrintKernels.products(of: block.codes, with: coded.codes, into: &candidates.products)
        var (known, limit) = (UInt32.max, 0.0)
        block.elements.withUnsafeBufferPointer { elements in
            for (index, row) in block.rows.enumerated() {
                let bits = bound.load(ordering: .relaxed)
                if bits != known {
                    known = bits
                    let reach = Double(Float(bitPattern: bits)) * (1 + 1e-5) + slack + 1e-12
                    limit = reach * reach
                }
                let product = Double(candidates.products[index]) * row.scale * coded.scale
                let square = row.squaredNorm + coded.squaredNorm - 2 * product
                // Sums of large squares lose what is below their last bit.
                guard square <= limit + 1e-12 * (row.squaredNorm + coded.squaredNorm) else { continue }
                let candidate = NearPrint(
                    distance: PrintKernels.distance(toRow: index, of: elements, query), sequence: row.sequence,
                    slot: part * Self.rowsOfBlock + index)
                if candidate.distance <= Float(bitPattern: bits), candidates.insert(candidate),
                    let worst = candidates.worst
                {
                    bound.min(worst.distance.bitPattern, ordering: .relaxed)
                }
            }
        }
    }
}

/// A print that may be among the nearest.
private struct NearPrint: Comparable {
    let distance: Float
    let sequence: UInt64
    let slot: Int

    static func < (a: NearPrint, b: NearPrint) -> Bool { (a.distance, a.sequence) < (b.distance, b.sequence) }
}

/// The nearest prints that one thread has found: a heap with the furthest on top.
private struct NearPrints {
    let limit: Int
    private var heap: [NearPrint] = []
    /// Memory for the products of a block.
    var products = [Int32](repeating: 0, count: PrintIndex.rowsOfBlock)

    init(limit: Int) { self.limit = limit }

    /// The furthest print, once there are `limit`.
    var worst: NearPrint? { heap.count == limit ? heap[0] : nil }

    var sorted: [NearPrint] { heap.sorted() }

    /// Returns false where there are `limit` nearer prints.
    @discardableResult
    mutating func insert(_ candidate: NearPrint) -> Bool {
        if heap.count < limit {
            heap.append(candidate)
            var child = heap.count - 1
            while child > 0, heap[(child - 1) / 2] < heap[child] {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
            return true
        }
        guard candidate < heap[0] else { return false }
        heap[0] = candidate
        var parent = 0
        while true {
            var largest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < limit && heap[largest] < heap[child] {
                largest = child
            }
            if largest == parent { return true }
            heap.swapAt(parent, largest)
            parent = largest
        }
    }
}
