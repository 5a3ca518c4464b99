/// Weights that a program states in a compressed form (`constexpr_…`), in full.
enum CompressedWeights {
    static func tensor(_ type: String, _ inputs: [String: ProgramValue], type output: ElementType?) throws -> Tensor {
        func required(_ name: String) throws -> Tensor {
            guard let tensor = inputs[name]?.tensor else { throw ModelError.damaged("“\(name)” is missing") }
            return tensor
        }
        func numbers(_ tensor: Tensor) throws -> [Float] {
            if let floats = tensor.floats { return floats }
            guard let integers = tensor.integers else { throw ModelError.damaged("elements of type \(tensor.type)") }
            return integers.map { Float($0) }
        }
        func shape(_ name: String) throws -> Shape {
            guard let sizes = try required(name).integers else { throw ModelError.damaged("“\(name)” is no shape") }
            _ = try sizes.checkedElementCount(.float32)
            return sizes
        }
        switch type {
        case "constexpr_cast": return try floats(required("source_val"))
        case "constexpr_affine_dequantize":
            let data = try required("quantized_data")
            let axis = try data.shape.resolvedAxis(required("axis").integers?.first ?? 0)
            func broadcast(_ tensor: Tensor) throws -> Tensor {
                guard tensor.elementCount == 1 || tensor.elementCount == data.shape[axis] else {
                    throw ModelError.damaged("\(tensor.elementCount) scales for \(data.shape[axis]) channels")
                }
                var shape = data.shape.map { _ in 1 }
                if tensor.elementCount > 1 { shape[axis] = tensor.elementCount }
                return try Tensor(numbers(tensor), shape: shape)
            }
            return try scaled(data, broadcast(required("scale")), broadcast(required("zero_point")))
        case "constexpr_blockwise_shift_scale":
            return try scaled(
                required("data"), floats(required("scale")), inputs["offset"]?.tensor.map { try floats($0) })
        case "constexpr_lut_to_dense" where inputs["shape"] != nil:
            let (shape, table) = (try shape("shape"), try numbers(required("lut")))
            let bits = table.count.trailingZeroBitCount
            guard (1...8).contains(bits), table.count == 1 << bits else {
                throw ModelError.damaged("a table of \(table.count) weights")
            }
            let packed = try required("indices")
            let count = shape.elementCount
            guard packed.type == .uint8, packed.elementCount == (count * bits + 7) / 8 else {
                throw ModelError.damaged("\(count) indices of \(bits) bits in \(packed.elementCount) bytes")
            }
            let bytes = ModelSlice(ModelBytes(packed.values(as: UInt8.self) ?? []))
            let indices = PackedIntegers.unpack(bytes, bits: bits, count: count, order: .leastSignificantFirst)
            return try Tensor(indices.map { table[Int($0)] }, shape: shape)
        case "constexpr_lut_to_dense":
            return try lookedUp(
                required("indices"), floats(required("lut")), axis: inputs["vector_axis"]?.tensor?.integers?.first)
        case "constexpr_sparse_to_dense" where inputs["shape"] != nil:
            let shape = try shape("shape")
            let mask = try required("mask")
            let count = shape.elementCount
            guard mask.type == .uint8, mask.elementCount == (count + 7) / 8 else {
                throw ModelError.damaged("a mask of \(mask.elementCount) bytes for \(count) weights")
            }
            let bytes = ModelSlice(ModelBytes(mask.values(as: UInt8.self) ?? []))
            let bits = PackedIntegers.unpack(bytes, bits: 1, count: count, order: .leastSignificantFirst)
            return try spread(numbers(required("nonzero_data")), bits, shape)
        case "constexpr_sparse_to_dense":
            let mask = try required("mask")
            return try spread(
                numbers(required("nonzero_data")), (mask.integers ?? []).map { UInt8($0 == 0 ? 0 : 1) }, mask.shape)
        default:
            throw ModelError.unsupported("Decompress the weights before the conversion")
        }
    }

    private static func floats(_ tensor: Tensor) throws -> Tensor {
        if tensor.type == .float32 { return tensor }
        guard let numbers = tensor.floats ?? tensor.integers?.map({ Float($0) }) else {
            throw ModelError.damaged("elements of type \(tensor.type)")
        }
        return try Tensor(numbers, shape: tensor.shape)
    }

