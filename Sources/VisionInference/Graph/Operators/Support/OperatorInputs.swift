/// A list of whole numbers that an operator takes as an input: axes, a shape, pads…
enum IntegersInput {
    /// Left out.
    case absent
    /// There, but it depends on what the network is given.
    case unknown
    case values([Int])
}

extension Operator {
    /// Reads a small input of whole numbers.
    func integers(_ inputs: [TensorDescription?], _ index: Int) throws -> IntegersInput {
        guard index < inputs.count, let input = inputs[index] else { return .absent }
        guard input.type == .int64 || input.type == .int32, input.shape.count <= 1 else {
            throw ModelError.invalid("input \(index) is of type \(input.type) and shape \(input.shape)")
        }
        // As many axes as can be, or a few numbers for each.
        guard input.shape.elementCount <= 4 * ModelLimits.rank else {
            throw ModelError.invalid("\(input.shape.elementCount) numbers in input \(index)")
        }
        guard let constant = input.constant else { return .unknown }
        return .values(constant.integers ?? [])
    }

    /// One whole number.
    func integer(_ inputs: [TensorDescription?], _ index: Int) throws -> IntegersInput {
        let result = try integers(inputs, index)
        if case .values(let values) = result, values.count != 1 {
            throw ModelError.invalid("\(values.count) numbers in input \(index), not one")
        }
        return result
    }

    func isPresent(_ inputs: [TensorDescription?], _ index: Int) -> Bool {
        index < inputs.count && inputs[index] != nil
    }

    func check(_ condition: Bool, _ text: @autoclosure () -> String) throws {
        if !condition { throw ModelError.invalid(text()) }
    }

    /// An input of floats.
    func requiredFloat(_ inputs: [TensorDescription?], _ index: Int) throws -> TensorDescription {
        let input = try required(inputs, index)
        guard input.type.isFloat else {
            throw unsupported(input.type)
        }
        return input
    }

    /// An input of numbers, as opposed to truth values.
    func requiredNumber(_ inputs: [TensorDescription?], _ index: Int) throws -> TensorDescription {
        let input = try required(inputs, index)
        guard input.type != .bool else {
            throw unsupported(input.type)
        }
        return input
    }

    func unsupported(_ type: ElementType) -> ModelError {
        .unsupported("elements of type \(type)")
    }

    /// Axes counted from the front, each once.
    func resolvedAxes(_ axes: [Int], _ shape: Shape) throws -> [Int] {
        let resolved = try axes.map { try shape.resolvedAxis($0) }
        try check(Set(resolved).count == resolved.count, "axes \(axes) are not all different")
        return resolved
    }
}

/// Maps axes as the file counts them to those of a tensor that is kept transposed: nil while they are the same.
struct AxisOrder: Sendable, Hashable {
    private var order: [Int]?

    init() {}

    func callAsFunction(_ axis: Int) -> Int {
        guard let order, order.indices.contains(axis) else { return axis }
        return order[axis]
    }

    /// For inputs before a transpose by `permutation`.
    func before(_ permutation: [Int]) -> AxisOrder {
        var result = AxisOrder()
        result.order = order.map { $0.map { permutation[$0] } } ?? permutation
        return result
    }
}
