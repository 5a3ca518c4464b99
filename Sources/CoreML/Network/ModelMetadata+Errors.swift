import NetworkMetadata

extension ModelMetadata {
    /// Reads metadata, with the error of a model where it cannot be used.
    ///
    /// - Throws: `MLModelError`, and what else `read` throws.
    static func reporting<Result>(_ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error as UnusableMetadata {
            throw MLModelError(error.isUnreadable ? .io : .generic, error.description)
        }
    }
}
