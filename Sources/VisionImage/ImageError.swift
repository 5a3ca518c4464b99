/// What can go wrong with pixels, below the level of Vision's error codes.
package enum ImageError: Error, Equatable, Sendable {
    /// The file or data cannot be read at all.
    case io(String)
    /// The bytes are not an image that can be decoded, or the image lies about itself.
    case invalidImage(String)
    /// The pixel layout is one that this package does not read.
    case unsupportedFormat(String)
    /// A rectangle, size or other parameter is out of its range.
    case invalidArgument(String)
    /// The image has more pixels than the limit allows.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    case outOfMemory(bytes: Int)
}
