import Foundation
import XCTest

@testable import VisionInference

final class RecurrentTests: XCTestCase {
    private typealias Runner = OperatorRunner
    private let (features, size, batch, length) = (3, 2, 2, 4)

    private func numbers(_ count: Int, _ phase: Double) -> [Float] {
        (0..<count).map { Float(sin(Double($0) * 1.3 + phase)) * 0.8 }
    }

    private func sigmoid(_ x: Float) -> Float { 1 / (1 + exp(-x)) }

    /// The recurrence as its definition says, one number after the other.
    private func naive(
        _ kind: RecurrentNetwork.Kind, _ x: [[Float]], _ w: [Float], _ r: [Float], _ b: [Float], _ p: [Float]
    ) -> [[Float]] {
        var state = [Float](repeating: 0, count: size)
        var cell = state
        let gates = b.count / 2 / size
        return x.map { input in
            func part(_ gate: Int, _ unit: Int) -> Float {
                let row = gate * size + unit
                return (0..<features).reduce(b[row]) { $0 + w[row * features + $1] * input[$1] }
            }
            func back(_ gate: Int, _ unit: Int, _ values: [Float]) -> Float {
                let row = gate * size + unit
                return (0..<size).reduce(b[gates * size + row]) { $0 + r[row * size + $1] * values[$1] }
            }
            let old = state
            switch kind {
            case .plain:
                state = (0..<size).map { tanh(part(0, $0) + back(0, $0, old)) }
            case .gru(let linear):
                let update = (0..<size).map { sigmoid(part(0, $0) + back(0, $0, old)) }
                let reset = (0..<size).map { sigmoid(part(1, $0) + back(1, $0, old)) }
                let scaled = zip(reset, old).map { $0 * $1 }
                for unit in 0..<size {
                    let recurrent = linear ? reset[unit] * back(2, unit, old) : back(2, unit, scaled)
                    let new = tanh(part(2, unit) + recurrent)
                    state[unit] = (1 - update[unit]) * new + update[unit] * old[unit]
                }
            case .lstm:
                for unit in 0..<size {
                    let opened = sigmoid(part(0, unit) + back(0, unit, old) + p[unit] * cell[unit])
                    let kept = sigmoid(part(2, unit) + back(2, unit, old) + p[2 * size + unit] * cell[unit])
                    let new = tanh(part(3, unit) + back(3, unit, old))
                    cell[unit] = kept * cell[unit] + opened * new
                    let shown = sigmoid(part(1, unit) + back(1, unit, old) + p[size + unit] * cell[unit])
                    state[unit] = shown * tanh(cell[unit])
                }
            }
            return state
        }
    }

    func testLayersFollowTheirDefinitionInBothDirections() throws {
        let kinds: [(RecurrentNetwork.Kind, Int)] = [
            (.plain, 1), (.gru(linearBeforeReset: false), 3), (.gru(linearBeforeReset: true), 3),
            (.lstm(couplesForget: false), 4),
        ]
        for (kind, gates) in kinds {
            let rows = gates * size
            let x = numbers(length * batch * features, 0)
            let (w, r) = (numbers(2 * rows * features, 1), numbers(2 * rows * size, 2))
            let (b, p) = (numbers(4 * rows, 3), numbers(6 * size, 4))
            let lengths = [3, 4]
            var inputs: [Tensor?] = [
                try Tensor.floats(x, [length, batch, features]), try Tensor.floats(w, [2, rows, features]),
                try Tensor.floats(r, [2, rows, size]), try Tensor.floats(b, [2, 2 * rows]),
                try Tensor(lengths.map { Int32($0) }),
            ]
            if gates == 4 { inputs += [nil, nil, try Tensor.floats(p, [2, 3 * size])] }
            let results = try Runner.run(
                RecurrentNetwork(kind: kind, direction: .both, hiddenSize: size), inputs, outputs: 2)
            var expected = [Float](repeating: 0, count: length * 2 * batch * size)
            var last = [Float](repeating: 0, count: 2 * batch * size)
            for direction in 0..<2 {
                for item in 0..<batch {
                    var times = Array(0..<lengths[item])
                    if direction == 1 { times.reverse() }
                    let sequence = times.map { time in
                        Array(x[(time * batch + item) * features..<(time * batch + item + 1) * features])
                    }
                    func half<T>(_ values: [T]) -> [T] {
                        Array(values[direction * values.count / 2..<(direction + 1) * values.count / 2])
                    }
                    let states = naive(kind, sequence, half(w), half(r), half(b), half(p))
                    for (time, state) in zip(times, states) {
                        for unit in 0..<size {
                            expected[((time * 2 + direction) * batch + item) * size + unit] = state[unit]
                        }
                    }
                    for unit in 0..<size {
                        last[(direction * batch + item) * size + unit] = states[states.count - 1][unit]
                    }
                }
            }
            assertClose(results[0].floats ?? [], expected, 1e-5)
            assertClose(results[1].floats ?? [], last, 1e-5)
        }
    }

