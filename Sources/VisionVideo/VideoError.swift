public import Foundation

/// An error of a video, or of a file or folder that belongs to one. The description is a sentence: the source and the
/// reason.
public struct VideoError: Error, Equatable, CustomStringConvertible, LocalizedError {
    /// What went wrong.
    public enum Kind: Equatable, Sendable {
        /// The file, device or address cannot be opened, read or written.
        case io
        /// The bytes are not a video, or the folder contains no images.
        case notAVideo
        /// The codec, the container or the pixel format is not supported.
        case unsupported
        /// A frame has more pixels than the limit.
        case tooLarge
        /// The video is truncated or changes its size. The frames before that are valid.
        case damaged
        /// Memory is short.
        case outOfMemory
        /// FFmpeg's libraries are not installed, or are of another major version.
        case noVideoSupport
        /// A device, an address or a pipe sent no frame within the timeout.
        case timeout
        /// The reader was cancelled.
        case cancelled
    }

    /// What went wrong.
    public let kind: Kind
    /// The path or the address, without a password.
    public let path: String
    /// Why, with FFmpeg's message where there is one.
    public let reason: String

    package init(kind: Kind, path: String, reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    /// The source and the reason.
    public var description: String { "\(path.isEmpty ? "''" : path): \(reason)" }

    /// The source and the reason.
    public var errorDescription: String? { description }
}
