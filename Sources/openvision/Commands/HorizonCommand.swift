import ArgumentParser
import Foundation
import Vision
import VisionImage

struct HorizonCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "horizon",
        abstract: "Find how far photos are from level.",
        discussion: """
            Prints, for each photo, the angle of the horizon in degrees, counter-clockwise: above 0 where its right end is the \
            higher one; and how sure that is. What tells are straight edges: buildings, rooms, streets, a shore. Where nothing \
            tells, there is no horizon. A folder stands for the images in it and below it. Photos that cannot be read are \
            reported and left out; the exit code is 1 then.

            --render writes the photo turned level, cut to the largest part of its shape that has no empty corner. A photo \
            without a horizon is written as it is.

            Examples:
              openvision horizon street.jpg
              openvision horizon photos/ --json
              openvision horizon street.jpg --render level.jpg
            """)

    @Argument(help: ArgumentHelp("Image files, or folders of them.", valueName: "images"))
    var images: [String]

    @Option(help: ArgumentHelp("Write the levelled photo to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var options: PhotoOptions

    struct Record: Encodable {
        struct Horizon: Encodable {
            /// Radians, counter-clockwise.
            var angle: Double?
            var degrees: Double?
            var confidence: Double?
            /// What levels the photo, about its middle: a, b, c, d, tx and ty, in pixels from the lower left corner, y up.
            var transform: [Double]
        }

        var image: String
        /// Missing where there is none.
        var horizon: Horizon?
    }

    func validate() throws {
        if let text = ImageFile.check(render) { throw ValidationError(text) }
        if render != nil, images.count != 1 { throw ValidationError("--render takes one image.") }
    }

    func run() throws {
        let list = try PhotoList(images)
        if render != nil, list.photos.count != 1 { throw ValidationError("--render takes one image.") }
        let threads = options.threads(forPhotos: list.photos.count)
        for (path, reason) in list.unreadable { try report(failure: reason, of: path, json: options.output.json) }
        let (revision, wantsRender) = (options.revision, render)
        var failures = list.unreadable.count
        let interrupt = Interrupt()
        var next = list.photos.makeIterator()
        try SideBySide.run(threads: threads, isOrdered: true) {
            interrupt.isRequested ? nil : next.next()
        } work: { path in
            (path, Result { try PhotoHorizon(of: path, revision: revision) })
        } take: { path, horizon in
            switch horizon {
            case .success(let horizon):
                try show(horizon, of: path)
                if let wantsRender { try horizon.render(to: wantsRender) }
            case .failure(let error):
                failures += 1
                try report(failure: error.reason, of: path, json: options.output.json)
            }
        }
        if interrupt.isRequested { throw ExitCode(Interrupt.exitCode) }
        if failures > 0 { throw ExitCode.failure }
    }

    private func show(_ found: PhotoHorizon, of path: FilePath) throws {
        let degrees = found.horizon.map { Double($0.angle) * 180 / .pi }
        guard options.output.json else {
            let text = found.horizon.map { horizon in
                "\(Decimals.text(degrees ?? 0, 2))°  confidence \(Decimals.text(Double(horizon.confidence), 2))"
            }
            return print("\(path.printable)  \(text ?? "no horizon")")
        }
        let horizon = found.horizon.map { horizon in
            let transform = horizon.transform(forImageWidth: found.width, height: found.height)
            return Record.Horizon(
                angle: Decimals.rounded(Double(horizon.angle), 6), degrees: Decimals.rounded(degrees ?? 0, 3),
                confidence: Decimals.rounded(Double(horizon.confidence), 4),
                transform: [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty].map(
                    Double.init))
        }
        try JSONLines.print(Record(image: path.text, horizon: horizon))
    }
}

/// The horizon of one photo.
struct PhotoHorizon: Sendable {
    let horizon: VNHorizonObservation?
    let width: Int
    let height: Int
    private let data: Data

    /// - Throws: the error of the request, or of reading, when the file is no photo.
    init(of path: FilePath, revision: Int?) throws {
        let request = VNDetectHorizonRequest()
        if let revision { request.revision = revision }
        data = try PhotoFile.read(path).data
        (width, height) = try ImageSource(data: data).uprightSize()
        try VNImageRequestHandler(data: data).perform([request])
        horizon = request.results?.first
    }

    /// Writes the photo turned level, without empty corners.
    func render(to path: String) throws {
        let picture = try ImageSource(data: data).derivative(
            Derivative(
                region: PixelRegion(width: width, height: height), width: width, height: height, format: .bgra8))
        let level = try Self.levelled(picture, by: Double(horizon?.angle ?? 0))
        let buffer = try CVPixelBuffer.make(
            width: level.width, height: level.height, format: kCVPixelFormatType_32BGRA, path: path)
        try Canvas.paint(on: buffer) { $0.draw(level, x: 0, y: 0) }
        try ImageFile.write(buffer, to: path)
    }

    /// The picture turned clockwise by the angle, and the largest part of its shape about its middle that has no empty corner.
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
