import VisionImage

// Every error of `VNErrorDomain` is made in this file, and every error from below is translated here.

/// An error of Vision's domain. The message says what was wrong and, where it can, what to do.
func visionError(_ code: VNErrorCode, _ message: String, cause: (any Error)? = nil) -> NSError {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let cause { userInfo[NSUnderlyingErrorKey] = cause }
    return NSError(domain: VNErrorDomain, code: code.rawValue, userInfo: userInfo)
}

/// The error that a user sees for whatever went wrong below.
func visionError(from error: any Error) -> NSError {
    if let error = error as? ImageError { return visionError(from: error) }
    // Every Swift error bridges to NSError; only those of our domain are ready for the user.
    let bridged = error as NSError
    if bridged.domain == VNErrorDomain { return bridged }
    return visionError(.internalError, "Internal error: \(error)", cause: error)
}

private func visionError(from error: ImageError) -> NSError {
    switch error {
    case .io(let reason): visionError(.ioError, reason)
    case .invalidImage(let reason): visionError(.invalidImage, reason)
    case .unsupportedFormat(let reason): visionError(.invalidFormat, reason)
    case .invalidArgument(let reason): visionError(.invalidArgument, reason)
    case .tooManyPixels(let width, let height, let limit):
        visionError(
            .invalidImage, "The image has \(width) × \(height) pixels, more than the limit of \(limit) pixels allows.")
    case .outOfMemory(let bytes):
        visionError(.outOfMemory, "There is no memory for \(bytes) bytes of pixels.")
    }
}
