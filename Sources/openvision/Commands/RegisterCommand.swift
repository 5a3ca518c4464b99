import ArgumentParser
import Foundation
import Vision
import VisionPhotos
import VisionRecords

struct RegisterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Find the translation between two images.",
        discussion: """
            Prints the translation that maps the second image onto the first, in pixels, x to the right and y up. \
            Example: content that lies 5 pixels further right and 3 further up in the second image than in the first \
            gives tx = -5, ty = -3. --json prints a matrix for pixels with the origin at the top left corner.

            Examples:
              openvision register before.jpg after.jpg
              openvision register before.jpg after.jpg --json
            """)

    @Argument(help: ArgumentHelp("The fixed image.", valueName: "reference"))
    var reference: String

    @Argument(help: ArgumentHelp("The image to map onto it.", valueName: "floating"))
    var floating: String

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @OptionGroup var limits: ImageLimitOptions

    func run() throws {
        for path in [reference, floating] where !FileManager.default.fileExists(atPath: path) {
            throw VideoError(kind: .io, path: path, reason: "no such file")
        }
        let request = VNTranslationalImageRegistrationRequest(targetedImageURL: URL(fileURLWithPath: floating))
        let handler = VNImageRequestHandler(url: URL(fileURLWithPath: reference))
        let start = ContinuousClock.now
        do {
            try handler.perform([request])
        } catch {
            throw RequestFailure(path: "\(reference), \(floating)", error)
        }
        let elapsed = ContinuousClock.now - start
        guard let result = request.results?.first else {
            throw VideoError(kind: .damaged, path: floating, reason: "cannot be registered with \(reference)")
        }
        let (x, y) = (Double(result.alignmentTransform.tx), Double(result.alignmentTransform.ty))
        if json {
            try JSONLines.print(
                try RegistrationRecord(
                    kind: "register", reference, floating, rows: [[1, 0, x], [0, 1, y], [0, 0, 1]],
                    confidence: result.confidence, elapsed: elapsed))
        } else {
            print("tx \(Decimals.text(x, 3))")
            print("ty \(Decimals.text(y, 3))")
            print("confidence \(Decimals.text(Double(result.confidence), 3))")
        }
    }
}
