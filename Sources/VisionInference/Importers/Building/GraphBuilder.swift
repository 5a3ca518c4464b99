/// Builds what one node of a file means out of the engine's operators: what the importers of all formats have in
/// common.
///
/// An importer has a class of its own below it, which knows the node's attributes and inputs. Where a value's type and
/// shape are known, steps that would change nothing are left out.
class GraphBuilder<Sink: GraphSink> {
    typealias Value = Graph.ValueID

    var graph: Sink
    /// Of the node that is being built: values and nodes get it.
    var name: String

    init(_ graph: Sink, name: String = "") {
        self.graph = graph
        self.name = name
    }

    /// Builds something that has a name of its own.
    func named<Result>(_ name: String, _ body: () throws -> Result) rethrows -> Result {
        let outer = self.name
        self.name = name
        defer { self.name = outer }
        return try body()
    }

    // MARK: Nodes and constants

    func add(_ operation: any Operator, _ inputs: [Value?]) throws -> Value {
        try add(operation, inputs, outputs: 1)[0]
    }

    func add(_ operation: any Operator, _ inputs: [Value?], outputs: Int) throws -> [Value] {
        let names = (0..<outputs).map { $0 == 0 ? name : "\(name):\($0)" }
        return try graph.append(operation, inputs, name: name, outputs: names)
    }

    func constant(_ tensor: Tensor) -> Value { graph.addConstant(tensor, name: name) }
    func constant(_ values: [Int]) throws -> Value { constant(try Tensor(values.map { Int64($0) })) }

    func scalar(_ number: Double, _ type: ElementType) throws -> Value {
        constant(try Tensor(number: number, type))
    }

    // MARK: Element by element

    func binary(_ kind: BinaryOperation.Kind, _ a: Value, _ b: Value) throws -> Value {
        try add(BinaryOperation(kind: kind), [a, b])
    }

    func unary(_ kind: UnaryOperation.Kind, _ a: Value) throws -> Value { try add(UnaryOperation(kind: kind), [a]) }

    func cast(_ a: Value, _ type: ElementType) throws -> Value {
        try graph.known(a)?.type == type ? a : try add(Cast(to: type), [a])
    }

    func activation(_ kind: Activation.Kind, _ a: Value) throws -> Value {
        try activated(a, by: Activation(kind))
    }

    /// A value after the activation that a file states together with an operator.
    func activated(_ a: Value, by activation: Activation) throws -> Value {
        try add(ActivationOperation(activation: activation), [a])
    }

    /// The first with the second, the result with the third, and so on.
    func fold(_ kind: BinaryOperation.Kind, _ values: [Value]) throws -> Value {
        guard let first = values.first else { throw ModelError.invalid("it has no inputs") }
        return try values.dropFirst().reduce(first) { try binary(kind, $0, $1) }
    }

    // MARK: Shapes

    /// - Parameter shape: one size may be −1: what is left.
    func reshape(_ value: Value, _ shape: Shape) throws -> Value {
        if try graph.known(value)?.shape == shape { return value }
        return try add(Reshape(allowZero: true), [value, constant(shape)])
    }

    func transpose(_ value: Value, _ permutation: [Int]) throws -> Value {
        if permutation == Array(permutation.indices) { return value }
        return try add(Transpose(permutation: permutation), [value])
    }

    /// Runs `body` on an image (N, C, H, W) with its channels last, and puts them back to the second position.
    func channelsLast(_ value: Value, _ body: (Value) throws -> Value) throws -> Value {
        try transpose(body(transpose(value, [0, 2, 3, 1])), [0, 3, 1, 2])
    }

    func squeeze(_ value: Value, axes: [Int]) throws -> Value {
        axes.isEmpty ? value : try add(Squeeze(), [value, constant(axes)])
    }

    func unsqueeze(_ value: Value, axes: [Int]) throws -> Value {
        axes.isEmpty ? value : try add(Unsqueeze(), [value, constant(axes)])
    }

    func expand(_ value: Value, to shape: Shape) throws -> Value { try add(Expand(), [value, constant(shape)]) }

    // MARK: Joining and parting

    func concat(_ values: [Value], axis: Int) throws -> Value {
        values.count == 1 ? values[0] : try add(Concat(axis: axis), values)
    }

    /// Values of one shape behind each other along a new axis.
    func stack(_ values: [Value], axis: Int) throws -> Value {
        let axes = try constant([axis])
        return try concat(values.map { try add(Unsqueeze(), [$0, axes]) }, axis: axis)
    }

    /// The slice at one index of an axis, which is dropped.
    func slice(_ value: Value, at index: Int, axis: Int) throws -> Value {
        try squeeze(slice(value, axis: axis, index..<index + 1), axes: [axis])
    }

    /// Elements `start..<end` along one axis.
    func slice(_ value: Value, axis: Int, _ range: Range<Int>) throws -> Value {
        if let shape = try graph.known(value)?.shape, shape[axis] == range.count, range.lowerBound == 0 {
            return value
        }
        return try slice(value, from: [range.lowerBound], to: [range.upperBound], axes: [axis])
    }

    /// - Parameter steps: 1 where it is nil.
    func slice(
        _ value: Value, from starts: [Int], to ends: [Int], axes: [Int], steps: [Int]? = nil
    ) throws -> Value {
        let lists = [starts, ends, axes] + (steps.map { [$0] } ?? [])
        return try add(Slice(), [value] + lists.map { try constant($0) })
    }

    /// - Parameter value: of the new elements; 0 where it is nil.
    func pad(
        _ input: Value, before: [Int], after: [Int], mode: Pad.Mode = .constant, value: Value? = nil
    ) throws -> Value {
        try add(Pad(mode: mode), [input, constant(before + after)] + (value.map { [$0] } ?? []))
    }

    // MARK: Sums and products

    /// - Parameter axes: all when it is nil.
    func reduce(
        _ kind: Reduce.Kind, _ value: Value, axes: [Int]? = nil, keepsDimensions: Bool = true
    ) throws -> Value {
        try add(Reduce(kind: kind, axes: axes, keepsDimensions: keepsDimensions), [value])
    }

    /// A value less its mean, and its variance.
    func moments(_ value: Value, axes: [Int]) throws -> (centred: Value, variance: Value) {
        let centred = try binary(.sub, value, reduce(.mean, value, axes: axes))
        return (centred, try reduce(.mean, binary(.mul, centred, centred), axes: axes))
    }

    // MARK: Quantised values

    /// Integers as floats.
    func dequantised(_ value: Value, scales: Value, zeroPoints: Value?, axis: Int = 1) throws -> Value {
        try add(DequantizeLinear(axis: axis), [value, scales, zeroPoints])
    }

    /// Floats as integers.
    func quantised(_ value: Value, scales: Value, zeroPoints: Value?, axis: Int = 1) throws -> Value {
        try add(QuantizeLinear(axis: axis), [value, scales, zeroPoints])
    }
}
