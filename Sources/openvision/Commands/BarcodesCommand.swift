import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage

struct BarcodesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "barcodes",
        abstract: "Read the barcodes in photos.",
        discussion: """
            Prints, for each photo, the kind of each code and what it says. A folder stands for the images in it and below \
            it. Photos that cannot be read are reported and left out; the exit code is 1 then.

            --symbologies takes names such as qr, ean13, code128, separated by commas; 'openvision barcodes --list' prints \
            them. Without it all that the revision reads are looked for; --revision is the newest without it.

            --render writes the photo with a frame around each code: its top edge, as the code is read, is thicker.

            Examples:
              openvision barcodes shelf.jpg
              openvision barcodes photos/ --symbologies qr,dataMatrix --json
              openvision barcodes shelf.jpg --render found.png
            """)

    @Argument(help: ArgumentHelp("Image files, or folders of them.", valueName: "images"))
    var images: [String] = []

    @Option(help: ArgumentHelp("Look for these only, separated by commas.", valueName: "names"))
    var symbologies: String?

    @Flag(help: "Print the names of the symbologies.")
    var list = false

    @Option(help: ArgumentHelp("Write the photo with what was found to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var options: PhotoOptions

    struct Record: Encodable {
        struct Code: Encodable {
            var symbology: String
            var payload: String?
            var supplement: String?
            /// Of the bytes, where the payload is no text.
            var base64: String?
            var confidence: Double?
            /// x, y, width and height in pixels from the top left.
            var box: [Double?]
            /// Top left, top right, bottom right and bottom left of the code, x and y each, in the same pixels.
            var corners: [Double?]
            var isInverted: Bool
            var isGS1: Bool
        }

        var image: String
        var codes: [Code]
    }

    private var revision: Int { options.revision ?? VNDetectBarcodesRequest.currentRevision }

    func validate() throws {
        if images.isEmpty, !list { throw ValidationError("Name at least one image.") }
        if let text = ImageFile.check(render) { throw ValidationError(text) }
        if render != nil, images.count != 1 { throw ValidationError("--render takes one image.") }
        guard let symbologies else { return }
        let known = try BarcodeNames.all(revision: revision)
        for name in BarcodeNames.split(symbologies) where BarcodeNames.symbology(name, among: known) == nil {
            throw ValidationError("There is no symbology '\(name)'; 'openvision barcodes --list' prints their names.")
        }
    }

    func run() throws {
        let known = try BarcodeNames.all(revision: revision)
        if list { return known.map(BarcodeNames.name).forEach { print($0) } }
        let wanted = symbologies.map { names in
            BarcodeNames.split(names).compactMap { BarcodeNames.symbology($0, among: known) }
        }
        let list = try PhotoList(images)
        if render != nil, list.photos.count != 1 { throw ValidationError("--render takes one image.") }
        let threads = options.threads(forPhotos: list.photos.count)
        for (path, reason) in list.unreadable { try report(failure: reason, of: path, json: options.output.json) }
        let (revision, wantsRender) = (revision, render)
        var failures = list.unreadable.count
        let interrupt = Interrupt()
        var next = list.photos.makeIterator()
        try SideBySide.run(threads: threads, isOrdered: true) {
            interrupt.isRequested ? nil : next.next()
        } work: { path in
            (path, Result { try PhotoBarcodes(of: path, symbologies: wanted, revision: revision) })
        } take: { path, codes in
            switch codes {
            case .success(let codes):
                try show(codes, of: path)
                if let wantsRender { try codes.render(to: wantsRender) }
            case .failure(let error):
                failures += 1
                try report(failure: error.reason, of: path, json: options.output.json)
            }
        }
        if interrupt.isRequested { throw ExitCode(Interrupt.exitCode) }
        if failures > 0 { throw ExitCode.failure }
    }

    private func show(_ found: PhotoBarcodes, of path: FilePath) throws {
        guard !options.output.json else {
            return try JSONLines.print(Record(image: path.text, codes: found.codes.map { record($0, in: found) }))
        }
        print(path.printable)
        for code in found.codes {
            let name = BarcodeNames.name(code.symbology)
            let payload = code.payloadStringValue ?? "\(code.payloadData?.count ?? 0) bytes"
            let text = ([payload] + [code.supplementalPayloadString].compactMap { $0 }).joined(separator: " + ")
            print(
                "  \(name.padding(toLength: max(12, name.count), withPad: " ", startingAt: 0))  \(text.printableLine)")
        }
        if found.codes.isEmpty { print("  no code") }
    }

    private func record(_ code: VNBarcodeObservation, in found: PhotoBarcodes) -> Record.Code {
        let corners = found.corners(of: code)
        let (xs, ys) = (corners.map(\.x), corners.map(\.y))
        let (left, top) = (xs.min() ?? 0, ys.min() ?? 0)
        let box = [left, top, (xs.max() ?? 0) - left, (ys.max() ?? 0) - top]
        return Record.Code(
            symbology: BarcodeNames.name(code.symbology), payload: code.payloadStringValue,
            supplement: code.supplementalPayloadString,
            base64: code.payloadStringValue == nil ? code.payloadData?.base64EncodedString() : nil,
            confidence: Decimals.rounded(Double(code.confidence), 4), box: box.map { Decimals.rounded($0, 2) },
            corners: corners.flatMap { [Decimals.rounded($0.x, 2), Decimals.rounded($0.y, 2)] },
            isInverted: code.isColorInverted, isGS1: code.isGS1DataCarrier)
    }
}

/// Short names of symbologies: the raw values without their common start, the first letters small.
enum BarcodeNames {
    private static let start = "VNBarcodeSymbology"

    static func all(revision: Int) throws -> [VNBarcodeSymbology] {
        let request = VNDetectBarcodesRequest()
        request.revision = revision
        do {
            return try request.supportedSymbologies()
        } catch {
            throw ValidationError(error.localizedDescription)
        }
    }

    static func split(_ names: String) -> [String] {
        names.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    static func name(_ symbology: VNBarcodeSymbology) -> String {
        let name =
            symbology.rawValue.hasPrefix(start) ? symbology.rawValue.dropFirst(start.count) : symbology.rawValue[...]
        let capitals = name.prefix { $0.isUppercase }
        // EAN13 becomes ean13 and DataMatrix dataMatrix.
        let count =
            capitals.count == name.count || name.dropFirst(capitals.count).first?.isNumber == true
            ? capitals.count : max(1, capitals.count - 1)
        return name.prefix(count).lowercased() + name.dropFirst(count)
    }

    static func symbology(_ name: String, among known: [VNBarcodeSymbology]) -> VNBarcodeSymbology? {
        known.first { self.name($0).lowercased() == name.lowercased() }
    }
}

/// The codes of one photo.
struct PhotoBarcodes: Sendable {
    let codes: [VNBarcodeObservation]
    private let data: Data
    private let width: Int
    private let height: Int

    /// - Throws: the error of the request, or of reading, when the file is no photo.
    init(of path: FilePath, symbologies: [VNBarcodeSymbology]?, revision: Int) throws {
        let request = VNDetectBarcodesRequest()
        request.revision = revision
        if let symbologies { request.symbologies = symbologies }
        data = try PhotoFile.read(path).data
        let size = try ImageSource(data: data).uprightSize()
        (width, height) = (size.width, size.height)
        try VNImageRequestHandler(data: data).perform([request])
        codes = request.results ?? []
    }

    /// Top left, top right, bottom right, bottom left, in pixels from the top left of the photo.
    func corners(of code: VNBarcodeObservation) -> [(x: Double, y: Double)] {
        [code.topLeft, code.topRight, code.bottomRight, code.bottomLeft].map {
            (Double($0.x) * Double(width), (1 - Double($0.y)) * Double(height))
        }
    }

    /// Writes the photo with a frame around each code.
    func render(to path: String) throws {
        let buffer = try CVPixelBuffer.make(width: width, height: height, format: kCVPixelFormatType_32BGRA, path: path)
        let picture = try ImageSource(data: data).derivative(
            Derivative(
                region: PixelRegion(width: width, height: height), width: width, height: height, format: .bgra8))
        try Canvas.paint(on: buffer) { canvas in
            canvas.draw(picture, x: 0, y: 0)
            let thickness = max(2, max(width, height) / 400)
            for (index, code) in codes.enumerated() {
                let corners = corners(of: code)
                for side in 0..<4 {
                    canvas.line(
                        from: corners[side], to: corners[(side + 1) % 4],
                        thickness: side == 0 ? 2 * thickness : thickness, Colour.forTarget(index))
                }
            }
        }
        try ImageFile.write(buffer, to: path)
    }
}

extension Canvas {
    /// A line as a row of squares.
    fileprivate func line(
        from start: (x: Double, y: Double), to end: (x: Double, y: Double), thickness: Int, _ colour: Colour
    ) {
        let values = [start.x, start.y, end.x, end.y]
        guard values.allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else { return }
        let steps = Int(max(abs(end.x - start.x), abs(end.y - start.y)).rounded(.up))
        for step in 0...max(1, steps) {
            let part = Double(step) / Double(max(1, steps))
            let (x, y) = (start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
            fill(
                PixelRectangle(
                    x: Int(x.rounded()) - thickness / 2, y: Int(y.rounded()) - thickness / 2, width: thickness,
                    height: thickness), colour)
        }
    }
}

extension String {
    /// On one line, with what a terminal would act on replaced.
    fileprivate var printableLine: String {
        String(unicodeScalars.map { $0.properties.generalCategory == .control ? "·" : Character($0) })
    }
}
