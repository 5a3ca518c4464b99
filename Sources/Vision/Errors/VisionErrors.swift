import CoreML
import VisionAlgorithms
import VisionModels

// Every error of `VNErrorDomain` is created in this file, and every error of a lower level is translated here.

/// Creates an error of Vision's domain. The message says what is wrong and, where possible, what to do.
func visionError(_ code: VNErrorCode, _ message: String, cause: (any Error)? = nil) -> NSError {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let cause { userInfo[NSUnderlyingErrorKey] = cause }
    return NSError(domain: VNErrorDomain, code: code.rawValue, userInfo: userInfo)
}

/// Translates an error of a lower level to the error that the user sees.
package func visionError(from error: any Error) -> NSError {
    if let error = error as? ImageError { return visionError(from: error) }
    if let error = error as? RegistrationError { return visionError(from: error) }
    if let error = error as? TrackingError { return visionError(from: error) }
    if let error = error as? MLModelError { return visionError(from: error) }
    if let error = error as? ModelStoreError { return visionError(from: error) }
    if let error = error as? DetectorError { return visionError(from: error) }
    if let error = error as? PrintError { return visionError(from: error) }
    if let error = error as? BarcodeError { return visionError(from: error) }
    // Every Swift error bridges to NSError; only those of our domain are meant for the user.
    let bridged = error as NSError
    if bridged.domain == VNErrorDomain { return bridged }
    return visionError(.internalError, "Internal error: \(error)", cause: error)
}

private func visionError(from error: ImageError) -> NSError {
    let code: VNErrorCode =
        switch error {
        case .io: .ioError
        case .invalidImage, .tooManyPixels: .invalidImage
        case .unsupportedFormat: .invalidFormat
        case .invalidArgument: .invalidArgument
        case .outOfMemory: .outOfMemory
        }
    return visionError(code, error.description)
}

private func visionError(from error: RegistrationError) -> NSError {
    switch error {
    case .differentSizes(let reference, let floating):
        visionError(
            .invalidArgument, "Registration needs images of the same size, not \(reference) and \(floating).")
    case .unsupportedFormat(let format):
        visionError(.invalidFormat, "Images of the format \(format) cannot be registered.")
    case .tooLarge(let width, let height, let limit):
        visionError(
            .invalidArgument,
            "Images of \(width) × \(height) pixels cannot be registered: sides are limited to \(limit) pixels.")
    }
}

private func visionError(from error: ModelStoreError) -> NSError {
    switch error {
    case .unknownModel, .notInstalled, .damaged: visionError(.dataUnavailable, error.description)
    case .damagedBuiltIn: visionError(.internalError, "Internal error: \(error.description)")
    case .io, .unreadable: visionError(.ioError, error.description)
    case .download, .invalidIndex, .noWheel, .wrongWheel, .conversion, .cancelled:
        visionError(.operationFailed, error.description)
    }
}

private func visionError(from error: TrackingError) -> NSError {
    switch error {
    case .invalidBox(let reason), .invalidQuad(let reason): visionError(.invalidArgument, reason)
    case .unsupportedFrame(let reason): visionError(.invalidFormat, reason)
    }
}

private func visionError(from error: MLModelError) -> NSError {
    let kind: MLModelError.Code = error.code
    let code: VNErrorCode =
        switch kind {
        case .featureType: .invalidArgument
        case .io: .ioError
        case .predictionCancelled: .requestCancelled
        default: .invalidModel
        }
    return visionError(code, error.localizedDescription, cause: error)
}

private func visionError(from error: PrintError) -> NSError {
    switch error {
    case .differentKinds(let reason): visionError(.invalidOperation, reason)
    case .damaged(let reason): visionError(.invalidArgument, reason)
    case .impossible(let reason): visionError(.operationFailed, reason)
    }
}

private func visionError(from error: BarcodeError) -> NSError {
    switch error {
    case .tooLarge(let width, let height, let limit):
        visionError(
            .invalidImage,
            "Barcodes cannot be read in an image of \(width) × \(height) pixels: sides are limited to \(limit) pixels.")
    case .outOfMemory: visionError(.outOfMemory, "There is not enough memory to read barcodes.")
    case .failed: visionError(.operationFailed, "The barcode library failed on the image.")
    }
}

private func visionError(from error: DetectorError) -> NSError {
    switch error {
    case .missingOutput(let reason), .unexpectedShape(let reason):
        visionError(
            .invalidModel, "The model's outputs do not match the detector that its metadata describes: \(reason).")
    }
}
