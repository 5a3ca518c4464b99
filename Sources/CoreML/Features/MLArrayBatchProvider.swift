/// A batch of feature providers in an array.
public final class MLArrayBatchProvider: NSObject, MLBatchProvider {
    /// The feature providers.
    public let array: [any MLFeatureProvider]

    /// Creates a batch of these feature providers.
    public init(array: [any MLFeatureProvider]) {
        self.array = array
        super.init()
    }

    /// Creates a batch from one array for each feature, all of the same length.
    ///
    /// - Parameter dictionary: The values of each feature by name; see `MLDictionaryFeatureProvider`.
    /// - Throws: `MLModelError.featureType` if the lengths differ or a value cannot be a feature.
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

    /// The number of feature providers.
    public var count: Int { array.count }

    /// Returns the feature provider at an index, which must be in 0 ..< `count`.
    public func features(at index: Int) -> any MLFeatureProvider { array[index] }
}