    /// (data − offset) · scale, each of which holds for a block of the data.
    private static func scaled(_ data: Tensor, _ scale: Tensor, _ offset: Tensor?) throws -> Tensor {
        let shape = data.shape
        guard scale.shape.count == shape.count, offset.map({ $0.shape.count == shape.count }) ?? true,
            zip(shape, scale.shape).allSatisfy({ $1 > 0 && $0 % $1 == 0 }),
            offset.map({ zip(shape, $0.shape).allSatisfy { $1 > 0 && $0 % $1 == 0 } }) ?? true
        else { throw ModelError.damaged("scales of shape \(scale.shape) for \(shape)") }
        var values = try floats(data).floats ?? []
        guard !values.isEmpty else { return try Tensor(values, shape: shape) }
        let (scales, offsets) = (scale.floats ?? [], offset?.floats)
        let (scaleShape, offsetShape) = (scale.shape, offset?.shape ?? scale.shape)
        forEachRow(shape) { start, index, width in
            let (first, second) = (block(index, shape, scaleShape), block(index, shape, offsetShape))
            let (a, b) = (scaleShape.last ?? 1, offsetShape.last ?? 1)
            for column in 0..<width {
                let shift = offsets.map { $0[second + column * b / width] } ?? 0
                values[start + column] = (values[start + column] - shift) * scales[first + column * a / width]
            }
        }
        return try Tensor(values, shape: shape)
    }

    /// Calls `body` for every run of elements along the last axis: the number of its first one, the index of that, and
    /// how many there are.
    private static func forEachRow(_ shape: Shape, _ body: (_ start: Int, _ index: [Int], _ width: Int) -> Void) {
        let width = shape.last ?? 1
        forEachIndex(Array(shape.dropLast()) + (shape.isEmpty ? [] : [1])) { index, number in
            body(number * width, index, width)
        }
    }

    /// The number of the element of a table with fewer elements, each of which stands for a block, at an index.
    private static func block(_ index: [Int], _ shape: Shape, _ table: Shape) -> Int {
        let steps = table.rowMajorStrides
        return table.indices.reduce(0) { $0 + index[$1] * table[$1] / shape[$1] * steps[$1] }
    }

    /// Elements of tables, one for each block of the indices; with an axis vectors along it.
    private static func lookedUp(_ indices: Tensor, _ table: Tensor, axis: Int?) throws -> Tensor {
        let (shape, rank) = (indices.shape, indices.shape.count)
        guard table.shape.count == rank + 2, zip(shape, table.shape).allSatisfy({ $1 > 0 && $0 % $1 == 0 }) else {
            throw ModelError.damaged("tables of shape \(table.shape) for indices of shape \(shape)")
        }
        let (entries, width) = (table.shape[rank], table.shape[rank + 1])
        let numbers = indices.integers ?? []
        guard numbers.count == shape.elementCount, numbers.allSatisfy({ (0..<entries).contains($0) }), width > 0 else {
            throw ModelError.damaged("an index of weights is in no table")
        }
        let vectorAxis = try width == 1 ? max(rank - 1, 0) : shape.resolvedAxis(axis ?? rank - 1)
        var result = shape
        if rank > 0 { result[vectorAxis] *= width }
        var values = [Float](repeating: 0, count: try result.checkedElementCount(.float32))
        let (steps, source) = (result.rowMajorStrides, table.floats ?? [])
        let tables = Array(table.shape[..<rank])
        let tableSteps = tables.rowMajorStrides
        forEachIndex(shape) { index, number in
            var (block, start) = (0, 0)
            for axis in shape.indices {
                block += index[axis] * tables[axis] / shape[axis] * tableSteps[axis]
                start += index[axis] * (axis == vectorAxis ? width : 1) * steps[axis]
            }
            let first = (block * entries + numbers[number]) * width
            for part in 0..<width { values[start + part * (rank > 0 ? steps[vectorAxis] : 0)] = source[first + part] }
        }
        return try Tensor(values, shape: result)
    }

    /// Weights where the mask is 1, and zeros.
    private static func spread(_ weights: [Float], _ mask: [UInt8], _ shape: Shape) throws -> Tensor {
        guard mask.count == shape.elementCount, mask.reduce(0, { $0 + Int($1) }) == weights.count else {
            throw ModelError.damaged("\(weights.count) weights for a mask of other size")
        }
        var next = 0
        let values = mask.map { bit -> Float in
            guard bit != 0 else { return 0 }
            next += 1
            return weights[next - 1]
        }
        return try Tensor(values, shape: shape)
    }
}
