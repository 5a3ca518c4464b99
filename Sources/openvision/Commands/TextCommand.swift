import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords

struct TextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Find the text lines in photos.",
        discussion: """
            Prints the four corners of each text line, from top to bottom, in pixels from the top left of the photo. \
            The order of the corners follows the reading direction: top left, top right, bottom right, bottom left. \
            The text itself is not recognised. --characters also finds the characters of each text line; with --json \
            their corners are printed.

            --render writes each photo with an outline around each text line and a dot at its top left corner. With \
            several photos, a number is added in front of the extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision text sign.jpg
              openvision text page.png --characters --render found.png
              openvision text photos/ --json
            """)

    @Argument(help: ArgumentHelp("Image files, or folders of them.", valueName: "images"))
    var images: [String]

    @Flag(help: "Also find the characters of each text line.")
    var characters = false

    @Option(
        help: ArgumentHelp("Write the photos with outlined text lines to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
    }

    func run() throws {
        let (wantsCharacters, revision) = (characters, options.revision)
        try processPhotos(images, options, render: render) { path, drawing in
            let found = try PhotoText(of: path, wantsCharacters: wantsCharacters, revision: revision)
            if let drawing { try found.render(to: drawing) }
            return found
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func show(_ found: PhotoText, of path: FilePath) throws {
        guard !options.output.json else {
            return try JSONLines.print(
                ImageRecord(
                    kind: "text", image: found.photo.reference(path), results: found.lines.map { result($0, in: found) }
                ))
        }
        print(path.printable)
        for line in found.lines {
            let corners = found.photo.quad(of: line).corners.map {
                "\(Decimals.text(Double($0.x), 0)),\(Decimals.text(Double($0.y), 0))"
            }
            let count = line.characterBoxes.map { ["\($0.count) characters"] } ?? []
            print("  " + (corners + count).joined(separator: "  "))
        }
        if found.lines.isEmpty { print("  no text") }
    }

    private func result(_ line: VNTextObservation, in found: PhotoText) -> TextLineResult {
        TextLineResult(
            confidence: Decimals.rounded(Double(line.confidence), 4), corners: found.photo.quad(of: line).points,
            characters: line.characterBoxes?.map { found.photo.quad(of: $0).points })
    }
}

/// The text lines of one photo.
struct PhotoText: Sendable {
    let photo: Photo
    let lines: [VNTextObservation]

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(of path: FilePath, wantsCharacters: Bool, revision: Int?) throws {
        let request = VNDetectTextRectanglesRequest()
        request.reportCharacterBoxes = wantsCharacters
        if let revision { request.revision = revision }
        photo = try Photo(path)
        try photo.perform([request])
        lines = request.results ?? []
    }

    /// Writes the photo with an outline around each text line, and thin ones around its characters.
    func render(to file: String) throws {
        try photo.write(to: file) { canvas in
            let painter = QuadPainter(videoHeight: max(photo.width, photo.height) / 2)
            let thin = QuadPainter(thickness: 1)
            for (index, line) in lines.enumerated() {
                painter.draw(photo.quad(of: line), confidence: 1, target: index, on: canvas)
                for character in line.characterBoxes ?? [] {
                    thin.draw(photo.quad(of: character), confidence: 1, target: index + 1, on: canvas)
                }
            }
        }
    }
}
