internal import Foundation

/// Scaled dot-product attention of several heads, as ONNX has it from operator set 23.
///
/// Inputs: queries, keys, values (batch, heads, sequence, size; or batch, sequence, heads · size), and optionally a mask
/// (truth, or numbers to add), past keys, past values, and how many keys of each batch count. Outputs: the result, the
/// keys and the values with the past ones, and the matrix of queries times keys as `matrixOutput` says.
package struct Attention: FloatOperator {
    /// What the fourth output holds.
    package enum MatrixOutput: Hashable, Sendable { case product, withMask, withSoftcap, softmax }

    package var queryHeads: Int?
    package var keyHeads: Int?
    /// nil: 1 / √size.
    package var scale: Float?
    package var isCausal: Bool
    package var softcap: Float
    package var matrixOutput: MatrixOutput

    package init(
        queryHeads: Int? = nil, keyHeads: Int? = nil, scale: Float? = nil, isCausal: Bool = false, softcap: Float = 0,
        matrixOutput: MatrixOutput = .product
    ) {
        self.queryHeads = queryHeads
        self.keyHeads = keyHeads
        self.scale = scale
        self.isCausal = isCausal
        self.softcap = softcap
        self.matrixOutput = matrixOutput
    }

    package var name: String { "Attention" }

    /// A tensor as heads: its sizes, and elements from one batch, head and row to the next.
    private struct Heads {
        let batch: Int
        let heads: Int
        let rows: Int
        let size: Int
        let steps: (batch: Int, head: Int, row: Int)

        init(_ shape: Shape, heads: Int?) throws {
            if shape.count == 4 {
                (batch, self.heads, rows, size) = (shape[0], shape[1], shape[2], shape[3])
                steps = (self.heads &* rows &* size, rows &* size, size)
                return
            }
            guard shape.count == 3, let heads, heads > 0, shape[2] % heads == 0 else {
                throw ModelError.invalid("Attention: shape \(shape) in \(heads ?? 0) heads")
            }
            (batch, self.heads, rows, size) = (shape[0], heads, shape[1], shape[2] / heads)
            steps = (rows &* shape[2], size, shape[2])
        }
    }

    private struct Sizes {
        let query: Heads
        let key: Heads
        let value: Heads
        let past: Int

        var keys: Int { past + key.rows }
    }

    private func sizes(_ shapes: [Shape?]) throws -> Sizes {
        func shape(_ index: Int) -> Shape? { index < shapes.count ? shapes[index] : nil }
        guard let q = shape(0), let k = shape(1), let v = shape(2) else {
            throw ModelError.invalid("Attention lacks queries, keys or values")
        }
        let query = try Heads(q, heads: queryHeads)
        let key = try Heads(k, heads: keyHeads ?? queryHeads)
        let value = try Heads(v, heads: keyHeads ?? queryHeads)
        try check(
            query.batch == key.batch && key.batch == value.batch && key.heads == value.heads && key.rows == value.rows
                && query.size == key.size && key.heads > 0 && query.heads % key.heads == 0 && query.size > 0,
            "queries \(q), keys \(k), values \(v)")
        var past = 0
        if let pastKey = shape(4), let pastValue = shape(5) {
            try check(
                pastKey.count == 4 && pastValue.count == 4 && pastKey[2] == pastValue[2]
                    && pastKey == [key.batch, key.heads, pastKey[2], key.size]
                    && pastValue == [key.batch, key.heads, pastKey[2], value.size],
                "past keys \(pastKey), past values \(pastValue)")
            past = pastKey[2]
        } else {
            try check(shape(4) == nil && shape(5) == nil, "past keys without values or values without keys")
        }
        return Sizes(query: query, key: key, value: value, past: past)
    }

    package func infer(_ inputs: [TensorDescription?]) throws -> Inference {
        let query = try requiredFloat(inputs, 0)
        for index in [1, 2, 4, 5] where index < 3 || isPresent(inputs, index) {
            try check(try required(inputs, index).type == query.type, "inputs of different types")
        }
        let sizes = try sizes(inputs.map { $0?.shape })
        let (batch, heads, rows) = (sizes.query.batch, sizes.query.heads, sizes.query.rows)
        if isPresent(inputs, 3) {
            let mask = try required(inputs, 3)
            var shape = mask.shape
            try check(mask.type == .bool || mask.type.isFloat, "a mask of type \(mask.type)")
            // A mask may end before the keys do.
            if let last = shape.last, last < sizes.keys, last > 1 || shape.count == 1 {
                shape[shape.count - 1] = sizes.keys
            }
            try check(
                shape.count <= 4
                    && (try [batch, heads, rows, sizes.keys].broadcast(with: shape)) == [
                        batch, heads, rows, sizes.keys,
                    ], "a mask of shape \(mask.shape) for \([batch, heads, rows, sizes.keys])")
        }
        if isPresent(inputs, 6) {
            try check(try requiredIndices(inputs, 6).shape == [batch], "as many lengths as batches are wanted")
        }
        let result =
            query.shape.count == 4
            ? [batch, heads, rows, sizes.value.size] : [batch, rows, heads &* sizes.value.size]
        let shapes = [
            result, [batch, sizes.key.heads, sizes.keys, sizes.key.size],
            [batch, sizes.key.heads, sizes.keys, sizes.value.size], [batch, heads, rows, sizes.keys],
        ]
        for shape in shapes { _ = try shape.checkedElementCount(query.type) }
        return .known(shapes.map { TensorDescription(query.type, $0) })
    }

    package func operations(_ inputs: [TensorDescription?], _ outputs: [TensorDescription]) -> Int {
        guard let sizes = try? sizes(inputs.map { $0?.shape }) else { return 0 }
        return 2 * sizes.query.batch * sizes.query.heads * sizes.query.rows * sizes.keys
            * (sizes.query.size + sizes.value.size)
    }

    func compute<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let sizes = try sizes(inputs.map { $0?.shape })
        let keys = sizes.keys
        func pointer(_ index: Int) -> UnsafeMutablePointer<T>? { optional(inputs, index)?.pointer(T.self) }
        guard let query = pointer(0), let key = pointer(1), let value = pointer(2) else { return }
        let factor = T.Wide(scale.map { Double($0) } ?? 1 / Double(sizes.query.size).squareRoot())
        let group = sizes.query.heads / sizes.key.heads
        let mask = optional(inputs, 3).map { MaskValues($0, keys: keys) }
        let lengths = optional(inputs, 6)
        // Keys with their sizes outermost, so that a row of the matrix is built from long rows.
        var turned = [T.Wide](repeating: 0, count: sizes.key.size * keys)
        var values = [T.Wide](repeating: 0, count: sizes.value.size * keys)
        for batch in 0..<sizes.query.batch {
            let limit = lengths.map { $0.index(at: batch) } ?? keys
            for keyHead in 0..<sizes.key.heads {
                func source(_ heads: Heads, _ base: UnsafePointer<T>, _ past: UnsafePointer<T>?, _ row: Int)
                    -> UnsafePointer<T>
                {
                    if row < sizes.past, let past {
                        return past + ((batch * heads.heads + keyHead) * sizes.past + row) * heads.size
                    }
                    return base + batch * heads.steps.batch + keyHead * heads.steps.head
                        + (row - sizes.past) * heads.steps.row
                }
                for row in 0..<keys {
                    let from = source(sizes.key, key, pointer(4), row)
                    for index in 0..<sizes.key.size { turned[index * keys + row] = from[index].wide }
                    let other = source(sizes.value, value, pointer(5), row)
                    for index in 0..<sizes.value.size { values[row * sizes.value.size + index] = other[index].wide }
                    let place = (batch * sizes.key.heads + keyHead) * keys + row
                    if outputs.count > 1 {
                        outputs[1].pointer(T.self).advanced(by: place * sizes.key.size).update(
                            from: from, count: sizes.key.size)
                    }
                    if outputs.count > 2 {
                        outputs[2].pointer(T.self).advanced(by: place * sizes.value.size).update(
                            from: other, count: sizes.value.size)
                    }
                }
                for head in keyHead * group..<(keyHead + 1) * group {
                    for row in 0..<sizes.query.rows {
                        attend(
                            T.self,
                            query + batch * sizes.query.steps.batch + head * sizes.query.steps.head
                                + row * sizes.query.steps.row, turned, values, sizes, (batch, head, row), factor, mask,
                            limit, outputs)
                    }
                }
            }
        }
    }

    /// One row of one head.
    private func attend<T: FloatScalar>(
        _ type: T.Type, _ query: UnsafePointer<T>, _ turned: [T.Wide], _ values: [T.Wide], _ sizes: Sizes,
        _ place: (batch: Int, head: Int, row: Int), _ factor: T.Wide, _ mask: MaskValues?, _ limit: Int,
        _ outputs: [TensorView]
    ) {
        let keys = sizes.keys
        let width = sizes.value.size
        var scores = [T.Wide](repeating: 0, count: keys)
        for index in 0..<sizes.key.size {
            let element = query[index].wide * factor
            for column in 0..<keys { scores[column] += element * turned[index * keys + column] }
        }
        func store(_ output: MatrixOutput) {
            guard outputs.count > 3, output == matrixOutput else { return }
            let start = ((place.batch * sizes.query.heads + place.head) * sizes.query.rows + place.row) * keys
            let target = outputs[3].pointer(T.self) + start
            for column in 0..<keys { target[column] = T(wide: scores[column]) }
        }
        store(.product)
        let last = isCausal ? min(sizes.past + place.row, limit - 1) : limit - 1
        for column in 0..<keys {
            if let mask { scores[column] += T.Wide(mask[place.batch, place.head, place.row, column]) }
            if column > last { scores[column] = -.infinity }
        }
        store(.withMask)
        if softcap > 0 {
            let cap = Double(softcap)
            for column in 0..<keys { scores[column] = T.Wide(cap * tanh(Double(scores[column]) / cap)) }
        }
        store(.withSoftcap)
        var largest = -T.Wide.infinity
        for column in 0..<keys { largest = max(largest, scores[column]) }
        var sum: T.Wide = 0
        for column in 0..<keys {
            scores[column] = T.Wide(exp(Double(scores[column] - largest)))
            sum += scores[column]
        }
        for column in 0..<keys { scores[column] /= sum }
        store(.softmax)
        var result = [T.Wide](repeating: 0, count: width)
        for column in 0..<keys {
            let weight = scores[column]
            for index in 0..<width { result[index] += weight * values[column * width + index] }
        }
        let start =
            outputs[0].shape.count == 4
            ? ((place.batch * sizes.query.heads + place.head) * sizes.query.rows + place.row) * width
            : ((place.batch * sizes.query.rows + place.row) * sizes.query.heads + place.head) * width
        let target = outputs[0].pointer(T.self) + start
        for index in 0..<width { target[index] = T(wide: result[index]) }
    }
}

/// A mask that is broadcast to batches, heads, rows and keys; it hides the keys beyond its end.
private struct MaskValues {
    private let values: [Double]
    private let strides: [Int]
    private let columns: Int

    init(_ view: TensorView, keys: Int) {
        values = view.type == .bool ? view.doubles.map { $0 == 0 ? -.infinity : 0 } : view.doubles
        let width = view.shape.last ?? 1
        columns = width == 1 && view.shape.count > 1 ? keys : width
        strides = view.shape.broadcastStrides(to: [0, 0, 0, 0])
    }

    subscript(batch: Int, head: Int, row: Int, column: Int) -> Double {
        if column >= columns { return -.infinity }
        return values[batch * strides[0] + head * strides[1] + row * strides[2] + column * strides[3]]
    }
}
