import Foundation

/// An error of reading or processing pixels, below the level of Vision's error codes.
package enum ImageError: Error, Equatable, Sendable {
    /// The file or data cannot be read at all.
    case io(String)
    /// The bytes are not an image that can be decoded, or contradict their header.
    case invalidImage(String)
    /// The pixel layout is not supported.
    case unsupportedFormat(String)
    /// A rectangle, size or other parameter is out of its range.
    case invalidArgument(String)
    /// The image has more pixels than the limit.
    case tooManyPixels(width: Int, height: Int, limit: Int)
    case outOfMemory(bytes: Int)
}

extension ImageError: LocalizedError, CustomStringConvertible {
    /// What is wrong with the image.
    package var description: String {
        switch self {
        case .io(let reason), .invalidImage(let reason), .unsupportedFormat(let reason), .invalidArgument(let reason):
            reason
        case .tooManyPixels(let width, let height, let limit):
            "The image has \(width) × \(height) pixels, more than the limit of \(limit) pixels allows."
        case .outOfMemory(let bytes): "There is not enough memory for \(bytes) bytes of pixels."
        }
    }

    package var errorDescription: String? { description }
}
