/// An error of a file, video or folder of images. The description is the path and the reason.
struct VideoError: Error, Equatable, CustomStringConvertible {
    enum Kind: Equatable {
        /// The file or folder cannot be opened, read or written.
        case io
        /// The file is not a video, or the folder contains no images.
        case notAVideo
        /// The codec, the container or the pixel format is not supported.
        case unsupported
        /// A frame has more pixels than the limit.
        case tooLarge
        /// The video is truncated or changes its size. The frames before that are valid.
        case damaged
        case outOfMemory
        /// FFmpeg's libraries are not installed, or are of another major version.
        case noVideoSupport
    }

    let kind: Kind
    let path: String
    let reason: String

    var description: String { "\(path.isEmpty ? "''" : path): \(reason)" }
}
