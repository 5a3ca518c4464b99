/// A parameter of a model that a configuration can set. The models supported here have none.
public final class MLParameterKey: MLKey, @unchecked Sendable {
    /// The file of a model that another one links to.
    public static let linkedModelFileName = MLParameterKey(name: "linkedModelFileName")
    /// The folders with linked models.
    public static let linkedModelSearchPath = MLParameterKey(name: "linkedModelSearchPath")

    /// Returns the same parameter of a part of the model.
    public func scoped(to scope: String) -> MLParameterKey { MLParameterKey(name: name, scope: scope) }
}
