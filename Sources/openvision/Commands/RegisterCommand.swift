import ArgumentParser
import Vision
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
        let request = VNTranslationalImageRegistrationRequest(targetedImageData: try ImageRegistration.data(floating))
        let (result, elapsed) = try ImageRegistration.result(of: request, reference, floating) { $0.results?.first }
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
