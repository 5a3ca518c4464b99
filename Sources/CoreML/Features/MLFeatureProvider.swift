/// Features by name: what goes into a model and what comes out of it.
public protocol MLFeatureProvider: AnyObject {
    /// The names of the features.
    var featureNames: Set<String> { get }

    /// The feature of that name; nil where there is none.
    func featureValue(for featureName: String) -> MLFeatureValue?
}
