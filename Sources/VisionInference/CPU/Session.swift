import Foundation
import VisionThreads

/// A network ready to run, from any number of threads at the same time.
///
/// Preparing happens once for every set of input shapes; the last few are kept. A run takes an arena from those that
/// are idle, or makes one, and allocates nothing else but its results.
package final class Session: Sendable {
    package struct Options: Sendable {
        /// Threads of one run with the caller's. Results do not depend on it.
        package var threads: Int
        /// Passes that make the network faster; results may differ in the last bits without them.
        package var optimises: Bool
        /// Sets of input shapes that stay prepared. Beyond `Session.preparedLimit` of them, those that were used
        /// longest ago keep no arenas.
        package var preparedLimit: Int
        /// Whether runs with other input shapes use the same arena, for networks that meet many shapes.
        package var sharesArenas: Bool
        /// The bytes that values whose shapes depend on data may take together in a run.
        package var dynamicLimit: Int

        package init(
            threads: Int = Processors.count, optimises: Bool = true,
            preparedLimit: Int = Session.preparedLimit, sharesArenas: Bool = false,
            dynamicLimit: Int = ModelLimits.arenaBytes
        ) {
            self.threads = threads
            self.optimises = optimises
            self.preparedLimit = preparedLimit
            self.sharesArenas = sharesArenas
            self.dynamicLimit = dynamicLimit
        }
    }

    /// One set of input shapes.
    private final class Prepared: Sendable {
        let program: Program
        private let idle = Locked<[UnsafeTransfer<ExecutionContext>]>([])

        init(_ program: Program) { self.program = program }

        /// - Parameter other: Finds a context of other shapes whose arena may be used.
        func with<Result>(
            replacing other: () -> ExecutionContext?, _ body: (ExecutionContext) throws -> Result
        ) throws -> Result {
            let context = try takeIdle() ?? ExecutionContext(program, replacing: other())
            defer {
                // A burst of runs should not keep its memory for ever.
                idle.withLock { if $0.count < 4 { $0.append(UnsafeTransfer(value: context)) } }
            }
            return try body(context)
        }

        func takeIdle() -> ExecutionContext? { idle.withLock { $0.popLast() }?.value }

        func dropIdle() { idle.withLock { $0.removeAll() } }
    }

    private struct UnsafeTransfer<Value>: @unchecked Sendable { let value: Value }

    private let graph: Graph
    package let options: Options
    let preparation: Preparation
    /// The most recently used last.
    private let prepared = Locked<[(shapes: [Shape], prepared: Prepared)]>([])
    package static let preparedLimit = 8

    package var inputs: [Graph.Port] { graph.inputs }
    package var outputs: [Graph.Port] { graph.outputs }
    package var metadata: [String: String] { graph.metadata }
    /// The operators as they were imported.
    package var nodes: [Graph.Node] { graph.nodes }

    /// Checks the graph; prepares it as well when its inputs' shapes are all fixed.
    ///
    /// - Parameter other: A session of another graph with the same constants: what is packed of them is shared.
    package init(graph: Graph, options: Options = Options(), sharingWeightsOf other: Session? = nil) throws {
        self.graph = graph
        self.options = options
        preparation = other?.preparation ?? Preparation(weights: WeightCache())
        let shapes = graph.inputs.compactMap { port -> Shape? in
            guard let shape = port.shape, !shape.contains(nil) else { return nil }
            return shape.compactMap { $0 }
        }
        if shapes.count == graph.inputs.count { _ = try prepare(shapes) }
    }

    /// Types and shapes of the outputs for these input shapes; nil for one that depends on data.
    package func outputDescriptions(for shapes: [Shape]) throws -> [TensorDescription?] {
        let program = try prepare(shapes).program
        return program.outputs.map { program.descriptions[$0.value] }
    }

    /// Runs the network.
    ///
    /// - Parameter inputs: one tensor for every input, by name.
    /// - Returns: the outputs by name.
    package func run(_ inputs: [String: Tensor], threads: Int? = nil) throws -> [String: Tensor] {
        for name in inputs.keys where !graph.inputs.contains(where: { $0.name == name }) {
            throw ModelError.wrongInput("there is no input “\(name)”; there are: \(inputNames)")
        }
        let tensors = try graph.inputs.map { port in
            guard let tensor = inputs[port.name] else {
                throw ModelError.wrongInput("input “\(port.name)” is missing")
            }
            guard tensor.type == port.type else {
                throw ModelError.wrongInput("input “\(port.name)” is of type \(port.type), not \(tensor.type)")
            }
            return tensor
        }
        return try run(shapes: tensors.map(\.shape), threads: threads) { index, view in
            copyBytes(tensors[index].byteCount, from: tensors[index].storage.base, to: view.base)
        } finish: { context in
            var results: [String: Tensor] = [:]
            for (index, (port, view)) in zip(graph.outputs, try outputs(of: context)).enumerated() {
                if let made = context.dynamicOutput(index) {
                    results[port.name] = made
                    continue
                }
                let copy = try Tensor(zeros: view.shape, of: view.type)
                copyBytes(view.byteCount, from: view.base, to: copy.storage.base)
                results[port.name] = copy
            }
            return results
        }
    }

    private var inputNames: String { graph.inputs.map { "“\($0.name)”" }.joined(separator: ", ") }

    /// Runs the network without copies: inputs are written where it reads them, outputs are read where they lie.
    ///
    /// - Parameters:
    ///   - shapes: of the inputs, in their order.
    ///   - fill: writes one input, all of it.
    ///   - read: gets the outputs in their order; they are valid during the call only.
    package func run<Result>(
        shapes: [Shape], threads: Int? = nil, fill: (_ index: Int, _ input: TensorView) throws -> Void,
        read: (_ outputs: [TensorView]) throws -> Result
    ) throws -> Result {
        try run(shapes: shapes, threads: threads, fill: fill, finish: { try read(try outputs(of: $0)) })
    }

    private func run<Result>(
        shapes: [Shape], threads: Int?, fill: (_ index: Int, _ input: TensorView) throws -> Void,
        finish: (ExecutionContext) throws -> Result
    ) throws -> Result {
        try prepare(shapes).with(replacing: idleContext) { context in
            for index in graph.inputs.indices {
                if let view = context.input(index) { try fill(index, view) }
            }
            defer { context.dropDynamicValues() }
            try Workers.with(threads: min(threads ?? options.threads, options.threads)) {
                try context.run($0, dynamicLimit: options.dynamicLimit)
            }
            return try finish(context)
        }
    }

    private func outputs(of context: ExecutionContext) throws -> [TensorView] {
        try graph.outputs.indices.map { index in
            guard let view = context.output(index) else {
                throw ModelError.invalid("output “\(graph.outputs[index].name)” was never made")
            }
            return view
        }
    }

    /// Takes an idle context of any shapes, where arenas are shared.
    private func idleContext() -> ExecutionContext? {
        guard options.sharesArenas else { return nil }
        for entry in prepared.withLock({ $0 }).reversed() {
            if let context = entry.prepared.takeIdle() { return context }
        }
        return nil
    }

    private func prepare(_ shapes: [Shape]) throws -> Prepared {
        let found = prepared.withLock { entries -> Prepared? in
            guard let index = entries.firstIndex(where: { $0.shapes == shapes }) else { return nil }
            if index != entries.count - 1 {
                entries.append(entries.remove(at: index))
                Self.dropOldArenas(entries)
            }
            return entries.last?.prepared
        }
        if let found { return found }
        var shaped = try ShapedGraph(graph, inputs: try bind(shapes))
        if options.optimises {
            try Optimiser.run(&shaped)
            try Bottlenecks.run(&shaped)
        }
        shaped.replaceConstants(preparation.constants.shared)
        let program = try Program(shaped, threads: max(options.threads, 1), preparation: preparation)
        return prepared.withLock { entries in
            // Another thread may have prepared the same meanwhile.
            if let entry = entries.first(where: { $0.shapes == shapes }) { return entry.prepared }
            if entries.count >= max(options.preparedLimit, 1) { entries.removeFirst() }
            let new = Prepared(program)
            entries.append((shapes, new))
            Self.dropOldArenas(entries)
            return new
        }
    }

    /// The one that has just become too old gives its memory back.
    private static func dropOldArenas(_ entries: [(shapes: [Shape], prepared: Prepared)]) {
        let position = entries.count - 1 - preparedLimit
        if entries.indices.contains(position) { entries[position].prepared.dropIdle() }
    }

    /// The inputs' descriptions, after a check that the shapes are what the ports allow.
    private func bind(_ shapes: [Shape]) throws -> [TensorDescription] {
        guard shapes.count == graph.inputs.count else {
            throw ModelError.wrongInput("\(shapes.count) shapes for \(graph.inputs.count) inputs")
        }
        var symbols: [String: Int] = [:]
        return try zip(graph.inputs, shapes).map { port, shape in
            _ = try shape.checkedElementCount(port.type)
            guard let wanted = port.shape else { return TensorDescription(port.type, shape) }
            guard wanted.count == shape.count, zip(wanted, shape).allSatisfy({ $0 == nil || $0 == $1 }) else {
                let text = wanted.map { $0.map(String.init) ?? "?" }.joined(separator: " × ")
                throw ModelError.wrongInput("input “\(port.name)” has shape \(text), not \(shape)")
            }
            for (size, symbol) in zip(shape, port.symbols) {
                guard let symbol, !symbol.isEmpty else { continue }
                guard symbols.updateValue(size, forKey: symbol) ?? size == size else {
                    throw ModelError.wrongInput("size “\(symbol)” differs between inputs or axes")
                }
            }
            return TensorDescription(port.type, shape)
        }
    }

    // MARK: Profile

    /// One step of a profile.
    package struct StepProfile: Sendable {
        package let node: String
        package let operation: String
        package let outputShape: Shape
        /// Multiplications and additions.
        package let operations: Int
        /// The shortest time that the step took.
        package var seconds: Double
    }

    /// Times every step of a network with these input shapes, on inputs of zeros, and tells the arena's bytes.
    package func profile(
        shapes: [Shape], runs: Int, threads: Int? = nil
    ) throws -> (steps: [StepProfile], seconds: Double, arenaBytes: Int) {
        let prepared = try prepare(shapes)
        let program = prepared.program
        var steps = program.nodes.map { entry in
            StepProfile(
                node: entry.node.name, operation: entry.node.operation.name,
                outputShape: entry.outputs.first?.shape ?? [],
                operations: entry.node.operation.operations(entry.inputs, entry.outputs), seconds: .infinity)
        }
        var total = Double.infinity
        try prepared.with(replacing: idleContext) { context in
            try Workers.with(threads: min(threads ?? options.threads, options.threads)) { workers in
                for _ in 0..<max(runs, 1) {
                    // Each time: later steps may use the memory of an input.
                    for index in graph.inputs.indices {
                        if let view = context.input(index) { clearBytes(view.byteCount, at: view.base) }
                    }
                    let start = DispatchTime.now().uptimeNanoseconds
                    var last = start
                    try context.run(workers) { index in
                        let now = DispatchTime.now().uptimeNanoseconds
                        steps[index].seconds = min(steps[index].seconds, Double(now - last) * 1e-9)
                        last = now
                    }
                    total = min(total, Double(last - start) * 1e-9)
                }
            }
        }
        return (steps, total, program.arenaBytes)
    }
}