    func testClipFunctionsAndFirstStates() throws {
        let one = try Tensor.floats([1], [1, 1, 1])
        let network = RecurrentNetwork(
            kind: .plain, direction: .reverse, hiddenSize: 1, functions: [.affine(alpha: 2, beta: 1)], clip: 3)
        let results = try Runner.run(
            network,
            [try Tensor.floats([1, 5], [2, 1, 1]), one, one, nil, nil, try Tensor.floats([0.5], [1, 1, 1])],
            outputs: 2)
        // From the end: min(5 + 0.5, 3) · 2 + 1 = 7, then min(1 + 7, 3) · 2 + 1 = 7.
        XCTAssertEqual(results[0].floats, [7, 7])
        let first = RecurrentNetwork(kind: .plain, hiddenSize: 1, isBatchFirst: true)
        let turned = try Runner.run(first, [try Tensor.floats([1, 5, 0], [1, 3, 1]), one, one], outputs: 2)
        XCTAssertEqual(turned[0].shape, [1, 3, 1, 1])
        XCTAssertEqual(turned[1].shape, [1, 1, 1])
        Runner.assertInvalid(first, [try Tensor.floats([1, 5], [1, 2, 1]), one, try Tensor.floats([1])])
        Runner.assertInvalid(
            first, [try Tensor.floats([1, 5], [1, 2, 1]), one, one, nil, try Tensor([Int32(3)])])
        Runner.assertInvalid(RecurrentNetwork(kind: .plain, hiddenSize: 0), [one, one, one])
        Runner.assertInvalid(
            RecurrentNetwork(kind: .plain, hiddenSize: 1, functions: []), [one, one, one])
    }

