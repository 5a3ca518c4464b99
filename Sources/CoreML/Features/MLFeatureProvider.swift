/// Features by name: the inputs or outputs of a model.
public protocol MLFeatureProvider: AnyObject {
    /// The names of the features.
    var featureNames: Set<String> { get }

    /// Returns the feature of that name; nil if there is none.
    func featureValue(for featureName: String) -> MLFeatureValue?
}
