import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords
import VisionVideo

struct TextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Read the text in photos.",
        discussion: """
            Prints the text lines of each photo, from top to bottom. --boxes prints the four corners of each line as \
            well, in pixels from the top left of the photo, in reading direction: top left, top right, bottom right, \
            bottom left.

            --format writes all photos as one document: hocr (HTML with boxes), alto (XML with boxes), or pdf (the \
            photos with invisible text, so that scanned pages can be searched). Such documents go to --output.

            Words are corrected by the dictionaries of Hunspell that are installed (on Debian libhunspell-1.7-0, and \
            hunspell-en-us, hunspell-de-de and so on): that of one of --languages, or of the one that fits.

            --find only finds the lines, without reading them; with --characters also their characters. --render \
            writes each photo with an outline and a number for each line in reading order, and beside it what was \
            read. With several photos, a number is added in front of the extension.

            A folder means all images in it and in its subfolders, - the standard input. Each page of a TIFF file is \
            read. Photos and pages that cannot be read are reported and skipped; the exit code is then 1.

            Examples:
              openvision text sign.jpg
              openvision text page.png --boxes --render read.png
              openvision text scans/ --format pdf --output scans.pdf
              openvision text photos/ --level fast --json
              scanimage --format=png | openvision text -
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Option(help: "accurate or fast.")
    var level = Level.accurate

    @Option(
        help: ArgumentHelp(
            "The languages of the text, such as en-US,ja-JP. (default: all scripts)", valueName: "languages"))
    var languages: String?

    @Option(help: ArgumentHelp("Words to expect, separated by commas.", valueName: "words"))
    var customWords: String?

    @Flag(help: "Print the corners of each line too.")
    var boxes = false

    @Option(help: "text, json, hocr, alto or pdf.")
    var format = TextFormat.text

    @Option(help: ArgumentHelp("Write the text or the document to this file.", valueName: "file"))
    var output: String?

    @Flag(help: "Find the lines without reading them.")
    var find = false

    @Flag(help: "With --find: also find the characters of each text line.")
    var characters = false

    @Option(
        help: ArgumentHelp("Write the photos with the lines drawn in to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var confidence: ConfidenceOption
    @OptionGroup var options: PhotoOptions

    enum Level: String, ExpressibleByArgument, CaseIterable {
        case accurate, fast
    }

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
        if characters && !find { throw ValidationError("--characters is for --find only.") }
        if find && (format != .text || output != nil) {
            throw ValidationError("--find cannot be combined with --format or --output.")
        }
        if options.output.json && format != .text && format != .json {
            throw ValidationError("--json cannot be combined with --format \(format.rawValue).")
        }
        if format == .pdf && output == nil { throw ValidationError("--format pdf needs --output.") }
    }

    func run() throws {
        if find { return try findLines() }
        func list(_ text: String?) -> [String] {
            text.map { $0.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) } } ?? []
        }
        let reading = TextReadingOptions(
            level: level == .accurate ? .accurate : .fast, languages: list(languages),
            customWords: list(customWords), minConfidence: confidence.minConfidence, revision: options.revision)
        let isDocument = [.hocr, .alto, .pdf].contains(format)
        var (pages, lines): ([TextPage], [String]) = ([], [])
        var exit: ExitCode?
        try checkOutput()
        do {
            try processPages { photo, path, number in
                try TextPage(photo, path: path, number: number, reading)
            } render: { page, file in
                try page.render(to: file)
                if page.lacksLetters {
                    warn(
                        "no installed font has all letters of the text, so boxes stand for some in the drawing. "
                            + "Install fonts-noto-cjk for Chinese, Japanese and Korean, fonts-noto-core for others.")
                }
            } show: { page, _ in
                if isDocument { return pages.append(page) }
                let shown = try self.lines(of: page)
                if output == nil { shown.forEach { print($0) } } else { lines += shown }
            }
        } catch let code as ExitCode {
            // Some photos were not read, or there was an interrupt: what was read is written.
            exit = code
        }
        switch format {
        case .hocr: try write(Data(HOCRDocument.text(pages).utf8))
        case .alto: try write(Data(ALTODocument.text(pages).utf8))
        case .pdf: try write(SearchablePDF.document(of: pages))
        case .text, .json:
            if output != nil { try write(Data(lines.map { $0 + "\n" }.joined().utf8)) }
        }
        if let exit { throw exit }
    }

    /// - Throws: `VideoError` when the output would overwrite one of the photos.
    private func checkOutput() throws {
        guard let output else { return }
        if let taken = try PhotoList(images).photos.first(where: { $0.isSameFile(as: FilePath(output)) }) {
            throw VideoError(
                kind: .io, path: output, reason: "is the photo \(taken.printable); it is not overwritten")
        }
    }

    private func write(_ data: Data) throws {
        guard let output else { return FileHandle.standardOutput.write(data) }
        try OutputFile.write(data, to: output)
    }

    /// Processes the pages of all photos, and shows them in their order.
    private func processPages<Found: Sendable>(
        _ process: @escaping @Sendable (_ photo: Photo, _ path: FilePath, _ number: Int?) throws -> Found,
        render: @escaping @Sendable (Found, _ drawing: String) throws -> Void,
        show: (Found, FilePath) throws -> Void
    ) throws {
        var hasFailures = false
        try processPhotos(images, options, render: self.render) { path, drawing in
            let pages = try PhotoPages(path)
            return try pages.processed { photo, number in
                let found = try process(photo, path, number)
                if let drawing {
                    try render(found, TrackCSV.path(drawing, target: (number ?? 1) - 1, of: pages.count))
                }
                return found
            }
        } show: { found, path in
            for page in found.results { try show(page, path) }
            if let failure = found.failure {
                hasFailures = true
                try report(failure: failure, of: path, json: options.output.json)
            }
        }
        if hasFailures { throw ExitCode.failure }
    }

    // MARK: - Reading

    private func lines(of page: TextPage) throws -> [String] {
        guard !options.output.json && format != .json else {
            return [
                try JSONLines.text(
                    ImageRecord(
                        kind: "text", image: page.photo.reference(page.path, page: page.number),
                        results: page.lines.map(Self.result)))
            ]
        }
        let texts = page.lines.map { line in
            boxes ? "  " + (Self.corners(line.quad) + [line.text]).joined(separator: "  ") : "  " + line.text
        }
        return [page.title] + (texts.isEmpty ? ["  no text"] : texts)
    }

    private static func corners(_ quad: PixelQuad) -> [String] {
        quad.corners.map { "\(Decimals.text(Double($0.x), 0)),\(Decimals.text(Double($0.y), 0))" }
    }

    private static func result(_ line: TextLine) -> TextLineResult {
        TextLineResult(
            text: line.text, confidence: Decimals.rounded(Double(line.confidence), 4), corners: line.quad.points,
            words: line.words.map { TextLineResult.Word(text: $0.text, corners: $0.quad.points) }, characters: nil)
    }

    // MARK: - Finding

    private func findLines() throws {
        let (wantsCharacters, least, revision) = (characters, confidence.minConfidence, options.revision)
        try processPages { photo, _, number in
            try PhotoText(
                photo, number: number, wantsCharacters: wantsCharacters, minConfidence: least, revision: revision)
        } render: {
            try $0.render(to: $1)
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func show(_ found: PhotoText, of path: FilePath) throws {
        guard !options.output.json else {
            return try JSONLines.print(
                ImageRecord(
                    kind: "text", image: found.photo.reference(path, page: found.number),
                    results: found.lines.map { line in
                        TextLineResult(
                            text: nil, confidence: Decimals.rounded(Double(line.confidence), 4),
                            corners: found.photo.quad(of: line).points, words: nil,
                            characters: line.characterBoxes?.map { found.photo.quad(of: $0).points })
                    }))
        }
        print(found.photo.title(path, page: found.number))
        for line in found.lines {
            let count = line.characterBoxes.map { [Count.text($0.count, "character")] } ?? []
            print("  " + (Self.corners(found.photo.quad(of: line)) + count).joined(separator: "  "))
        }
        if found.lines.isEmpty { print("  no text") }
    }
}

extension TextFormat: ExpressibleByArgument {}