    /// Layers whose weights are constant run as a product for all times and steps; the others as their definition says.
    func testStepsOfConstantWeightsAreTheSame() throws {
        let kinds: [(RecurrentNetwork.Kind, Int)] = [
            (.plain, 1), (.gru(linearBeforeReset: true), 3), (.lstm(couplesForget: false), 4),
        ]
        for (kind, gates) in kinds {
            for (size, batch, direction) in [
                (1, 1, RecurrentNetwork.Direction.forward), (5, 3, .reverse), (16, 1, .both), (70, 2, .both),
                (33, 4, .both),
            ] {
                for isBatchFirst in [false, true] {
                    let (features, length) = (4, 5)
                    let (directions, rows) = (direction == .both ? 2 : 1, gates * size)
                    let ends = isBatchFirst ? [batch, directions, size] : [directions, batch, size]
                    let count = directions * batch * size
                    var inputs: [Tensor?] = [
                        try Tensor.floats(
                            numbers(length * batch * features, 0),
                            isBatchFirst ? [batch, length, features] : [length, batch, features]),
                        try Tensor.floats(numbers(directions * rows * features, 1), [directions, rows, features]),
                        try Tensor.floats(
                            numbers(directions * rows * size, 2).map { $0 / Float(size).squareRoot() },
                            [directions, rows, size]),
                        try Tensor.floats(numbers(directions * 2 * rows, 3), [directions, 2 * rows]), nil,
                        try Tensor.floats(numbers(count, 4), ends),
                    ]
                    if gates == 4 { inputs.append(try Tensor.floats(numbers(count, 5), ends)) }
                    let layer = RecurrentNetwork(
                        kind: kind, direction: direction, hiddenSize: size, isBatchFirst: isBatchFirst)
                    let outputs = gates == 4 ? 3 : 2
                    let name = "\(layer)"
                    let plain = try Runner.run(layer, inputs, outputs: outputs, constants: [])
                    let steps = try Runner.run(layer, inputs, outputs: outputs, constants: [1, 2, 3])
                    let alone = try Runner.run(layer, inputs, outputs: outputs, constants: [1, 2, 3], threads: 1)
                    for (index, (a, b)) in zip(plain, steps).enumerated() {
                        XCTAssertEqual(a.shape, b.shape, name)
                        for (x, y) in zip(a.floats ?? [], b.floats ?? []) { XCTAssertEqual(x, y, accuracy: 1e-5, name) }
                        XCTAssertEqual(b.floats, alone[index].floats, "threads change nothing: \(name)")
                    }
                    // Without biases and first states.
                    let bare = Array(inputs.prefix(3))
                    let plainStates = try Runner.run(layer, bare, constants: [])[0].floats ?? []
                    let states = try Runner.run(layer, bare, constants: [1, 2])[0].floats ?? []
                    for (x, y) in zip(plainStates, states) { XCTAssertEqual(x, y, accuracy: 1e-5, name) }
                }
            }
        }
    }

    /// A plain layer and an LSTM whose weights are one tensor in two shapes are packed apart.
    func testLayersThatShareTheirWeightsInOtherShapes() throws {
        let shared = try Tensor.floats(numbers(16, 2), [1, 8, 2])
        let layers: [(RecurrentNetwork, Tensor)] = [
            (RecurrentNetwork(kind: .lstm(couplesForget: false), hiddenSize: 2), shared),
            (RecurrentNetwork(kind: .plain, hiddenSize: 4), try shared.reshaped([1, 4, 4])),
        ]
        let x = try Tensor.floats(numbers(length * batch * features, 0), [length, batch, features])
        var graph = Graph()
        let input = graph.addInput("x", .float32, x.shape)
        var expected: [[Float]?] = []
        for (index, (layer, recurrent)) in layers.enumerated() {
            let rows = recurrent.shape[1]
            let weights = try Tensor.floats(numbers(rows * features, 1), [1, rows, features])
            let output = graph.addValue("y\(index)")
            graph.nodes.append(
                Graph.Node(
                    name: "layer \(index)", operation: layer,
                    inputs: [
                        input, graph.addValue("w\(index)", constant: weights),
                        graph.addValue("r\(index)", constant: recurrent),
                    ], outputs: [output]))
            graph.addOutput(output, name: "y\(index)", .float32)
            expected.append(try Runner.run(layer, [x, weights, recurrent], constants: [])[0].floats)
        }
        var shaped = try ShapedGraph(graph, inputs: [TensorDescription(.float32, x.shape)], evaluator: CPUEvaluator())
        try Optimiser.run(&shaped)
        XCTAssertEqual(shaped.graph.nodes.count { $0.operation is RecurrentSteps }, 2)

        let results = try Session(graph: graph).run(["x": x])
        for (index, wanted) in expected.enumerated() {
            let found = try XCTUnwrap(results["y\(index)"]?.floats)
            for (a, b) in zip(try XCTUnwrap(wanted), found) { XCTAssertEqual(a, b, accuracy: 1e-5) }
        }
    }
}
