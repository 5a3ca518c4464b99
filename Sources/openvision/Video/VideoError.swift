/// What is wrong with a video or a folder of images, with the path in front of the reason.
struct VideoError: Error, Equatable, CustomStringConvertible {
    enum Kind: Equatable {
        /// The file or folder cannot be opened, read or written.
        case io
        /// The bytes are no video, or the folder holds no images.
        case notAVideo
        /// The codec, the container or the pixel layout is not known.
        case unsupported
        /// A frame has more pixels than the limit.
        case tooLarge
        /// The video breaks off or changes its size half-way. Frames before that are good.
        case damaged
        case outOfMemory
    }

    let kind: Kind
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
}
