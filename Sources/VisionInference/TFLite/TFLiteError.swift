/// What can be wrong with a TensorFlow Lite file.
package enum TFLiteError: Error, Equatable, Sendable {
    /// The bytes contradict the format; `offset` is the place in the file, where one can be named.
    case damaged(String, offset: Int?)
    /// The file is well formed and needs something that is not read here.
    case unsupported(String)
}
