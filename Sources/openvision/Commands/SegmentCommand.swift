import ArgumentParser
import Foundation
import Vision
import VisionPhotos
import VisionRecords
import VisionVideo

struct SegmentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "segment",
        abstract: "Cut people and objects out of photos, or replace what is behind them.",
        discussion: """
            --people (the default) computes one mask of all people; --instances a mask of each person, of up to four; \
            --foreground a mask of each object in the foreground. Prints a line for each mask: its box in pixels (x, \
            y, width, height; origin at the top left) and its share of the photo.

            --mask writes the mask as a grey PNG of the photo's size: 255 where people are; with --instances and \
            --foreground the number of the object of each pixel, 0 for the background. --cutout writes a PNG with \
            everything else transparent, with --crop cropped to what is left. --output writes the photo with another \
            background: --background is "blur" (the default), a colour such as #2060a0, or an image file. --render \
            writes the photo with the masks in colours. --only takes the objects of these numbers. With several \
            photos, a number is added in front of the extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            A single video (.mp4, .mov, .mkv, .avi, http://…, rtsp://…, /dev/video0) is processed frame by \
            frame, with masks of all people: --output and --render are videos; the quality is fast if it is not given.

            Examples:
              openvision segment portrait.jpg --cutout person.png --crop
              openvision segment portrait.jpg --background '#ffffff' --output passport.jpg
              openvision segment team.jpg --instances --mask people.png --json
              openvision segment call.mp4 --background office.jpg --output new-office.mp4
              openvision segment dog.jpg --foreground --background beach.jpg --output dog-on-beach.jpg
            """)

    /// What is cut out.
    enum Kind: String, EnumerableFlag {
        case people, instances, foreground

        static func help(for value: Kind) -> ArgumentHelp? {
            switch value {
            case .people: "One mask of all people."
            case .instances: "A mask of each person, of up to four."
            case .foreground: "A mask of each object in the foreground."
            }
        }
    }

    /// How exact the mask of people is.
    enum Quality: String, ExpressibleByArgument, CaseIterable {
        case accurate, balanced, fast

        var level: VNGeneratePersonSegmentationRequest.QualityLevel {
            switch self {
            case .accurate: .accurate
            case .balanced: .balanced
            case .fast: .fast
            }
        }
    }

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Flag var kind = Kind.people

    @Option(help: "How exact the mask of people is: accurate, balanced or fast. (default: accurate; of videos fast)")
    var quality: Quality?

    @Option(help: ArgumentHelp("Write the masks to this file (.png).", valueName: "file"))
    var mask: String?

    @Option(help: ArgumentHelp("Write what is cut out to this file (.png).", valueName: "file"))
    var cutout: String?

    @Flag(help: "Crop what is cut out.")
    var crop = false

    @Option(help: ArgumentHelp("The new background: blur, a colour, or an image file.", valueName: "blur|#rrggbb|file"))
    var background = "blur"

    @Option(
        help: ArgumentHelp("Write the photos with the new background to this file (.jpg, .png).", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Write the photos with coloured masks to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @Option(parsing: .upToNextOption, help: ArgumentHelp("The numbers of the objects to take.", valueName: "number"))
    var only: [Int] = []

    @OptionGroup var options: PhotoOptions

    /// Whether the only argument is a video by its name.
    private var isVideo: Bool {
        guard images.count == 1, let path = images.first else { return false }
        if VideoSource.isStream(argument: path) { return true }
        return ["mp4", "mov", "mkv", "avi"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
    }

    func validate() throws {
        if isVideo { return try validateVideo() }
        for file in [mask, cutout, output, render] {
            if let text = ImageFile.check(file) { throw ValidationError(text) }
        }
        for (file, name) in [(mask, "--mask"), (cutout, "--cutout")] {
            if let file, !file.lowercased().hasSuffix(".png") {
                throw ValidationError("\(name) is \(file); it must be a .png file, which keeps exact values.")
            }
        }
        if let wrong = only.first(where: { !(1...255).contains($0) }) {
            throw ValidationError("--only names \(wrong); objects are numbered from 1.")
        }
        if kind == .people, !only.isEmpty { throw ValidationError("--only needs --instances or --foreground.") }
        if crop, cutout == nil { throw ValidationError("--crop needs --cutout.") }
    }

    private func validateVideo() throws {
        guard kind == .people else { throw ValidationError("Videos have masks of all people only: use --people.") }
        for (isGiven, name) in [
            (mask != nil, "--mask"), (cutout != nil, "--cutout"), (!only.isEmpty, "--only"),
            (options.output.json, "--json"),
        ] where isGiven {
            throw ValidationError("\(name) is for photos; a video has --output and --render.")
        }
        guard output != nil || render != nil else {
            throw ValidationError("Name the video to write: --output or --render.")
        }
    }

    func run() throws {
        let (command, background) = (self, try Background(background))
        if isVideo {
            return try SegmentedVideo(
                path: images[0], quality: quality ?? .fast, revision: options.revision, background: background
            ).write(output: output, render: render, isQuiet: options.output.quiet)
        }
        try processPhotos(images, options, outputs: [mask, cutout, output, render]) { path, files in
            let found = try PhotoMasks(of: path, command)
            if let file = files[0] { try found.writeMask(to: file) }
            if let file = files[1] { try found.writeCutout(to: file, isCropped: command.crop) }
            if let file = files[2] { try found.write(to: file, on: background) }
            if let file = files[3] { try found.render(to: file) }
            return found
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func show(_ found: PhotoMasks, of path: FilePath) throws {
        guard !options.output.json else {
            return try JSONLines.print(
                ImageRecord(kind: "segment", image: found.photo.reference(path), results: found.results))
        }
        print(path.printable)
        for result in found.results {
            let box = [result.box.x, result.box.y, result.box.width, result.box.height].map {
                Decimals.text($0 ?? 0, 0)
            }
            let number = result.instance.map { ["\($0)"] } ?? []
            let parts = number + [box.joined(separator: ","), Decimals.text(result.share, 4)]
            print("  " + parts.joined(separator: "  "))
        }
        if found.results.isEmpty { print(kind == .foreground ? "  nothing stands out" : "  no person") }
    }
}
