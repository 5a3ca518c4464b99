/// Assigns every value an offset in one arena: two values share bytes when they are never needed at the same time.
package struct MemoryPlan: Hashable, Sendable {
    /// Something that needs memory from the step that writes it up to the last one that reads it.
    package struct Block: Hashable, Sendable {
        package var bytes: Int
        /// Numbers of steps; both included.
        package var first: Int
        package var last: Int

        package init(bytes: Int, first: Int, last: Int) {
            self.bytes = bytes
            self.first = first
            self.last = last
        }
    }

    /// Blocks start on cache lines.
    package static let alignment = 64

    /// Where each block starts.
    package private(set) var offsets: [Int]
    package private(set) var byteCount = 0

    /// Large blocks first, each at the lowest offset that is free all through its life. Beyond a few thousand blocks,
    /// which no network of real size has, only blocks that follow each other in time share memory.
    package init(_ blocks: [Block]) throws {
        offsets = [Int](repeating: 0, count: blocks.count)
        let order = blocks.indices.sorted { (blocks[$0].bytes, -$0) > (blocks[$1].bytes, -$1) }
        var placed: [Int] = []
        for index in order where blocks[index].bytes > 0 {
            let block = blocks[index]
            let size = (block.bytes + Self.alignment - 1) / Self.alignment * Self.alignment
            var offset = 0
            if blocks.count <= 8192 {
                // `placed` is in order of offsets, so the first gap is the lowest.
                for other in placed
                where blocks[other].first <= block.last && block.first <= blocks[other].last {
                    if offsets[other] >= offset + size { break }
                    offset = max(offset, offsets[other] + aligned(blocks[other].bytes))
                }
                let position = placed.firstIndex { offsets[$0] > offset } ?? placed.count
                placed.insert(index, at: position)
            } else {
                offset = byteCount
            }
            offsets[index] = offset
            byteCount = max(byteCount, offset + size)
            guard byteCount <= ModelLimits.arenaBytes else {
                throw ModelError.tooLarge("the network needs more than \(ModelLimits.arenaBytes >> 30) GiB to run")
            }
        }
    }

    private func aligned(_ bytes: Int) -> Int {
        (bytes + Self.alignment - 1) / Self.alignment * Self.alignment
    }
}
