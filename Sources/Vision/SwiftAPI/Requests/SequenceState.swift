import VisionThreads

/// What a stateful request of the Swift API keeps: its parameters, which may be set on any thread, and what its classic
/// requests, a new one for each perform, learn from the frames.
final class SequenceState<Classic: VNStatefulRequest, Parameters: Sendable>: @unchecked Sendable {
    // Unchecked: the prototype is neither performed nor changed; its memory has a lock of its own.
    private let prototype: Classic
    private let parameters: Locked<Parameters>

    init(_ prototype: Classic, _ parameters: Parameters) {
        self.prototype = prototype
        self.parameters = Locked(parameters)
    }

    /// The parameters of the next perform.
    var current: Parameters { parameters.current }

    var frameAnalysisSpacing: CMTime { prototype.frameAnalysisSpacing }

    var minimumLatencyFrameCount: Int { prototype.minimumLatencyFrameCount }

    subscript<Value>(_ path: WritableKeyPath<Parameters, Value>) -> Value {
        get { parameters.withLock { $0[keyPath: path] } }
        set { parameters.withLock { $0[keyPath: path] = newValue } }
    }

    /// Returns a request that goes on where the last one ended.
    func next(_ request: Classic) -> Classic {
        request.shareMemory(of: prototype)
        return request
    }
}
