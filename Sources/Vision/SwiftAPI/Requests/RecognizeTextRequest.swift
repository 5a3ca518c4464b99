/// Finds and reads text, line by line in reading order. See `VNRecognizeTextRequest`.
public struct RecognizeTextRequest: ImageProcessingRequest {
    /// What a perform returns.
    public typealias Result = [RecognizedTextObservation]

    /// The revisions of the request.
    public enum Revision: Comparable, Codable, Hashable, Sendable {
        /// The third revision.
        case revision3

        /// The revision of the classic request.
        var classic: Int { VNRecognizeTextRequestRevision3 }
    }

    /// The revisions that this package has.
    public static let supportedRevisions: [Revision] = [.revision3]

    /// The revision of the request.
    public let revision: Revision

    /// The region of the upright image that is analysed: all of it by default.
    public var regionOfInterest: NormalizedRect = .fullImage

    /// Whether accuracy or speed counts.
    public enum RecognitionLevel: Codable, Hashable, Sendable {
        /// The more accurate networks.
        case accurate
        /// The faster networks.
        case fast
    }

    /// Whether accuracy or speed counts. Accurate by default.
    public var recognitionLevel: RecognitionLevel = .accurate
    /// The languages that the text may have, the most important first. American English by default.
    public var recognitionLanguages: [Locale.Language] = [Locale.Language(identifier: "en-US")]
    /// Whether the language is found out, and `recognitionLanguages` are only preferred. False by default.
    public var automaticallyDetectsLanguage = false
    /// Whether readings are corrected by what is usual in the language. True by default.
    public var usesLanguageCorrection = true
    /// Words that take precedence over similar ones.
    public var customWords: [String] = []
    /// The smallest height of text relative to that of the image, 0…1; smaller text is left out. 0 by default.
    public var minimumTextHeightFraction: Float = 0

    /// The kind of the request and its revision.
    public var descriptor: RequestDescriptor { .recognizeTextRequest(revision) }

    /// Creates a request of a revision; the newest one if nil.
    public init(_ revision: Revision? = nil) { self.revision = revision ?? .revision3 }

    /// The languages that the level can read.
    public var supportedRecognitionLanguages: [Locale.Language] {
        supportedIdentifiers.map(Locale.Language.init(identifier:))
    }

    private var supportedIdentifiers: [String] {
        TextLanguages.supported(recognitionLevel == .fast ? .fast : .accurate, revision: revision.classic)
    }
}

extension RecognizeTextRequest: PerformableRequest {
    func makeClassicRequest() throws -> VNRequest {
        let request = VNRecognizeTextRequest().with(regionOfInterest, revision: revision.classic)
        request.recognitionLevel = recognitionLevel == .fast ? .fast : .accurate
        request.recognitionLanguages = recognitionLanguages.map(identifier(of:))
        request.automaticallyDetectsLanguage = automaticallyDetectsLanguage
        request.usesLanguageCorrection = usesLanguageCorrection
        request.customWords = customWords
        request.minimumTextHeight = minimumTextHeightFraction
        return request
    }

    /// Returns the supported identifier of a language: the one with its script, else the first one of the language; its
    /// own identifier, which the perform refuses, if the language is not supported.
    private func identifier(of language: Locale.Language) -> String {
        let candidates = supportedIdentifiers.filter {
            Locale.Language(identifier: $0).languageCode == language.languageCode
        }
        return candidates.first { Locale.Language(identifier: $0).script == language.script } ?? candidates.first
            ?? language.minimalIdentifier
    }

    func result(from observations: [VNObservation]) throws -> [RecognizedTextObservation] {
        try observations.all(of: VNRecognizedTextObservation.self).map {
            RecognizedTextObservation($0, descriptor: descriptor)
        }
    }

    func visionResult(_ result: [RecognizedTextObservation]) -> VisionResult { .recognizeText(self, result) }
}
