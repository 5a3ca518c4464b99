import ArgumentParser
import Foundation
import Vision
import VisionImage
import VisionPhotos
import VisionRecords

struct HorizonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "horizon",
        abstract: "Find how far photos are from level.",
        discussion: """
            Prints, for each photo, the angle of the horizon in degrees, counter-clockwise: above 0 where its right \
            end is the higher one; and how sure that is. What tells are straight edges: buildings, rooms, streets, a \
            shore. Where nothing tells, there is no horizon. A folder stands for the images in it and below it. Photos \
            that cannot be read are reported and left out; the exit code is 1 then.

            --render writes the photo turned level, cut to the largest part of its shape that has no empty corner. A \
            photo without a horizon is written as it is. With several photos their number goes in front of the \
            extension.

            Examples:
              openvision horizon street.jpg
              openvision horizon photos/ --json
              openvision horizon street.jpg --render level.jpg
            """)

    @Argument(help: ArgumentHelp("Image files, or folders of them.", valueName: "images"))
    var images: [String]

    @Option(help: ArgumentHelp("Write the levelled photos to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var options: PhotoOptions

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
    }

    func run() throws {
        let revision = options.revision
        try lookAtPhotos(images, options, render: render) { path, drawing in
            let found = try PhotoHorizon(of: path, revision: revision)
            if let drawing { try found.render(to: drawing) }
            return found
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func show(_ found: PhotoHorizon, of path: FilePath) throws {
        let degrees = found.horizon.map { Double($0.angle) * 180 / .pi }
        guard options.output.json else {
            let text = found.horizon.map { horizon in
                "\(Decimals.text(degrees ?? 0, 2))°  confidence \(Decimals.text(Double(horizon.confidence), 2))"
            }
            return print("\(path.printable)  \(text ?? "no horizon")")
        }
        let results = found.horizon.map { horizon in
            let transform = horizon.transform(forImageWidth: found.photo.width, height: found.photo.height)
            let rows = [
                [transform.a, transform.c, transform.tx], [transform.b, transform.d, transform.ty], [0, 0, 1],
            ].map { $0.map { Double($0) } }
            let height = Double(found.photo.height)
            return [
                HorizonResult(
                    angle: Decimals.rounded(degrees ?? 0, 3),
                    confidence: Decimals.rounded(Double(horizon.confidence), 4),
                    transform: RecordMatrix.fromTopLeft(rows, height: height, resultHeight: height))
            ]
        }
        try JSONLines.print(
            ImageRecord(kind: "horizon", image: found.photo.reference(path), results: results ?? []))
    }
}

/// The horizon of one photo.
struct PhotoHorizon: Sendable {
    let photo: Photo
    let horizon: VNHorizonObservation?

    /// - Throws: the error of the request, or of reading, when the file is no photo.
    init(of path: FilePath, revision: Int?) throws {
        let request = VNDetectHorizonRequest()
        if let revision { request.revision = revision }
        photo = try Photo(path)
        try photo.perform([request])
        horizon = request.results?.first
    }

    /// Writes the photo turned level, without empty corners.
    func render(to file: String) throws {
        try Photo.write(Self.levelled(photo.picture(), by: Double(horizon?.angle ?? 0)), to: file)
    }

    /// The picture turned clockwise by the angle, and the largest part of its shape about its middle that has no empty
    /// corner.
    static func levelled(_ picture: Raster, by angle: Double) throws -> Raster {
        guard angle != 0 else { return picture }
        let (c, s) = (cos(angle), sin(angle))
        let (width, height) = (Double(picture.width), Double(picture.height))
        let part = 1 / max(c + abs(s) * height / width, c + abs(s) * width / height)
        let (columns, rows) = (max(1, Int(width * part)), max(1, Int(height * part)))
        let (x, y) = (Double(columns) / 2, Double(rows) / 2)
        // From the level picture to the one that is not: turned counter-clockwise, in pixels with y down.
        let map = CGAffineTransform(
            a: c, b: -s, c: s, d: c, tx: width / 2 - c * x - s * y, ty: height / 2 + s * x - c * y)
        return try picture.warped(by: map, width: columns, height: rows, border: .replicate)
    }
}
