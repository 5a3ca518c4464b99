import ArgumentParser
import Foundation
import Vision

struct PeopleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "Find the people in photos.",
        discussion: """
            Prints one line per person, the most confident first: the box in pixels (x, y, width, height; origin at \
            the top left) and the confidence. The box is that of the whole body as far as it is visible; with \
            --upper-body that of the head and the torso.

            --render writes each photo with the boxes drawn on it. With several photos, a number is added in front of \
            the extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision people street.jpg
              openvision people street.jpg --upper-body --render people.jpg
              openvision people photos/ --min-confidence 0.7 --json
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Flag(help: "Find the upper bodies: head and torso.")
    var upperBody = false

    @OptionGroup var boxes: BoxOptions
    @OptionGroup var options: PhotoOptions

    func run() throws {
        let (upperBody, least, revision) = (upperBody, boxes.minConfidence ?? 0, options.revision)
        try processPhotos(images, options, render: boxes.render) { path, drawing in
            let request = VNDetectHumanRectanglesRequest()
            request.revision = revision ?? VNDetectHumanRectanglesRequestRevision2
            request.upperBodyOnly = upperBody
            let found = try PhotoObjects(
                of: path, request: request, minConfidence: least, as: VNHumanObservation.self)
            if let drawing { try found.render(to: drawing) }
            return found
        } show: { found, path in
            try found.print(path, kind: "people", json: options.output.json, nothing: "no person")
        }
    }
}

/// Options of commands that find boxes.
struct BoxOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Leave out what has a lower confidence. (default: that of the request)", valueName: "0…1"))
    var minConfidence: Float?

    @Option(help: ArgumentHelp("Write the photos with the boxes to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
        if let minConfidence, !(0...1).contains(minConfidence) {
            throw ValidationError("--min-confidence is \(minConfidence); it must be 0 to 1.")
        }
    }
}
