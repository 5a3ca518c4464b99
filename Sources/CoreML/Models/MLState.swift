import VisionInference
import VisionThreads

/// What a model keeps from one prediction to the next, as the caches of a language model: made by
/// `MLModel.makeState()`, and given to every prediction that goes on with it.
///
/// One state serves one prediction at a time; another that is given the same one waits.
public final class MLState: NSObject, @unchecked Sendable {
    // Unchecked because of NSObject and the arrays, which are only used under the lock.

    private let arrays: Locked<[String: MLMultiArray]>

    init(_ states: [CoreMLNetwork.State] = []) {
        var arrays: [String: MLMultiArray] = [:]
        // Where memory is short, predictions throw.
        for state in states { arrays[state.name] = try? MLMultiArray(lengths: state.shape, dataType: .float32) }
        self.arrays = Locked(arrays)
        super.init()
    }

    /// Calls a closure with one of the values that are kept, which it may change.
    ///
    /// - Parameters:
    ///   - stateName: The name of the state in the model. Another name is a programming error and ends the process.
    ///   - body: Gets the value, an array of 32-bit floats, which it must not keep.
    public func withMultiArray<Result>(
        for stateName: String, _ body: (MLMultiArray) throws -> Result
    ) rethrows -> Result {
        try arrays.withLock { arrays in
            guard let array = arrays[stateName] else {
                preconditionFailure("The model keeps no value “\(stateName)”, but \(arrays.keys.sorted()).")
            }
            return try body(array)
        }
    }

    /// Runs a prediction with the arrays of the named states, in that order.
    func use<Result>(_ states: [CoreMLNetwork.State], _ body: ([MLMultiArray]) throws -> Result) throws -> Result {
        try arrays.withLock { arrays in
            let kept = states.compactMap { arrays[$0.name] }
            guard kept.map(\.layout.shape) == states.map(\.shape) else {
                throw MLModelError(
                    .featureType,
                    "The state is another model's, or there was not enough memory for it: it has values of the "
                        + "shapes \(kept.map(\.layout.shape)), not \(states.map(\.shape)). Use makeState()."
                )
            }
            return try body(kept)
        }
    }
}

extension MLModel {
    /// Makes the values that the model keeps from one prediction to the next, all zeros. Of a model that keeps none it
    /// is empty.
    public func makeState() -> MLState {
        if case .stateful(_, let states) = runner { return MLState(states) }
        return MLState()
    }

    /// Returns the model's outputs for these inputs, and changes the state to what the model keeps of them.
    ///
    /// - Throws: `MLModelError.featureType` if a feature is missing or invalid, or the state is another model's.
    public func prediction(from input: any MLFeatureProvider, using state: MLState) throws -> any MLFeatureProvider {
        try MLDictionaryFeatureProvider(features: run(features(of: input), state: state).features())
    }

    /// Returns the model's outputs for these inputs, those in the arrays that the options name, and changes the state
    /// to what the model keeps of them.
    ///
    /// - Throws: `MLModelError.featureType` if a feature is missing or invalid, the state is another model's, or an
    ///   array does not fit its output.
    public func prediction(
        from input: any MLFeatureProvider, using state: MLState, options: MLPredictionOptions
    ) throws -> any MLFeatureProvider {
        // Before the state changes: what throws afterwards would count the input twice when it is tried again.
        try modelDescription.check(options.outputBackings)
        return try prediction(from: input, using: state).stored(in: options.outputBackings)
    }
}
