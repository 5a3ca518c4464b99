import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords

struct AlignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "align",
        abstract: "Find the homography that aligns one image with another.",
        discussion: """
            Prints the 3×3 homography that maps the second image onto the first, one row per line, in pixels with the \
            origin at the lower left corner and y up; then a confidence. A result with a confidence of 0.8 or more is \
            almost always right; one below 0.3 is unreliable. The images may have different sizes. --json prints the \
            matrix for pixels with the origin at the top left corner.

            --render writes the first image in grey with the warped second image over it, half transparent and framed.

            Examples:
              openvision align front.jpg side.jpg
              openvision align front.jpg side.jpg --render both.jpg --json
            """)

    @Argument(help: ArgumentHelp("The fixed image.", valueName: "reference"))
    var reference: String

    @Argument(help: ArgumentHelp("The image to warp onto it.", valueName: "floating"))
    var floating: String

    @Option(help: ArgumentHelp("Write the warped overlay to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @OptionGroup var limits: ImageLimitOptions

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
    }

    func run() throws {
        let request = VNHomographicImageRegistrationRequest(targetedImageData: try ImageRegistration.data(floating))
        let (result, elapsed) = try ImageRegistration.result(of: request, reference, floating) { $0.results?.first }
        let rows = (0..<3).map { row in (0..<3).map { Double(result.warpTransform[$0, row]) } }
        if json {
            try JSONLines.print(
                try RegistrationRecord(
                    kind: "align", reference, floating, rows: rows, confidence: result.confidence, elapsed: elapsed))
        } else {
            for row in rows { print("warp " + row.map { String(format: "%.9g", $0) }.joined(separator: " ")) }
            print("confidence \(Decimals.text(Double(result.confidence), 3))")
        }
        if let render {
            let overlay = try WarpedOverlay(
                reference: Photo(FilePath(reference)).image(), floating: Photo(FilePath(floating)).image(),
                warp: result.warpTransform)
            try ImageFile.write(try overlay.render(), to: render)
        }
    }
}
