/// The domain of all errors thrown by this module.
public let VNErrorDomain: String = "com.apple.vis"

/// The codes of errors in `VNErrorDomain`.
///
/// The code is an integer, not a Swift error: compare it as `(error as NSError).domain == VNErrorDomain && (error as
/// NSError).code == VNErrorCode.invalidImage.rawValue`.
public enum VNErrorCode: Int, Sendable {
    /// An error of the underlying training library; never thrown here.
    case turiCoreErrorCode = -1
    /// No error.
    case OK = 0
    /// The request was cancelled while it was being performed.
    case requestCancelled = 1
    /// The pixel layout is not supported.
    case invalidFormat = 2
    /// The operation failed for a reason that no other code names.
    case operationFailed = 3
    /// A region or a point lies outside the image.
    case outOfBoundsError = 4
    /// An entry of an options dictionary is invalid.
    case invalidOption = 5
    /// A file cannot be read.
    case ioError = 6
    /// A required option is missing.
    case missingOption = 7
    /// The requested method, level or revision is not implemented in this package (yet).
    case notImplemented = 8
    /// An internal failure, or an exhausted pool.
    case internalError = 9
    /// Memory is short.
    case outOfMemory = 10
    /// The cause is unknown.
    case unknownError = 11
    /// The call is invalid in this situation.
    case invalidOperation = 12
    /// The bytes are not an image that can be read.
    case invalidImage = 13
    /// A parameter is out of range.
    case invalidArgument = 14
    /// The model cannot be used.
    case invalidModel = 15
    /// The request has no such revision.
    case unsupportedRevision = 16
    /// Required data is missing.
    case dataUnavailable = 17
    /// No frame with this time stamp is known.
    case timeStampNotFound = 18
    /// The request cannot be performed by this handler.
    case unsupportedRequest = 19
    /// The operation exceeded its time limit.
    case timeout = 20
    /// The request has no such compute stage.
    case unsupportedComputeStage = 21
    /// The compute device cannot run this stage.
    case unsupportedComputeDevice = 22
}
