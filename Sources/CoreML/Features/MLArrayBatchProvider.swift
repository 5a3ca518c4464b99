/// Several sets of features in an array.
public final class MLArrayBatchProvider: NSObject, MLBatchProvider {
    /// The sets.
    public let array: [any MLFeatureProvider]

    /// A batch of these sets.
    public init(array: [any MLFeatureProvider]) {
        self.array = array
        super.init()
    }

    /// A batch made of one array for each feature, all of the same length.
    ///
    /// - Parameter dictionary: By name, the values of the feature for each set; see `MLDictionaryFeatureProvider`.
    /// - Throws: `MLModelError.featureType` when the lengths differ or a value can be no feature.
    public convenience init(dictionary: [String: [Any]]) throws {
        let count = dictionary.values.first?.count ?? 0
        if let (name, values) = dictionary.first(where: { $0.value.count != count }) {
            throw MLModelError(
                .featureType, "The feature \(name) has \(values.count) values in the batch, others have \(count).")
        }
        self.init(
            array: try (0..<count).map { index in
                try MLDictionaryFeatureProvider(dictionary: dictionary.mapValues { $0[index] })
            })
    }

    /// The number of sets.
    public var count: Int { array.count }

    /// The set at that place; one outside 0 to `count` - 1 is a programming error.
    public func features(at index: Int) -> any MLFeatureProvider { array[index] }
}
