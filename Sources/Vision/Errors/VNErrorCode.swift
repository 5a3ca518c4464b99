/// The domain of every error that this module throws.
public let VNErrorDomain: String = "com.apple.vis"

/// What an error of `VNErrorDomain` means.
///
/// The code is an integer, not a Swift error: compare it as
/// `(error as NSError).domain == VNErrorDomain && (error as NSError).code == VNErrorCode.invalidImage.rawValue`.
public enum VNErrorCode: Int, Sendable {
    /// An error of the training library underneath; never thrown here.
    case turiCoreErrorCode = -1
    /// No error.
    case OK = 0
    /// The request was cancelled while it was being performed.
    case requestCancelled = 1
    /// The pixel layout is one that cannot be read.
    case invalidFormat = 2
    /// The work failed for a reason that no other code names.
    case operationFailed = 3
    /// A region or a point lies outside the image.
    case outOfBoundsError = 4
    /// An entry of an options dictionary makes no sense.
    case invalidOption = 5
    /// A file cannot be read.
    case ioError = 6
    /// An option that is needed was not given.
    case missingOption = 7
    /// The method, level or revision that was asked for does not exist in this package (yet).
    case notImplemented = 8
    /// Something inside failed, or a pool is exhausted.
    case internalError = 9
    /// There is no memory for the work.
    case outOfMemory = 10
    /// The cause is not known.
    case unknownError = 11
    /// The call makes no sense in this situation.
    case invalidOperation = 12
    /// The bytes are not an image that can be read.
    case invalidImage = 13
    /// A parameter is out of its range.
    case invalidArgument = 14
    /// The model cannot be used.
    case invalidModel = 15
    /// The request has no such revision.
    case unsupportedRevision = 16
    /// Data that the work needs is not there.
    case dataUnavailable = 17
    /// A frame with this time stamp is not known.
    case timeStampNotFound = 18
    /// The request cannot be performed by this handler.
    case unsupportedRequest = 19
    /// The work took longer than it was allowed to.
    case timeout = 20
    /// The request has no such compute stage.
    case unsupportedComputeStage = 21
    /// The compute device cannot run this stage.
    case unsupportedComputeDevice = 22
}
