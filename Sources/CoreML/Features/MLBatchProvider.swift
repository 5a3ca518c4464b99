/// A batch of feature providers: the inputs or the outputs of several predictions.
public protocol MLBatchProvider: AnyObject {
    /// The number of feature providers.
    var count: Int { get }

    /// Returns the feature provider at an index in 0 ..< `count`.
    func features(at index: Int) -> any MLFeatureProvider
}
