import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionPhotos
import VisionRecords

struct DocumentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Find the page that a photo shows, and rectify it.",
        discussion: """
            Prints, for each photo, the confidence and the four corners of the page: top left, top right, bottom right \
            and bottom left, in pixels from the top left of the photo. Corners may lie a little outside the photo.

            --correct writes the page as seen from straight above; photos without a page are not written. --render \
            writes each photo with the outline. With several photos, a number is added in front of the extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision document receipt.jpg --correct page.png
              openvision document scans/ --render found.jpg --json
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Option(help: ArgumentHelp("Write the rectified pages to this file (.jpg, .png).", valueName: "file"))
    var correct: String?

    @Option(help: ArgumentHelp("Write the photos with the outlines to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var confidence: ConfidenceOption

    @OptionGroup var options: PhotoOptions

    func validate() throws {
        for file in [correct, render] {
            if let text = ImageFile.check(file) { throw ValidationError(text) }
        }
    }

    func run() throws {
        let (least, revision) = (confidence.minConfidence, options.revision)
        try processPhotos(images, options, outputs: [correct, render]) { path, files in
            let found = try PhotoDocument(of: path, minConfidence: least, revision: revision)
            if let file = files[0] { try found.writePage(to: file) }
            if let file = files[1] { try found.render(to: file) }
            return found
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func show(_ found: PhotoDocument, of path: FilePath) throws {
        guard !options.output.json else {
            let results = found.pages.map { page in
                RectangleResult(
                    confidence: Decimals.rounded(Double(page.confidence), 4), corners: found.photo.quad(of: page).points
                )
            }
            return try JSONLines.print(
                ImageRecord(kind: "document", image: found.photo.reference(path), results: results))
        }
        print(path.printable)
        for page in found.pages {
            let corners = found.photo.quad(of: page).numbers.map { String(format: "%.1f", $0) }
            print(String(format: "  %.3f  ", page.confidence) + corners.joined(separator: ","))
        }
        if found.pages.isEmpty { print("  no page") }
    }
}

/// The page of one photo.
struct PhotoDocument: Sendable {
    let photo: Photo
    /// One page, or none.
    let pages: [VNRectangleObservation]

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(of path: FilePath, minConfidence: Float, revision: Int?) throws {
        let request = VNDetectDocumentSegmentationRequest()
        if let revision { request.revision = revision }
        photo = try Photo(path)
        try photo.perform([request])
        pages = (request.results ?? []).filter { $0.confidence >= minConfidence }
    }

    /// Writes the rectified page, if there is one.
    func writePage(to file: String) throws {
        guard let page = pages.first else { return }
        try ImageFile.write(try PerspectiveCorrection(page).image(from: photo.handler()), to: file)
    }

    /// Writes the photo with the outline.
    func render(to file: String) throws {
        try photo.write(to: file) { canvas in
            QuadPainter().draw(
                pages.map {
                    QuadPainter.Quad(
                        quad: photo.quad(of: $0), confidence: $0.confidence,
                        label: "page \(BoxPainter.percent($0.confidence))", colour: .forTarget(0))
                }, on: canvas)
        }
    }
}
