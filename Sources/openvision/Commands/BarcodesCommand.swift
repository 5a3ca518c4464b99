import ArgumentParser
import Foundation
import Vision
import VisionAnalysis
import VisionExtras
import VisionImage
import VisionPhotos
import VisionRecords

struct BarcodesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "barcodes",
        abstract: "Read the barcodes in photos.",
        discussion: """
            Prints, for each photo, the symbology and the payload of each barcode. A folder means all images in it and \
            in its subfolders. Photos that cannot be read are reported and skipped; the exit code is then 1.

            --symbologies takes names such as qr, ean13, code128, separated by commas; 'openvision barcodes --list' \
            prints all names. Without it, every symbology of the revision is read. --revision defaults to the newest.

            --render writes each photo with an outline around each barcode and a dot at its top left corner (in the \
            barcode's reading direction). With several photos, a number is added in front of the extension.

            Examples:
              openvision barcodes parcel.jpg
              openvision barcodes photos/ --symbologies qr,dataMatrix --json
              openvision barcodes parcel.jpg --render found.png
            """)

    @Argument(help: ArgumentHelp("Image files, folders of them, or - for the standard input.", valueName: "images"))
    var images: [String] = []

    @Option(help: ArgumentHelp("Read only these symbologies, separated by commas.", valueName: "names"))
    var symbologies: String?

    @Flag(help: "Print the names of the symbologies and exit.")
    var list = false

    @Option(help: ArgumentHelp("Write the photos with outlined barcodes to this file (.jpg, .png).", valueName: "file"))
    var render: String?

    @OptionGroup var confidence: ConfidenceOption
    @OptionGroup var options: PhotoOptions

    private var revision: Int { options.revision ?? VNDetectBarcodesRequest.currentRevision }

    func validate() throws {
        if images.isEmpty, !list { throw ValidationError("Name at least one image.") }
        if let text = ImageFile.check(render) { throw ValidationError(text) }
        guard let symbologies else { return }
        let known = try BarcodeNames.all(revision: revision)
        for name in BarcodeNames.split(symbologies) where BarcodeNames.symbology(name, among: known) == nil {
            throw ValidationError("Unknown symbology '\(name)'; 'openvision barcodes --list' prints the names.")
        }
    }

    func run() throws {
        let known = try BarcodeNames.all(revision: revision)
        if list { return known.map(\.recordName).forEach { print($0) } }
        let wanted = symbologies.map { names in
            BarcodeNames.split(names).compactMap { BarcodeNames.symbology($0, among: known) }
        }
        let (least, revision) = (confidence.minConfidence, revision)
        try processPhotos(images, options, render: render) { path, drawing in
            let found = try PhotoBarcodes(of: path, symbologies: wanted, minConfidence: least, revision: revision)
            if let drawing { try found.render(to: drawing) }
            return found
        } show: { found, path in
            try show(found, of: path)
        }
    }

    private func show(_ found: PhotoBarcodes, of path: FilePath) throws {
        guard !options.output.json else {
            return try JSONLines.print(
                ImageRecord(
                    kind: "barcodes", image: found.photo.reference(path),
                    results: found.codes.map { result($0, in: found) }))
        }
        print(path.printable)
        for code in found.codes {
            let name = code.symbology.recordName
            let padded = name.padding(toLength: max(12, name.count), withPad: " ", startingAt: 0)
            print("  \(padded)  \(BarcodePayload(code).text)")
        }
        if found.codes.isEmpty { print("  no code") }
    }

    private func result(_ code: VNBarcodeObservation, in found: PhotoBarcodes) -> BarcodeResult {
        let quad = found.photo.quad(of: code)
        return BarcodeResult(
            symbology: code.symbology.recordName, payload: code.payloadStringValue,
            supplement: code.supplementalPayloadString,
            base64: BarcodePayload(code).isPlain ? nil : code.payloadData?.base64EncodedString(),
            confidence: Decimals.rounded(Double(code.confidence), 4), box: quad.bounds, corners: quad.points,
            isInverted: code.isColorInverted, isGS1: code.isGS1DataCarrier)
    }
}

/// Symbologies by the names of records.
enum BarcodeNames {
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

    static func symbology(_ name: String, among known: [VNBarcodeSymbology]) -> VNBarcodeSymbology? {
        known.first { $0.recordName.lowercased() == name.lowercased() }
    }
}

/// The barcodes of one photo.
struct PhotoBarcodes: Sendable {
    let photo: Photo
    let codes: [VNBarcodeObservation]

    /// - Throws: The error of the request, or of reading a file that is not an image.
    init(of path: FilePath, symbologies: [VNBarcodeSymbology]?, minConfidence: Float, revision: Int) throws {
        let request = VNDetectBarcodesRequest()
        request.revision = revision
        if let symbologies { request.symbologies = symbologies }
        photo = try Photo(path)
        try photo.perform([request])
        codes = (request.results ?? []).filter { $0.confidence >= minConfidence }
    }

    /// The longest payload in a drawing, in characters.
    private static let labelLimit = 60

    /// Writes the photo with an outline around each barcode in the colour of its symbology, its payload, and a dot
    /// where its top edge begins.
    func render(to file: String) throws {
        let colours = Colour.forClasses(codes.map { $0.symbology.recordName })
        try photo.write(to: file) { canvas in
            QuadPainter().draw(
                codes.map { code in
                    let name = code.symbology.recordName
                    let payload = BarcodePayload(code).text
                    let short = payload.count > Self.labelLimit ? payload.prefix(Self.labelLimit) + "…" : payload
                    return QuadPainter.Quad(
                        quad: photo.quad(of: code), confidence: 1, label: "\(name): \(short)",
                        colour: colours[name] ?? .white)
                }, on: canvas)
        }
    }
}

/// The payload of a barcode for people.
struct BarcodePayload {
    /// On one line: control characters and backslashes as escapes (`\u{1D}` is the separator of GS1), what is not text
    /// as its number of bytes.
    let text: String
    /// Whether the payload is text without control characters.
    let isPlain: Bool

    init(_ code: VNBarcodeObservation) {
        isPlain =
            code.payloadStringValue?.unicodeScalars.contains { $0.properties.generalCategory == .control } == false
        let payload = code.payloadStringValue.map(Self.escaped)
        let size = code.payloadData?.count ?? 0
        let main = payload ?? "\(size) \(size == 1 ? "byte" : "bytes")"
        let supplement = code.supplementalPayloadString.map(Self.escaped)
        text = ([main] + [supplement].compactMap { $0 }).joined(separator: " + ")
    }

    /// Returns a text in which control characters and backslashes are written as in Swift.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\\": result += "\\\\"
            case _ where scalar.properties.generalCategory == .control:
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
