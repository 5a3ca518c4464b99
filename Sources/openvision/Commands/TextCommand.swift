import ArgumentParser
import Foundation
import Vision
import VisionImage

struct TextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text",
        abstract: "Find the lines of text in photos.",
        discussion: """
            Prints, for each line of text from top to bottom, its four corners in pixels from the top left of the photo, in \
            the order of reading: top left, top right, bottom right, bottom left. The text is not read. --characters finds \
            the characters of each line as well; with --json their corners are printed.

            --render writes each photo with a frame around each line, with a dot where its reading begins. With several \
            photos their number goes in front of the extension.

            A folder stands for the images in it and below it. Photos that cannot be read are reported and left out; the \
            exit code is 1 then.

            Examples:
              openvision text sign.jpg
              openvision text page.png --characters --render found.png
              openvision text photos/ --json
            """)

    @Argument(help: ArgumentHelp("Image files, or folders of them.", valueName: "images"))
    var images: [String]

    @Flag(help: "Find the characters of each line.")
    var characters = false

    @Option(help: ArgumentHelp("Write the photos with what was found to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var options: PhotoOptions

    struct Record: Encodable {
        struct Line: Encodable {
            var confidence: Double?
            /// x and y of the four corners.
            var corners: [Double?]
            /// The same of each character; absent unless asked for.
            var characters: [[Double?]]?
        }

        var image: String
        var lines: [Line]
    }

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
    }

    func run() throws {
        let list = try PhotoList(images)
        let threads = options.threads(forPhotos: list.photos.count)
        for (path, reason) in list.unreadable { try report(failure: reason, of: path, json: options.output.json) }
        let drawings = drawings(of: list)
        for file in drawings {
            if let taken = list.photos.first(where: { $0.isSameFile(as: FilePath(file)) }) {
                throw FilmError(kind: .io, path: file, reason: "is the photo \(taken.printable); it is not overwritten")
            }
        }
        var failures = list.unreadable.count
        let interrupt = Interrupt()
        var next = list.photos.enumerated().makeIterator()
        let (wantsCharacters, revision) = (characters, options.revision)
        try SideBySide.run(threads: threads, isOrdered: true) {
            interrupt.isRequested ? nil : next.next()
        } work: { number, path in
            (
                path,
                Result {
                    let found = try PhotoText(of: path, wantsCharacters: wantsCharacters, revision: revision)
                    if !drawings.isEmpty { try found.render(to: drawings[number]) }
                    return found
                }
            )
        } take: { path, found in
            switch found {
            case .success(let found): try show(found, of: path)
            case .failure(let error):
                failures += 1
                try report(failure: error.reason, of: path, json: options.output.json)
            }
        }
        if interrupt.isRequested { throw ExitCode(Interrupt.exitCode) }
        if failures > 0 { throw ExitCode.failure }
    }

    /// The file of each photo's drawing; empty without --render.
    private func drawings(of list: PhotoList) -> [String] {
        guard let render else { return [] }
        return list.photos.indices.map { TrackCSV.path(render, target: $0, of: list.photos.count) }
    }

    private func show(_ found: PhotoText, of path: FilePath) throws {
        guard !options.output.json else {
            return try JSONLines.print(Record(image: path.text, lines: found.lines.map { record($0, in: found) }))
        }
        print(path.printable)
        for line in found.lines {
            let corners = found.quad(of: line).corners.map {
                "\(Decimals.text(Double($0.x), 0)),\(Decimals.text(Double($0.y), 0))"
            }
            let count = line.characterBoxes.map { ["\($0.count) characters"] } ?? []
            print("  " + (corners + count).joined(separator: "  "))
        }
        if found.lines.isEmpty { print("  no text") }
    }

    private func record(_ line: VNTextObservation, in found: PhotoText) -> Record.Line {
        func numbers(_ observation: VNRectangleObservation) -> [Double?] {
            found.quad(of: observation).numbers.map { Decimals.rounded($0, 2) }
        }
        return Record.Line(
            confidence: Decimals.rounded(Double(line.confidence), 4), corners: numbers(line),
            characters: line.characterBoxes?.map(numbers))
    }
}

/// The text of one photo.
struct PhotoText: Sendable {
    let lines: [VNTextObservation]
    private let data: Data
    private let width: Int
    private let height: Int

    /// - Throws: the error of the request, or of reading, when the file is no photo.
    init(of path: FilePath, wantsCharacters: Bool, revision: Int?) throws {
        let request = VNDetectTextRectanglesRequest()
        request.reportCharacterBoxes = wantsCharacters
        if let revision { request.revision = revision }
        data = try PhotoFile.read(path).data
        let size = try ImageSource(data: data).uprightSize()
        (width, height) = (size.width, size.height)
        try VNImageRequestHandler(data: data).perform([request])
        lines = request.results ?? []
    }

    /// The corners in pixels from the top left of the photo.
    func quad(of observation: VNRectangleObservation) -> PixelQuad {
        PixelQuad(observation, width: width, height: height)
    }

    /// Writes the photo with a frame around each line, and thin ones around its characters.
    func render(to path: String) throws {
        let buffer = try CVPixelBuffer.make(width: width, height: height, format: kCVPixelFormatType_32BGRA, path: path)
        let picture = try ImageSource(data: data).derivative(
            Derivative(
                region: PixelRegion(width: width, height: height), width: width, height: height, format: .bgra8))
        try Canvas.paint(on: buffer) { canvas in
            canvas.draw(picture, x: 0, y: 0)
            let painter = QuadPainter(filmHeight: max(width, height) / 2)
            let thin = QuadPainter(thickness: 1)
            for (index, line) in lines.enumerated() {
                painter.draw(quad(of: line), confidence: 1, target: index, on: canvas)
                for character in line.characterBoxes ?? [] {
                    thin.draw(quad(of: character), confidence: 1, target: index + 1, on: canvas)
                }
            }
        }
        try ImageFile.write(buffer, to: path)
    }
}
