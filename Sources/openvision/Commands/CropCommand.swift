import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage
import VisionPhotos
import VisionRecords

struct CropCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crop",
        abstract: "Crop photos to an aspect ratio or a size, around what matters in them.",
        discussion: """
            Finds the largest crop of the aspect ratio that keeps what people look at, objects in the foreground, and \
            faces, and writes it. With a size such as 400x400 the crop is also resized to it: thumbnails.

            --output is the file to write (.jpg, .png). With several photos, a number is added in front of the \
            extension. Prints the crop of each photo in pixels (x, y, width, height; origin at the top left).

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision crop photo.jpg --to 16:9 --output wide.jpg
              openvision crop photos/ --to 400x400 --output thumbnails/photo.jpg
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("The aspect ratio (16:9) or the size in pixels (400x400).", valueName: "W:H|WxH"))
    var target: CropTarget

    @Option(help: ArgumentHelp("The file to write (.jpg, .png).", valueName: "file"))
    var output: String

    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let text = ImageFile.check(output) { throw ValidationError(text) }
    }

    func run() throws {
        let target = target
        try processPhotos(images, options, render: output) { path, file in
            let crop = try PhotoCrop(of: path, to: target)
            if let file { try crop.write(to: file) }
            return crop
        } show: { crop, path in
            let box = crop.box
            guard options.output.json else {
                let numbers = [box.x, box.y, box.width, box.height].map { Decimals.text($0, 0) }
                return print("\(path.printable)  \(numbers.joined(separator: ","))")
            }
            try JSONLines.print(
                ImageRecord(
                    kind: "crop", image: crop.photo.reference(path),
                    results: [
                        CropResult(
                            box: box.record, width: crop.width, height: crop.height)
                    ]))
        }
    }
}

/// An aspect ratio or a size.
struct CropTarget: ExpressibleByArgument, Sendable {
    /// The largest size along either axis, in pixels.
    static let largestSize = 16_384

    /// Width divided by height.
    let aspectRatio: Double
    /// nil to keep the pixels of the photo.
    let size: (width: Int, height: Int)?

    /// Reads "16:9" or "400x300".
    init?(argument: String) {
        let ratio = argument.split(separator: ":", omittingEmptySubsequences: false)
        if ratio.count == 2, let width = Double(ratio[0]), let height = Double(ratio[1]) {
            guard (1e-3...1e6).contains(width), (1e-3...1e6).contains(height), (0.01...100).contains(width / height)
            else { return nil }
            (aspectRatio, size) = (width / height, nil)
            return
        }
        let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
        guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
            (1...Self.largestSize).contains(width), (1...Self.largestSize).contains(height)
        else { return nil }
        (aspectRatio, size) = (Double(width) / Double(height), (width, height))
    }
}

/// The crop of one photo.
struct PhotoCrop: Sendable {
    let photo: Photo
    /// In whole pixels from the top left.
    let box: PixelRegion
    /// The size of the written image.
    let width: Int
    let height: Int

    /// - Throws: The errors of the requests, or of reading a file that is not an image.
    init(of path: FilePath, to target: CropTarget) throws {
        let photo = try Photo(path)
        let attention = VNGenerateAttentionBasedSaliencyImageRequest()
        let objectness = VNGenerateObjectnessBasedSaliencyImageRequest()
        let faces = VNDetectFaceRectanglesRequest()
        try photo.perform([attention, objectness, faces])
        let crop = SmartCrop(
            saliency: (attention.results ?? []) + (objectness.results ?? []), faces: faces.results ?? [])
        let size = CGSize(width: photo.width, height: photo.height)
        let exact = crop.box(aspectRatio: target.aspectRatio, imageSize: size)
        let columns = min(photo.width, max(1, Int(exact.width.rounded())))
        let rows = min(photo.height, max(1, Int(exact.height.rounded())))
        let top = Double(photo.height) - exact.maxY
        box = PixelRegion(
            x: Double(min(max(0, Int(exact.minX.rounded())), photo.width - columns)),
            y: Double(min(max(0, Int(top.rounded())), photo.height - rows)), width: Double(columns),
            height: Double(rows))
        (width, height) = target.size ?? (columns, rows)
        self.photo = photo
    }

    func write(to file: String) throws {
        try Photo.write(photo.image(of: box, width: width, height: height), to: file)
    }
}
