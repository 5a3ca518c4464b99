/// The metadata of a model's file.
public struct MLModelMetadata: Sendable {
    /// The author of the model.
    public var author: String
    /// The purpose of the model, in a sentence.
    public var shortDescription: String
    /// The licence of the model.
    public var license: String?
    /// The version of the model.
    public var version: String
    /// Further entries by key.
    public var additional: [String: String]?

    /// Creates metadata of a model.
    ///
    /// - Parameters:
    ///   - author: The author: the user's full name by default.
    ///   - shortDescription: The purpose.
    ///   - license: The licence.
    ///   - version: The version.
    ///   - additional: Further entries.
    public init(
        author: String = NSFullUserName(), shortDescription: String = "A model trained using CreateML",
        license: String? = nil, version: String = "1", additional: [String: String]? = nil
    ) {
        self.author = author
        self.shortDescription = shortDescription
        self.license = license
        self.version = version
        self.additional = additional
    }
}
