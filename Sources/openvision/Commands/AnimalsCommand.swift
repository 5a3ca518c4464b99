import ArgumentParser
import Foundation
import Vision

struct AnimalsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "animals",
        abstract: "Find cats and dogs in photos.",
        discussion: """
            Prints one line per animal, the most confident first: the box in pixels (x, y, width, height; origin at \
            the top left), the confidence, and Cat or Dog.

            --render writes each photo with the boxes drawn on it. With several photos, a number is added in front of \
            the extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision animals pets.jpg
              openvision animals photos/ --json
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @OptionGroup var boxes: BoxOptions
    @OptionGroup var options: PhotoOptions

    func run() throws {
        let (least, revision) = (boxes.minConfidence ?? 0, options.revision)
        try processPhotos(images, options, render: boxes.render) { path, drawing in
            let request = VNRecognizeAnimalsRequest()
            if let revision { request.revision = revision }
            let found = try PhotoObjects(
                of: path, request: request, minConfidence: least, as: VNRecognizedObjectObservation.self
            ) { $0.labels.first?.identifier }
            if let drawing { try found.render(to: drawing) }
            return found
        } show: { found, path in
            try found.print(path, kind: "animals", json: options.output.json, nothing: "no cat or dog")
        }
    }
}
