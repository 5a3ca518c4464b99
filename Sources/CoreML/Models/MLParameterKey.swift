/// A parameter of a model that a configuration can set. The models that load here have none.
public final class MLParameterKey: MLKey, @unchecked Sendable {
    /// The file of a model that another one links to.
    public static let linkedModelFileName = MLParameterKey(name: "linkedModelFileName")
    /// Where linked models are looked for.
    public static let linkedModelSearchPath = MLParameterKey(name: "linkedModelSearchPath")

    /// The same parameter of a part of the model.
    public func scoped(to scope: String) -> MLParameterKey { MLParameterKey(name: name, scope: scope) }
}
