import VisionAlgorithms
import VisionImage
import VisionModels

/// Text of the languages that Apple's revision 1 reads.
public let VNRecognizeTextRequestRevision1: Int = 1

/// More languages, Chinese among them.
public let VNRecognizeTextRequestRevision2: Int = 2

/// All languages whose letters the networks know.
public let VNRecognizeTextRequestRevision3: Int = 3

/// Finds and reads text: an observation for each line in the order of reading, none if there is no text. Columns of
/// running text follow each other, the cells of a table are read row by row.
///
/// Lines may be rotated by any angle, stand on their heads, or run from top to bottom. Corners are normalised to the
/// region of interest and may reach a little beyond it. The revisions use the same networks and differ in the
/// languages that they accept: Latin letters with all accents are always read, Chinese characters and Japanese
/// syllables only when a language asks for them.
///
/// Where an image has little text, lines of up to four characters with a confidence below 0.2 are left out: foliage and
/// fences look like letters. Images of more than 25 megapixels are searched in tiles, so that small print is found.
///
/// Depending on the level, the networks `pp-ocrv6-det-small` and `pp-ocrv6-rec-small`, or `pp-ocrv6-det-tiny` and
/// `pp-ocrv6-rec-tiny`, have to be installed; without them a perform fails with `dataUnavailable`.
open class VNRecognizeTextRequest: VNImageBasedRequest, VNTypedRequest, VNRequestProgressProviding {
    /// The class of the results.
    public typealias ResultObservation = VNRecognizedTextObservation

    /// Whether to read accurately or fast. Accurate by default.
    open var recognitionLevel: VNRequestTextRecognitionLevel = .accurate

    /// The languages of the text, the most important first. English by default. An unknown one makes the perform fail
    /// with `invalidArgument`.
    open var recognitionLanguages: [String] = ["en-US"]

    /// Whether all scripts may occur, whatever `recognitionLanguages` says. False by default.
    open var automaticallyDetectsLanguage = false

    /// Words that are expected beside those of the languages, such as names: a word that resembles one of them becomes
    /// it, unless the image clearly shows another one. Without effect when `usesLanguageCorrection` is false.
    open var customWords: [String] = []

    /// Whether words are corrected. True by default. Corrections are those to `customWords`; of letters in numbers that
    /// look like digits, such as the small l that many typewriters have for the 1; and of words that the language's
    /// dictionary lacks to ones that it has and that look almost as likely. Words with digits are not touched.
    ///
    /// Dictionaries are Hunspell's (`libhunspell-1.7-0`, and `hunspell-en-us`, `hunspell-de-de` and so on): without one
    /// that knows half of the image's words, words stay as they are. A process finds those that are installed when it
    /// needs one first, and keeps each that it has opened, some 20 megabytes or more.
    open var usesLanguageCorrection = true

    /// The lowest height of a line that is read, as a share of the height of the region of interest. 0 by default.
    open var minimumTextHeight: Float = 0

    /// Called while the request is processed, with the completed fraction, on any thread.
    open var progressHandler: VNRequestProgressHandler = { _, _, _ in }

    /// False: the request knows how many lines it has to read.
    open var indeterminate: Bool { false }

    override class var revisionTable: RevisionTable { .recognizeText }

    override func makeCopy() -> VNRequest { VNRecognizeTextRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        guard let copy = copy as? VNRecognizeTextRequest else { return }
        copy.recognitionLevel = recognitionLevel
        copy.recognitionLanguages = recognitionLanguages
        copy.automaticallyDetectsLanguage = automaticallyDetectsLanguage
        copy.customWords = customWords
        copy.usesLanguageCorrection = usesLanguageCorrection
        copy.minimumTextHeight = minimumTextHeight
        copy.progressHandler = progressHandler
    }

    // MARK: - Languages

    /// Returns the identifiers of the languages that a level of a revision reads.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open class func supportedRecognitionLanguages(
        for recognitionLevel: VNRequestTextRecognitionLevel, revision requestRevision: Int
    ) throws -> [String] {
        if let error = revisionTable.error(forRevision: requestRevision) { throw error }
        return TextLanguages.supported(recognitionLevel, revision: requestRevision)
    }

    /// Returns the identifiers of the languages that the request reads with its level and revision.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open func supportedRecognitionLanguages() throws -> [String] {
        try Self.supportedRecognitionLanguages(for: recognitionLevel, revision: revision)
    }

    // MARK: - Performing

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision) = (try checkedRegionOfInterest(), revision)
        let settings = try checkedSettings()
        guard (0...1).contains(minimumTextHeight) else {
            throw visionError(
                .invalidArgument, "The minimumTextHeight \(minimumTextHeight) is not a share of the image: use 0 to 1.")
        }
        let least = Double(minimumTextHeight)
        // The handler is the user's: it may be called on the thread of the job, which the perform waits for.
        nonisolated(unsafe) let (request, progressHandler) = (self, progressHandler)
        return RequestJob { context in
            let size = try context.image.uprightImageSize()
            let pixels = region.pixels(in: size)
            let lines = try context.readText(
                in: pixels, settings: settings, leastHeight: least * pixels.height
            ) { progressHandler(request, $0, nil) }
            return lines.map { line in
                let quad = line.box.quad
                func point(_ corner: PlanarPoint) -> CGPoint {
                    region.normalizedPoint(x: corner.x, y: corner.y, in: size)
                }
                return VNRecognizedTextObservation(
                    readings: line.readings, requestRevision: revision,
                    corners: (
                        topLeft: point(quad.topLeft), topRight: point(quad.topRight),
                        bottomRight: point(quad.bottomRight), bottomLeft: point(quad.bottomLeft)
                    ), timeRange: context.timeRange)
            }
        }
    }

    private func checkedSettings() throws -> TextReader.Settings {
        let known = try supportedRecognitionLanguages()
        // A language without a region means any of its regions.
        let unknown = recognitionLanguages.first { language in
            !known.contains { $0 == language || $0.hasPrefix(language + "-") }
        }
        if let unknown {
            throw visionError(
                .invalidArgument,
                "Revision \(revision) of VNRecognizeTextRequest does not read the language '\(unknown)' at this level; "
                    + "it reads \(known.joined(separator: ", ")).")
        }
        var settings = TextReader.Settings()
        settings.size = recognitionLevel == .accurate ? .small : .tiny
        settings.scripts = automaticallyDetectsLanguage ? .all : TextLanguages.scripts(recognitionLanguages)
        settings.customWords = CustomWords(usesLanguageCorrection ? customWords : [])
        // The fast level takes every reading in 8 bits: those in floats were a sixth of its time.
        if recognitionLevel == .fast { settings.doubtfulScores = 0..<0 }
        settings.correctsNumbers = usesLanguageCorrection
        if usesLanguageCorrection {
            let others = known.filter { !recognitionLanguages.contains($0) }
            settings.dictionaryLanguages = recognitionLanguages + (automaticallyDetectsLanguage ? others : [])
        }
        settings.readingCount = VNRecognizedTextObservation.candidateLimit
        return settings
    }
}
