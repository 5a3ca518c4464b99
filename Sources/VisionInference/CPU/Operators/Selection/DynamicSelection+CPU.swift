extension NonZero: CPUOperator {
    package func runDynamically(_ inputs: [Tensor?]) throws -> [Tensor] {
        guard let input = inputs.first ?? nil else { throw ModelError.invalid("NonZero lacks its input") }
        let view = input.view
        let positions = withExtendedLifetime(input) {
            let type = view.type
            let size = type.size
            // A negative zero is one too.
            let signs: [UInt8] = type.isFloat ? [UInt8](repeating: 0, count: size - 1) + [0x80] : []
            return (0..<view.elementCount).filter { index in
                for byte in 0..<size {
                    let value = view.base.load(fromByteOffset: index * size + byte, as: UInt8.self)
                    if signs.isEmpty ? value != 0 : value & ~signs[byte] != 0 { return true }
                }
                return false
            }
        }
        let strides = input.shape.rowMajorStrides
        var rows: [Int64] = []
        rows.reserveCapacity(positions.count * input.shape.count)
        for axis in input.shape.indices {
            for position in positions { rows.append(Int64(position / strides[axis] % input.shape[axis])) }
        }
        // A scalar has an index without numbers.
        return [try Tensor(rows, shape: [input.shape.count, positions.count])]
    }
}

extension Compress: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let input = try required(inputs, 0)
        let condition = try required(inputs, 1).elements(UInt8.self)
        let shape = axis == nil ? [input.elementCount] : input.shape
        let axis = try shape.resolvedAxis(axis ?? 0)
        let bytes = Shape(shape[(axis + 1)...]).elementCount * input.type.size
        var target = outputs[0].base
        guard outputs[0].elementCount > 0 else { return }
        for row in 0..<Shape(shape[..<axis]).elementCount {
            for index in condition.indices where condition[index] != 0 {
                copyBytes(bytes, from: input.base + (row * shape[axis] + index) * bytes, to: target)
                target += bytes
            }
        }
    }
}

extension Unique: CPUOperator {
    package func runDynamically(_ inputs: [Tensor?]) throws -> [Tensor] {
        guard let input = inputs.first ?? nil else { throw ModelError.invalid("Unique lacks its input") }
        let shape = axis == nil ? [input.elementCount] : input.shape
        let axis = try shape.resolvedAxis(axis ?? 0)
        let count = shape[axis]
        let inner = Shape(shape[(axis + 1)...]).elementCount
        let outer = Shape(shape[..<axis]).elementCount
        let values = withExtendedLifetime(input) { input.view.doubles }
        // Large 64-bit integers that a double cannot tell apart are compared as they are.
        let exact = input.type == .int64 || input.type == .uint64 ? input.integers : nil
        func compare(_ a: Int, _ b: Int) -> Int {
            for row in 0..<outer {
                for column in 0..<inner {
                    let first = (row * count + a) * inner + column
                    let second = (row * count + b) * inner + column
                    if let exact {
                        if exact[first] != exact[second] { return exact[first] < exact[second] ? -1 : 1 }
                    } else if values[first] != values[second] {
                        // NaN comes last, and equals itself here.
                        if values[first].isNaN && values[second].isNaN { continue }
                        return values[second].isNaN || values[first] < values[second] ? -1 : 1
                    }
                }
            }
            return 0
        }
        let order = (0..<count).sorted { a, b in
            let difference = compare(a, b)
            return difference == 0 ? a < b : difference < 0
        }
        // Groups of equal ones, each beginning with its first appearance.
        var groups: [[Int]] = []
        for index in order {
            if let last = groups.last?.first, compare(last, index) == 0 {
                groups[groups.count - 1].append(index)
            } else {
                groups.append([index])
            }
        }
        if !sorted { groups.sort { $0[0] < $1[0] } }
        var inverse = [Int64](repeating: 0, count: count)
        for (number, group) in groups.enumerated() {
            for index in group { inverse[index] = Int64(number) }
        }
        var resultShape = shape
        resultShape[axis] = groups.count
        let result = try Tensor(zeros: resultShape, of: input.type)
        let bytes = inner * input.type.size
        for row in 0..<outer {
            for (number, group) in groups.enumerated() {
                copyBytes(
                    bytes, from: input.storage.base + (row * count + group[0]) * bytes,
                    to: result.storage.base + (row * groups.count + number) * bytes)
            }
        }
        return [
            result, try Tensor(groups.map { Int64($0[0]) }), try Tensor(inverse),
            try Tensor(groups.map { Int64($0.count) }),
        ]
    }
}
