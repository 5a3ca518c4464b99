import ArgumentParser
import Foundation
import Vision
import VisionImage
import VisionPhotos

struct SaliencyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "saliency",
        abstract: "Find what stands out in photos.",
        discussion: """
            Prints one line per salient part, the most salient first: its box in pixels (x, y, width, height; origin \
            at the top left) and the highest value of the saliency map in it. --attention (the default) is about where \
            people look first and gives one box; --objectness is about objects in the foreground and gives up to three.

            --render writes each photo with the saliency map and the boxes over it: red is most salient. With several \
            photos, a number is added in front of the extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision saliency photo.jpg --render heat.jpg
              openvision saliency photos/ --objectness --json
            """)

    /// The two kinds of saliency.
    enum Kind: String, EnumerableFlag {
        case attention, objectness

        static func help(for value: Kind) -> ArgumentHelp? {
            value == .attention ? "Where people look first." : "What belongs to objects in the foreground."
        }
    }

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Flag var kind = Kind.attention

    @OptionGroup var boxes: BoxOptions
    @OptionGroup var options: PhotoOptions

    func run() throws {
        let (kind, least, revision) = (kind, boxes.minConfidence ?? 0, options.revision)
        try processPhotos(images, options, render: boxes.render) { path, drawing in
            let found = try PhotoSaliency(of: path, kind: kind, minConfidence: least, revision: revision)
            if let drawing { try found.render(to: drawing) }
            return found.objects
        } show: { found, path in
            try found.print(path, kind: "saliency", json: options.output.json, nothing: "nothing stands out")
        }
    }
}

/// The saliency map of one photo.
struct PhotoSaliency {
    let objects: PhotoObjects
    private let map: FloatMap

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(of path: FilePath, kind: SaliencyCommand.Kind, minConfidence: Float, revision: Int?) throws {
        let request: VNImageBasedRequest =
            switch kind {
            case .attention: VNGenerateAttentionBasedSaliencyImageRequest()
            case .objectness: VNGenerateObjectnessBasedSaliencyImageRequest()
            }
        if let revision { request.revision = revision }
        let photo = try Photo(path)
        try photo.perform([request])
        let found = (request.results ?? []).compactMap { $0 as? VNSaliencyImageObservation }.first
        map = found.map { FloatMap($0.pixelBuffer) } ?? FloatMap(width: 0, height: 0, values: [])
        let salient = (found?.salientObjects ?? []).filter { $0.confidence >= minConfidence }
        objects = PhotoObjects(
            photo: photo,
            objects: salient.map {
                PhotoObject(box: photo.box(of: $0.boundingBox), confidence: $0.confidence, label: nil)
            })
    }

    /// Writes the photo with the map and the boxes over it.
    func render(to file: String) throws {
        let drawn = try HeatMap.drawn(map, over: objects.photo.image())
        try Photo.write(drawn, to: file) { canvas in
            objects.draw(on: canvas)
            Legend(entries: HeatMap.legend).draw(
                avoiding: objects.objects.map { object in
                    CGRect(x: object.box.x, y: object.box.y, width: object.box.width, height: object.box.height)
                }, on: canvas)
        }
    }
}
