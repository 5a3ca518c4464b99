extension TopK: NumericOperator {
    func compute<T: NumericScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let axis = try input.shape.resolvedAxis(axis)
        let size = input.shape[axis]
        let count = outputs[0].shape[axis]
        guard count > 0, !outputs[0].shape.contains(0) else { return }
        let outer = Shape(input.shape[..<axis]).elementCount
        let inner = Shape(input.shape[(axis + 1)...]).elementCount
        let source = input.pointer(T.self)
        let values = outputs[0].pointer(T.self)
        var line = [(value: T.Wide, index: Int32)](repeating: (T(double: 0).wide, 0), count: size)
        let largest = largest
        // Whether a comes before b.
        func precedes(_ a: (value: T.Wide, index: Int32), _ b: (value: T.Wide, index: Int32)) -> Bool {
            if a.value == b.value { return a.index < b.index }
            if T.isNaN(a.value) { return T.isNaN(b.value) ? a.index < b.index : largest }
            if T.isNaN(b.value) { return !largest }
            return largest ? a.value > b.value : a.value < b.value
        }
        for row in 0..<outer {
            for column in 0..<inner {
                let elements = source + (row * size * inner + column)
                for index in 0..<size { line[index] = (elements[index * inner].wide, Int32(index)) }
                let best = firstOnes(&line, count, precedes)
                for index in 0..<count {
                    let position = (row * count + index) * inner + column
                    values[position] = T(wide: best[index].value)
                    if outputs.count < 2 { continue }
                    if indexType == .int64 {
                        outputs[1].pointer(Int64.self)[position] = Int64(best[index].index)
                    } else {
                        outputs[1].pointer(Int32.self)[position] = best[index].index
                    }
                }
            }
        }
    }

    /// The first `count` of the elements in their order. The array is left in any order.
    private func firstOnes<Element>(
        _ elements: inout [Element], _ count: Int, _ precedes: (Element, Element) -> Bool
    ) -> ArraySlice<Element> {
        guard count * 8 < elements.count else {
            elements.sort(by: precedes)
            return elements[..<count]
        }
        // A heap of the best so far, the last of them on top.
        func sink(_ start: Int, _ end: Int) {
            var parent = start
            while true {
                var child = 2 * parent + 1
                guard child < end else { return }
                if child + 1 < end, precedes(elements[child], elements[child + 1]) { child += 1 }
                guard precedes(elements[parent], elements[child]) else { return }
                elements.swapAt(parent, child)
                parent = child
            }
        }
        for start in stride(from: count / 2 - 1, through: 0, by: -1) { sink(start, count) }
        for index in count..<elements.count where precedes(elements[index], elements[0]) {
            elements[0] = elements[index]
            sink(0, count)
        }
        return elements[..<count].sorted(by: precedes)[...]
    }
}
