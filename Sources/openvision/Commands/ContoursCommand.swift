import ArgumentParser
import Foundation
import Vision
import VisionPhotos
import VisionRecords

struct ContoursCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contours",
        abstract: "Find the contours of dark or light regions in photos.",
        discussion: """
            Prints, for each photo, how many contours there are, how many of them are within no other, and how many \
            points they have. --json prints the contours with their points in pixels (origin at the top left) and \
            their position in the hierarchy: regions, the holes in them, regions in the holes, and so on.

            A region is darker than the pivot (--light: lighter); its contour runs along its outermost pixels. A \
            higher contrast finds fainter regions. The photo is reduced to --dimension pixels along its longer side \
            first.

            --svg writes the contours as a drawing in lines; --render writes the photo with the contours on it, those \
            of regions in other colours than those of holes. With several photos, a number is added in front of the \
            extension.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision contours drawing.png --svg drawing.svg
              openvision contours photo.jpg --pivot auto --epsilon 1.5 --render lines.png
              openvision contours scans/ --light --json
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String]

    @Flag(help: "Find light regions on a dark background.")
    var light = false

    @Option(help: ArgumentHelp("The grey value between regions and background, 0 to 1, or 'auto'.", valueName: "value"))
    var pivot = "0.5"

    @Option(help: ArgumentHelp("By how much the contrast is multiplied, 0 to 3.", valueName: "factor"))
    var contrast: Float = 2

    @Option(help: ArgumentHelp("Reduce photos to this width and height at most; 64 or more.", valueName: "pixels"))
    var dimension = 512

    @Option(help: ArgumentHelp("Leave out points that are nearer to the polygon than this.", valueName: "pixels"))
    var epsilon: Double?

    @Option(help: ArgumentHelp("Write the contours to this file as lines (.svg).", valueName: "file"))
    var svg: String?

    @Option(help: ArgumentHelp("Write the photos with the contours to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
        if let svg, !svg.lowercased().hasSuffix(".svg") {
            throw ValidationError("'\(svg)' has no extension .svg.")
        }
        guard pivot == "auto" || Double(pivot).map({ $0 >= 0 && $0 <= 1 }) == true else {
            throw ValidationError("--pivot is \(pivot); it must be 0 to 1, or auto.")
        }
        guard contrast >= 0, contrast <= 3 else {
            throw ValidationError("--contrast is \(contrast); it must be 0 to 3.")
        }
        guard dimension >= 64 else { throw ValidationError("--dimension is \(dimension); it must be 64 or more.") }
        if let epsilon, !(epsilon >= 0) { throw ValidationError("--epsilon is \(epsilon); it must be 0 or more.") }
    }

    func run() throws {
        let (light, level, contrast, dimension) = (light, Double(pivot), contrast, dimension)
        let (epsilon, revision, hasSVG) = (epsilon, options.revision, svg != nil)
        var drawings = 0
        let count = try svg.map { _ in try PhotoList(images).photos.count } ?? 0
        try processPhotos(images, options, render: render) { path, drawing in
            let request = VNDetectContoursRequest()
            request.detectsDarkOnLight = !light
            request.contrastPivot = level.map { NSNumber(value: $0) }
            request.contrastAdjustment = contrast
            request.maximumImageDimension = dimension
            if let revision { request.revision = revision }
            let photo = try Photo(path)
            try photo.perform([request])
            let found = try PhotoContours(of: photo, request.results?.first, epsilon: epsilon)
            if let drawing { try found.render(to: drawing) }
            return (found, hasSVG ? found.svg : nil)
        } show: { result, path in
            let (found, text) = result
            if let svg, let text {
                let file = TrackCSV.path(svg, target: drawings, of: count)
                drawings += 1
                try OutputFile.write(Data(text.utf8), to: file)
            }
            guard options.output.json else {
                let points = found.contours.reduce(0) { $0 + $1.points.count }
                return print(
                    "\(path.printable)  \(Count.text(found.contours.count, "contour")), "
                        + "\(found.topLevelCount) top-level, \(Count.text(points, "point"))")
            }
            try JSONLines.print(
                ImageRecord(kind: "contours", image: found.photo.reference(path), results: found.results))
        }
    }
}

/// The contours of one photo.
struct PhotoContours: Sendable {
    struct Contour: Sendable {
        let index: [Int]
        /// In pixels from the top left.
        let points: [CGPoint]

        var isHole: Bool { index.count % 2 == 0 }
    }

    let photo: Photo
    let contours: [Contour]
    let topLevelCount: Int

    /// - Parameter epsilon: In pixels of the photo; nil for all points.
    init(of photo: Photo, _ observation: VNContoursObservation?, epsilon: Double?) throws {
        self.photo = photo
        topLevelCount = observation?.topLevelContourCount ?? 0
        let (width, height) = (Double(photo.width), Double(photo.height))
        contours = try (0..<(observation?.contourCount ?? 0)).compactMap { number in
            guard var contour = try observation?.contour(at: number) else { return nil }
            if let epsilon { contour = try contour.polygonApproximation(epsilon: Float(epsilon / max(width, height))) }
            return Contour(
                index: Array(contour.indexPath),
                points: contour.normalizedPoints.map {
                    CGPoint(x: Double($0.x) * width, y: (1 - Double($0.y)) * height)
                })
        }
    }

    var results: [ContourResult] {
        contours.map { contour in
            ContourResult(
                index: contour.index, isHole: contour.isHole,
                points: contour.points.map { PixelPoint(x: Double($0.x), y: Double($0.y)) })
        }
    }

    /// The contours as one path of an SVG document in pixels of the photo: regions are filled, holes are not.
    var svg: String {
        let subpaths = contours.map { contour in
            "M"
                + contour.points.map { "\(Decimals.text(Double($0.x), 2)),\(Decimals.text(Double($0.y), 2))" }
                .joined(separator: "L") + "Z"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(photo.width)" height="\(photo.height)" \
            viewBox="0 0 \(photo.width) \(photo.height)">
            <path fill="#d8d8d8" fill-rule="evenodd" stroke="#000" stroke-width="1" stroke-linejoin="round" d="
            \(subpaths.joined(separator: "\n"))"/>
            </svg>

            """
    }

    /// Writes the photo, paler, with the contours: those of regions and those of holes in two colours.
    func render(to file: String) throws {
        let width = max(1.2, Double(max(photo.width, photo.height)) / 700)
        try Photo.write(PaleImage.of(photo.image()), to: file) { canvas in
            for contour in contours {
                let colour =
                    contour.isHole ? Colour(red: 0, green: 110, blue: 230) : Colour(red: 220, green: 30, blue: 60)
                canvas.stroke(contour.points, isClosed: true, width: width, colour)
            }
            Legend(
                entries: [
                    ("region", Colour(red: 220, green: 30, blue: 60)), ("hole", Colour(red: 0, green: 110, blue: 230)),
                ]
            ).draw(avoiding: contours.map { Self.bounds($0.points) }, on: canvas)
        }
    }

    private static func bounds(_ points: [CGPoint]) -> CGRect {
        points.reduce(CGRect.null) { $0.union(CGRect(origin: $1, size: CGSize(width: 1, height: 1))) }
    }
}
