import ArgumentParser
import Foundation
import Vision
import VisionPhotos
import VisionRecords
import VisionVideo

struct FlowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flow",
        abstract: "Measure the motion of every pixel between two images, or through a video.",
        discussion: """
            With two images: from each pixel of the first to the same point of the second. With a video, or a folder \
            of images: from each frame to the next one. Prints the mean vector (x to the right, y down) and the mean \
            and greatest length, in pixels.

            --render writes the vectors in colours: the hue is the direction, the saturation the length, white does \
            not move; with a video, a video. --flo writes the vectors of two images to a Middlebury .flo file.

            Examples:
              openvision flow first.png second.png --render motion.png --flo motion.flo
              openvision flow walk.mp4 --accuracy low --render motion.mp4
            """)

    /// The levels of `computationAccuracy`.
    enum Accuracy: String, ExpressibleByArgument, CaseIterable {
        case low, medium, high
        case veryHigh = "very-high"

        var number: UInt { UInt(Accuracy.allCases.firstIndex(of: self) ?? 1) }
    }

    @Argument(help: ArgumentHelp("Two images of one size, or a video, or a folder of images.", valueName: "inputs"))
    var inputs: [String]

    @Option(help: "How accurate: low, medium, high or very-high.")
    var accuracy = Accuracy.medium

    @Option(
        help: ArgumentHelp(
            "Write the vectors in colours to this file (.jpg, .png; .mp4 for a video).", valueName: "file"))
    var render: String?

    @Option(help: ArgumentHelp("Write the vectors of two images to this file (.flo).", valueName: "file"))
    var flo: String?

    @Option(
        help: ArgumentHelp("The length of full saturation. (default: that of the longest vectors)", valueName: "pixels")
    )
    var scale: Float?

    @OptionGroup var frames: FrameOptions
    @OptionGroup var limits: ImageLimitOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard inputs.count == 1 || inputs.count == 2 else {
            throw ValidationError("There are \(inputs.count) inputs; give two images, or one video.")
        }
        if inputs.count == 2, let text = ImageFile.check(render) { throw ValidationError(text) }
        if let flo, inputs.count != 2 || !flo.lowercased().hasSuffix(".flo") {
            throw ValidationError("--flo needs two images and a file with the extension .flo.")
        }
        if let scale, !(scale > 0) { throw ValidationError("--scale is \(scale); it must be above 0.") }
    }

    func run() throws {
        for file in [render, flo].compactMap({ $0 }) {
            if let taken = inputs.first(where: { FilePath($0).isSameFile(as: FilePath(file)) }) {
                throw VideoError(kind: .io, path: file, reason: "is the input \(taken); it is not overwritten")
            }
        }
        if inputs.count == 2 { try runImages(inputs[0], inputs[1]) } else { try runVideo(inputs[0]) }
    }

    private func runImages(_ first: String, _ second: String) throws {
        let request = VNGenerateOpticalFlowRequest(targetedImageData: try ImageRegistration.data(first))
        request.computationAccuracy = .init(rawValue: accuracy.number) ?? .medium
        let (result, elapsed) = try ImageRegistration.result(of: request, second, first) { $0.results?.first }
        let flow = FlowVectors(result.pixelBuffer)
        if let render {
            try Photo.write(FlowImage.drawn(flow, longest: scale ?? flow.typicalMaximum), to: render)
        }
        if let flo { try OutputFile.write(flow.flo, to: flo) }
        guard output.json else { return print(Self.text(flow)) }
        try JSONLines.print(
            FlowRecord(
                image: try ImageSizes.reference(FilePath(first)), second: try ImageSizes.reference(FilePath(second)),
                milliseconds: elapsed.milliseconds, results: [Self.result(flow)]))
    }

    private func runVideo(_ path: String) throws {
        let source = try OpenVideo.open(path, range: frames.range)
        let writer = try render.map { try VideoWriter(path: $0, format: source.format) }
        let request = VNTrackOpticalFlowRequest()
        request.computationAccuracy = .init(rawValue: accuracy.number) ?? .medium
        let handler = VNSequenceRequestHandler()
        var (longest, firstTime): (Float?, Double?) = (scale, nil)
        let outcome = try FrameLoop(source: source, range: frames.range, isQuiet: output.quiet, printsLines: true).run {
            frame, number, _ in
            let start = ContinuousClock.now
            try handler.perform([request], on: frame)
            let milliseconds = (ContinuousClock.now - start).milliseconds
            let flow = request.results?.first.map { FlowVectors($0.pixelBuffer) }
            if output.json {
                try JSONLines.print(
                    FrameRecord(
                        kind: "flow", image: source.format.reference(source.path), frame: number,
                        time: source.currentTime, milliseconds: milliseconds,
                        results: flow.map { [Self.result($0)] } ?? []))
            } else if let flow {
                print("\(number)  \(Self.text(flow))")
            }
            guard let writer else { return }
            // The colours of a video keep their meaning: the scale only grows.
            let scale = max(longest ?? 1, self.scale == nil ? flow?.typicalMaximum ?? 1 : 0)
            longest = scale
            let time = source.currentTime - (firstTime ?? source.currentTime)
            firstTime = firstTime ?? source.currentTime
            let drawn = try CVPixelBuffer.make(
                width: source.format.width, height: source.format.height, format: kCVPixelFormatType_32BGRA,
                path: writer.path)
            try Canvas.paint(on: drawn) { canvas in
                canvas.fill(PixelRectangle(x: 0, y: 0, width: canvas.width, height: canvas.height), .white)
                if let flow { canvas.draw(try FlowImage.drawn(flow, longest: scale), x: 0, y: 0) }
            }
            try writer.add(drawn, time: time)
        }
        try writer?.finish()
        for warning in source.warnings { warn(warning) }
        if let damage = outcome.damage { throw damage }
        if outcome.isInterrupted { throw ExitCode(Interrupt.exitCode) }
    }

    private static func text(_ flow: FlowVectors) -> String {
        let mean = flow.mean
        return "mean \(Decimals.text(mean.x, 3)),\(Decimals.text(mean.y, 3))  mean length "
            + "\(Decimals.text(flow.meanLength, 3))  greatest \(Decimals.text(flow.maximumLength, 2))"
    }

    private static func result(_ flow: FlowVectors) -> FlowResult {
        FlowResult(
            x: flow.mean.x, y: flow.mean.y, meanLength: flow.meanLength, maximumLength: flow.maximumLength)
    }
}
