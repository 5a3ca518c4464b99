/// The error of a request of the Swift API, with a sentence that says what is wrong and what to do.
public enum VisionError: Error, LocalizedError, Sendable, CustomStringConvertible {
    /// The data that a request needs is missing: a network that is not installed, for example.
    case dataUnavailable(String)
    /// A fault of the package.
    case internalError(String)
    /// A parameter has a value that is not allowed.
    case invalidArgument(String)
    /// The format of the pixels or of the file is not supported.
    case invalidFormat(String)
    /// The image cannot be read.
    case invalidImage(String)
    /// The Core ML model cannot be used for the request.
    case invalidModel(String)
    /// The operation is not possible in this state.
    case invalidOperation(String)
    /// A file cannot be read or written.
    case ioError(String)
    /// The request failed.
    case operationFailed(String)
    /// Data beyond an end was accessed.
    case outOfBoundsError(String)
    /// There is not enough memory.
    case outOfMemory(String)
    /// A pixel buffer cannot be created, with the status of Core Video.
    case pixelBufferCreationFailed(CVReturn)
    /// The request or its task was cancelled.
    case requestCancelled(String)
    /// There is no such time stamp.
    case timeStampNotFound(String)
    /// The request took too long.
    case timeout(String)
    /// The device is not supported.
    case unsupportedComputeDevice(String)
    /// The stage is not supported.
    case unsupportedComputeStage(String)
    /// The request is not supported here.
    case unsupportedRequest(String)
    /// The revision is not supported.
    case unsupportedRevision(String)

    /// The sentence.
    public var description: String {
        switch self {
        case .dataUnavailable(let text), .internalError(let text), .invalidArgument(let text),
            .invalidFormat(let text), .invalidImage(let text), .invalidModel(let text), .invalidOperation(let text),
            .ioError(let text), .operationFailed(let text), .outOfBoundsError(let text), .outOfMemory(let text),
            .requestCancelled(let text), .timeStampNotFound(let text), .timeout(let text),
            .unsupportedComputeDevice(let text), .unsupportedComputeStage(let text), .unsupportedRequest(let text),
            .unsupportedRevision(let text):
            text
        case .pixelBufferCreationFailed(let status):
            "The pixel buffer could not be created (Core Video's status \(status))."
        }
    }

    /// The sentence.
    public var errorDescription: String? { description }
}

extension VisionError {
    /// Translates the error of a classic request or of a level below it.
    init(_ error: any Error) {
        if let error = error as? VisionError {
            self = error
            return
        }
        if error is CancellationError {
            self = .requestCancelled("The task was cancelled.")
            return
        }
        let classic = visionError(from: error)
        let text = classic.localizedDescription
        self =
            switch VNErrorCode(rawValue: classic.code) {
            case .requestCancelled: .requestCancelled(text)
            case .invalidFormat: .invalidFormat(text)
            case .operationFailed: .operationFailed(text)
            case .outOfBoundsError: .outOfBoundsError(text)
            case .invalidOption, .missingOption, .invalidArgument: .invalidArgument(text)
            case .ioError: .ioError(text)
            case .notImplemented, .unsupportedRequest: .unsupportedRequest(text)
            case .outOfMemory: .outOfMemory(text)
            case .invalidOperation: .invalidOperation(text)
            case .invalidImage: .invalidImage(text)
            case .invalidModel: .invalidModel(text)
            case .unsupportedRevision: .unsupportedRevision(text)
            case .dataUnavailable: .dataUnavailable(text)
            case .timeStampNotFound: .timeStampNotFound(text)
            case .timeout: .timeout(text)
            case .unsupportedComputeStage: .unsupportedComputeStage(text)
            case .unsupportedComputeDevice: .unsupportedComputeDevice(text)
            default: .internalError(text)
            }
    }
}
