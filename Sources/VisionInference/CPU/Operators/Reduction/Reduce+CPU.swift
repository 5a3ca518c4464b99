internal import Foundation

extension Reduce: FamilyOperator {
    package func prepare(_ inputs: Inputs, _ outputs: Outputs, _ preparation: Preparation) throws -> any Step {
        let input = try required(inputs, 0)
        if input.type == .float32, let axes = try reducedAxes(inputs),
            let step = ReduceKernelStep(kind, input.shape, axes)
        {
            return step
        }
        return PlainStep(operation: self)
    }

    private func layout(_ inputs: [TensorView?]) throws -> ReductionLayout {
        guard let axes = try reducedAxes(inputs.map { try $0?.describedWithIntegers() }) else {
            throw ModelError.invalid("it does not know its axes")
        }
        return ReductionLayout(try required(inputs, 0).shape, axes)
    }

    func truths(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        try integers(UInt8.self, inputs, outputs)
    }

    /// Floats are added up as `Double`, so that long sums do not lose their last bits.
    func floats<T: FloatScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (layout, input, output) = (try layout(inputs), try required(inputs, 0), outputs[0])
        let (source, target) = (input.pointer(T.self), output.pointer(T.self))
        @inline(__always) func fold(
            _ start: Double, _ step: (Double, Double) -> Double, _ end: (Double) -> Double = { $0 }
        ) {
            layout.fold(start, source, target, { step($0, $1.double) }, { T(double: end($0)) })
        }
        @inline(__always) func larger(_ a: Double, _ b: Double) -> Double { a > b || a.isNaN ? a : b }
        let count = Double(layout.reducedCount)
        switch kind {
        case .sum: fold(0, +)
        case .mean: fold(0, +) { $0 / count }
        case .prod: fold(1, *)
        case .max: fold(-.infinity, larger)
        case .min: fold(.infinity) { -larger(-$0, -$1) }
        case .l1: fold(0) { $0 + $1.magnitude }
        case .l2: fold(0, { $0 + $1 * $1 }) { $0.squareRoot() }
        case .sumSquare: fold(0) { $0 + $1 * $1 }
        case .logSum: fold(0, +) { log($0) }
        case .logSumExp:
            // Relative to the largest, so that exponentials stay in range.
            layout.fold(
                (largest: -Double.infinity, sum: 0.0), source, target,
                { state, element in
                    let x = element.double
                    if x.isNaN || state.sum.isNaN { return (x, .nan) }
                    if x == -.infinity { return state }
                    if x <= state.largest {
                        return (state.largest, state.sum + (x == .infinity ? 1 : exp(x - state.largest)))
                    }
                    return (x, (x == .infinity ? 0 : state.sum * exp(state.largest - x)) + 1)
                },
                { T(double: $0.largest + log($0.sum)) })
        case .any, .all: break
        }
    }

    func integers<T: IntegerScalar>(_ type: T.Type, _ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (layout, input, output) = (try layout(inputs), try required(inputs, 0), outputs[0])
        let (source, target) = (input.pointer(T.self), output.pointer(T.self))
        func float(_ start: Double, _ step: (Double, Double) -> Double, _ end: (Double) -> Double) {
            layout.fold(start, source, target, { step($0, Double($1)) }, { T(double: end($0)) })
        }
        let count = Int64(layout.reducedCount)
        switch kind {
        case .sum: layout.fold(T(0), source, target, &+, { $0 })
        case .mean:
            layout.fold(
                Int64(0), source, target, { $0 &+ Int64(truncatingIfNeeded: $1) },
                { count == 0 ? 0 : T(truncatingIfNeeded: $0 / count) })
        case .prod: layout.fold(T(1), source, target, &*, { $0 })
        case .max: layout.fold(T.min, source, target, { Swift.max($0, $1) }, { $0 })
        // Truth begins as true.
        case .min:
            layout.fold(input.type == .bool ? 1 : T.max, source, target, { Swift.min($0, $1) }, { $0 })
        case .l1: layout.fold(T(0), source, target, { $0 &+ ($1 < 0 ? 0 &- $1 : $1) }, { $0 })
        case .sumSquare: layout.fold(T(0), source, target, { $0 &+ $1 &* $1 }, { $0 })
        case .l2: float(0, { $0 + $1 * $1 }, { $0.squareRoot() })
        case .logSum: float(0, +, { log($0) })
        case .logSumExp: float(0, { $0 + exp($1) }, { log($0) })
        case .any: layout.fold(T(0), source, target, { $0 != 0 || $1 != 0 ? 1 : 0 }, { $0 })
        case .all: layout.fold(T(1), source, target, { $0 != 0 && $1 != 0 ? 1 : 0 }, { $0 })
        }
    }
}

/// How the elements of a tensor are spread over the results of a reduction.
struct ReductionLayout: Sendable {
    /// Where each result's first element lies, and how the others follow. The arrays: input, output.
    private let kept: StridedRows
    private let reduced: StridedRows
    let reducedCount: Int

    init(_ shape: Shape, _ axes: Set<Int>) {
        let strides = shape.rowMajorStrides
        let keptAxes = shape.indices.filter { !axes.contains($0) }
        let reducedAxes = shape.indices.filter { axes.contains($0) }
        let keptShape = keptAxes.map { shape[$0] }
        kept = StridedRows(keptShape, [keptAxes.map { strides[$0] }, keptShape.rowMajorStrides])
        reduced = StridedRows(reducedAxes.map { shape[$0] }, [reducedAxes.map { strides[$0] }])
        reducedCount = reduced.rowCount * reduced.count
    }

    /// Computes every result from `start`, one element after the other.
    @inline(__always)
    func fold<A, B, State>(
        _ start: State, _ source: UnsafePointer<A>, _ target: UnsafeMutablePointer<B>,
        _ step: (State, A) -> State, _ end: (State) -> B
    ) {
        let (length, stepSize) = (reduced.count, reduced.steps[0])
        kept.forEach { offsets in
            for index in 0..<kept.count {
                let base = source + (offsets[0] + index * kept.steps[0])
                var state = start
                reduced.forEach { row in
                    let elements = base + row[0]
                    for position in 0..<length { state = step(state, elements[position &* stepSize]) }
                }
                target[offsets[1] + index * kept.steps[1]] = end(state)
            }
        }
    }
}
