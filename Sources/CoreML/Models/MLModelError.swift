/// The domain of the errors thrown by this module.
public let MLModelErrorDomain: String = "com.apple.CoreML"

/// An error of a model, a feature or an array. The message says what is wrong and, where possible, what to do.
///
/// It is an `NSError` of `MLModelErrorDomain`, so that `catch let error as NSError` catches it: on Linux that pattern
/// matches no other errors.
public final class MLModelError: NSError, MLModelErrorKind, @unchecked Sendable {
    // Unchecked because of NSError: all properties are immutable.

    /// The kinds of errors.
    public enum Code: Int, MLModelErrorCode {
        /// An error without a code of its own: a model that is damaged or not supported, an array of an invalid shape.
        case generic = 0
        /// A feature is missing, or has a type, shape or value that the model does not accept.
        case featureType = 1
        /// A file cannot be read or written.
        case io = 3
        /// A custom layer is missing or failed.
        case customLayer = 4
        /// A custom model is missing or failed.
        case customModel = 5
        /// The model cannot be updated.
        case update = 6
        /// A parameter of the configuration does not exist in the model.
        case parameters = 7
        /// The key of an encrypted model is missing.
        case modelDecryptionKeyFetch = 8
        /// An encrypted model cannot be opened.
        case modelDecryption = 9
        /// A collection of models cannot be reached.
        case modelCollection = 10
        /// A prediction was cancelled.
        case predictionCancelled = 11
    }

    /// An error without a code of its own.
    public static var generic: Code { .generic }
    /// A feature is missing or invalid for the model.
    public static var featureType: Code { .featureType }
    /// A file cannot be read or written.
    public static var io: Code { .io }
    /// A custom layer is missing or failed.
    public static var customLayer: Code { .customLayer }
    /// A custom model is missing or failed.
    public static var customModel: Code { .customModel }
    /// The model cannot be updated.
    public static var update: Code { .update }
    /// A parameter of the configuration does not exist in the model.
    public static var parameters: Code { .parameters }

    /// The key of an encrypted model is missing.
    public static var modelDecryptionKeyFetch: Code { .modelDecryptionKeyFetch }
    /// An encrypted model cannot be opened.
    public static var modelDecryption: Code { .modelDecryption }
    /// A collection of models cannot be reached.
    public static var modelCollection: Code { .modelCollection }
    /// A prediction was cancelled.
    public static var predictionCancelled: Code { .predictionCancelled }

    /// The domain of the errors: `MLModelErrorDomain`.
    public static var errorDomain: String { MLModelErrorDomain }

    let kind: Code

    /// Creates an error, as a custom layer or a mock of a model throws it.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - userInfo: More about it; the text of `NSLocalizedDescriptionKey` is the error's message.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        kind = code
        super.init(domain: MLModelErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    init(_ kind: Code, _ message: String) {
        self.kind = kind
        super.init(domain: MLModelErrorDomain, code: kind.rawValue, userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// Decodes an error from an archive.
    public required init?(coder: NSCoder) {
        guard let kind = Code(rawValue: coder.decodeInteger(forKey: "NSCode")) else { return nil }
        self.kind = kind
        super.init(coder: coder)
    }

    var message: String { localizedDescription }
}

/// Identifies an `MLModelError`, in addition to the code of every `NSError`.
public protocol MLModelErrorKind: NSError {}

extension MLModelErrorKind {
    /// The code of the error.
    public var code: MLModelError.Code { MLModelError.Code(rawValue: (self as NSError).code) ?? .generic }
}

/// The codes of errors that patterns may name.
public protocol MLModelErrorCode: Sendable {
    /// Whether the error has this code.
    func matches(_ error: any Error) -> Bool
}

extension MLModelError.Code {
    /// Whether the error is an `MLModelError` of this code.
    public func matches(_ error: any Error) -> Bool { (error as? MLModelError).map { $0.kind == self } ?? false }
}

/// Whether the error has this code: allows `catch MLModelError.io`.
///
/// It is generic so that the compiler does not think of it first when it explains mistakes in unrelated patterns.
public func ~= <Code: MLModelErrorCode>(code: Code, error: any Error) -> Bool { code.matches(error) }
