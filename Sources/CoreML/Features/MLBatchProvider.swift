/// Several sets of features: the inputs or the outputs of several predictions.
public protocol MLBatchProvider: AnyObject {
    /// The number of sets.
    var count: Int { get }

    /// The set at that place, from 0 to `count` - 1.
    func features(at index: Int) -> any MLFeatureProvider
}
