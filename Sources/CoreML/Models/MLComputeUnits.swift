/// The devices on which a model may run. All are accepted; the CPU is the only device. The raw values are Apple's.
public enum MLComputeUnits: Int, Sendable {
    /// The CPU.
    case cpuOnly = 0
    /// The CPU, and the GPU if there is one.
    case cpuAndGPU = 1
    /// Any device.
    case all = 2
    /// The CPU, and the Neural Engine if there is one.
    case cpuAndNeuralEngine = 3
}
