/// The domain of the errors that this module throws.
public let MLModelErrorDomain: String = "com.apple.CoreML"

/// What went wrong with a model, a feature or an array. The message says what was wrong and, where it can, what to do.
///
/// It is an `NSError` of `MLModelErrorDomain`, so that `catch let error as NSError` catches it: on Linux that pattern knows no
/// other errors.
public final class MLModelError: NSError, MLModelErrorKind, @unchecked Sendable {
    // Unchecked because of NSError: everything in it is immutable.

    /// The kinds of errors.
    public enum Code: Int, Sendable {
        /// A reason that has no code of its own: a model that is damaged or that asks for what this package lacks, an array of
        /// an impossible shape.
        case generic = 0
        /// A feature is missing, or has a type, shape or value that the model does not take.
        case featureType = 1
        /// A file cannot be read or written.
        case io = 3
        /// A custom layer is missing or failed.
        case customLayer = 4
        /// A custom model is missing or failed.
        case customModel = 5
        /// A model cannot be trained further.
        case update = 6
        /// A parameter of the configuration is not one of the model's.
        case parameters = 7
        /// The key of an encrypted model is missing.
        case modelDecryptionKeyFetch = 8
        /// An encrypted model cannot be opened.
        case modelDecryption = 9
        /// A collection of models cannot be reached.
        case modelCollection = 10
        /// A prediction was cancelled.
        case predictionCancelled = 11

        /// Whether the error is one of this code: lets `catch MLModelError.io` work.
        public static func ~= (code: Code, error: any Error) -> Bool {
            (error as? MLModelError).map { $0.kind == code } ?? false
        }
    }

    /// A reason that has no code of its own.
    public static var generic: Code { .generic }
    /// A feature is missing, or is not what the model takes.
    public static var featureType: Code { .featureType }
    /// A file cannot be read or written.
    public static var io: Code { .io }
    /// A custom layer is missing or failed.
    public static var customLayer: Code { .customLayer }
    /// A custom model is missing or failed.
    public static var customModel: Code { .customModel }
    /// A model cannot be trained further.
    public static var update: Code { .update }
    /// A parameter of the configuration is not one of the model's.
    public static var parameters: Code { .parameters }

    let kind: Code

    init(_ kind: Code, _ message: String) {
        self.kind = kind
        super.init(domain: MLModelErrorDomain, code: kind.rawValue, userInfo: [NSLocalizedDescriptionKey: message])
    }

    /// Reads an error from an archive.
    public required init?(coder: NSCoder) {
        guard let kind = Code(rawValue: coder.decodeInteger(forKey: "NSCode")) else { return nil }
        self.kind = kind
        super.init(coder: coder)
    }

    var message: String { localizedDescription }
}

/// What tells the kind of an `MLModelError`, beside the number that every `NSError` has.
public protocol MLModelErrorKind: NSError {}

extension MLModelErrorKind {
    /// The kind of error.
    public var code: MLModelError.Code { MLModelError.Code(rawValue: (self as NSError).code) ?? .generic }
}
