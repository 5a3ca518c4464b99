/// The part of a tensor that TensorFlow's strided slice names: begins, ends and strides, one for each axis, with masks
/// whose bits change the meaning of an entry.
struct StridedRange {
    var begin: [Int]
    var end: [Int]
    var strides: [Int]
    /// The entry's begin is where the axis begins.
    var beginMask = 0
    /// The entry's end is where the axis ends.
    var endMask = 0
    /// The entry stands for all axes that no other entry is for.
    var ellipsisMask = 0
    /// The entry stands for a new axis of size 1.
    var newAxisMask = 0
    /// The entry names one index, and its axis is dropped.
    var shrinkMask = 0
    /// Ends count from the begins.
    var endIsOffset = false

    /// A slice along axes counted from the front, the axes to drop after it, and the axes to insert after that.
    struct Resolved: Equatable {
        var starts: [Int] = []
        var ends: [Int] = []
        var axes: [Int] = []
        var steps: [Int] = []
        var removed: [Int] = []
        var inserted: [Int] = []
    }

    func resolved(rank: Int) throws -> Resolved {
        var result = Resolved()
        let entries = begin.indices
        func has(_ mask: Int, _ entry: Int) -> Bool { mask >> entry & 1 != 0 }
        guard entries.count(where: { has(ellipsisMask, $0) }) <= 1 else { throw ModelError.invalid("several ellipses") }
        let named = entries.count { !has(ellipsisMask, $0) && !has(newAxisMask, $0) }
        guard named <= rank else { throw ModelError.invalid("\(named) ranges for \(rank) axes") }

        var axis = 0
        var outputAxis = 0
        for entry in entries {
            if has(ellipsisMask, entry) {
                axis += rank - named
                outputAxis += rank - named
            } else if has(newAxisMask, entry) {
                result.inserted.append(outputAxis)
                outputAxis += 1
            } else {
                try append(entry, axis: axis, shrinks: has(shrinkMask, entry), to: &result)
                if !has(shrinkMask, entry) { outputAxis += 1 }
                axis += 1
            }
        }
        return result
    }

    private func append(_ entry: Int, axis: Int, shrinks: Bool, to result: inout Resolved) throws {
        let step = strides[entry]
        guard step != 0 else { throw ModelError.invalid("a stride of 0") }
        result.axes.append(axis)
        if shrinks {
            // The last index has no end that could be written with a number that counts from the end.
            result.starts.append(begin[entry])
            result.ends.append(begin[entry] == -1 ? .max : begin[entry] &+ 1)
            result.steps.append(1)
            result.removed.append(axis)
            return
        }
        let start = beginMask >> entry & 1 != 0 ? (step > 0 ? 0 : .max) : begin[entry]
        let end = endIsOffset ? begin[entry] &+ self.end[entry] : self.end[entry]
        result.starts.append(start)
        result.ends.append(endMask >> entry & 1 != 0 ? (step > 0 ? .max : .min) : end)
        result.steps.append(step)
    }
}
