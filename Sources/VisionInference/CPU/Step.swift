package import VisionThreads

/// One piece of work of a prepared network.
package protocol Step: Sendable {
    /// Bytes that the step wants for itself while it runs on this many threads. Their contents are undefined before.
    func scratchBytes(threads: Int) -> Int

    func run(_ buffers: StepBuffers, _ workers: Workers) throws
}

extension Step {
    package func scratchBytes(threads: Int) -> Int { 0 }
}

/// Where a step finds its inputs and leaves its outputs. Made once an arena, so that a run allocates nothing.
package struct StepBuffers {
    package let inputs: [TensorView?]
    package let outputs: [TensorView]
    /// On a cache line.
    package let scratch: UnsafeMutableRawPointer
}

/// What operators share while a network is prepared.
package final class Preparation: Sendable {
    package let weights: WeightCache
    let constants = ConstantCache()

    package init(weights: WeightCache) { self.weights = weights }
}
