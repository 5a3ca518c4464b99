/// What a model's file says about itself.
public struct MLModelMetadata: Sendable {
    /// Who made the model.
    public var author: String
    /// What the model does, in a sentence.
    public var shortDescription: String
    /// Under which terms the model may be used.
    public var license: String?
    /// The version of the model.
    public var version: String
    /// Whatever else is to be said, by key.
    public var additional: [String: String]?

    /// Metadata of a model.
    ///
    /// - Parameters:
    ///   - author: Who made it: the user's full name.
    ///   - shortDescription: What it does.
    ///   - license: Under which terms it may be used.
    ///   - version: Its version.
    ///   - additional: Whatever else is to be said.
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
