/// A key of the metadata of a model.
public struct MLModelMetadataKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String

    /// A key of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A `String`: what the model does.
    public static let description = MLModelMetadataKey(rawValue: "MLModelDescriptionKey")
    /// A `String`: its version.
    public static let versionString = MLModelMetadataKey(rawValue: "MLModelVersionStringKey")
    /// A `String`: who made it.
    public static let author = MLModelMetadataKey(rawValue: "MLModelAuthorKey")
    /// A `String`: under which terms it may be used.
    public static let license = MLModelMetadataKey(rawValue: "MLModelLicenseKey")
    /// A `[String: String]`: what else its maker wrote into it.
    public static let creatorDefinedKey = MLModelMetadataKey(rawValue: "MLModelCreatorDefinedKey")
}
