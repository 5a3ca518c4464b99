/// A device that models can run on. Here there is one, the CPU.
public enum MLComputeDevice: Hashable, Sendable, CustomStringConvertible {
    /// The CPU.
    case cpu(MLCPUComputeDevice)
    /// A GPU; never available here.
    case gpu(MLGPUComputeDevice)
    /// A neural engine; never available here.
    case neuralEngine(MLNeuralEngineComputeDevice)

    /// All devices of this machine: its CPU.
    public static var allComputeDevices: [MLComputeDevice] { [.cpu(.shared)] }

    /// A text for logs.
    public var description: String {
        switch self {
        case .cpu: "CPU"
        case .gpu: "GPU"
        case .neuralEngine: "Neural Engine"
        }
    }
}

/// The CPU as a device of models.
public final class MLCPUComputeDevice: Hashable, Sendable {
    static let shared = MLCPUComputeDevice()

    private init() {}

    /// Returns whether both have the same values.
    public static func == (lhs: MLCPUComputeDevice, rhs: MLCPUComputeDevice) -> Bool { lhs === rhs }

    /// Combines what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A GPU as a device of models. There is none here: the class exists so that code that tells devices apart compiles.
public final class MLGPUComputeDevice: Hashable, Sendable {
    private init() {}

    /// Returns whether both have the same values.
    public static func == (lhs: MLGPUComputeDevice, rhs: MLGPUComputeDevice) -> Bool { lhs === rhs }

    /// Combines what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A neural engine as a device of models. There is none here: the class exists so that code that tells devices apart
/// compiles.
public final class MLNeuralEngineComputeDevice: Hashable, Sendable {
    private init() {}

    /// Returns whether both have the same values.
    public static func == (lhs: MLNeuralEngineComputeDevice, rhs: MLNeuralEngineComputeDevice) -> Bool { lhs === rhs }

    /// Combines what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
