/// A key of the metadata of a model.
public struct MLModelMetadataKey: RawRepresentable, Hashable, Sendable {
    /// The name of the key.
    public let rawValue: String

    /// Creates a key with that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A `String`: what the model does.
    public static let description = MLModelMetadataKey(rawValue: "MLModelDescriptionKey")
    /// A `String`: its version.
    public static let versionString = MLModelMetadataKey(rawValue: "MLModelVersionStringKey")
    /// A `String`: the author.
    public static let author = MLModelMetadataKey(rawValue: "MLModelAuthorKey")
    /// A `String`: the licence.
    public static let license = MLModelMetadataKey(rawValue: "MLModelLicenseKey")
    /// A `[String: String]`: further entries of the author.
    public static let creatorDefinedKey = MLModelMetadataKey(rawValue: "MLModelCreatorDefinedKey")
}
