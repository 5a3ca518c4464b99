import ArgumentParser
import Foundation
import Vision
import VisionAlgorithms
import VisionExtras
import VisionImage

struct BarcodesAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "barcodes",
        abstract: "Read labelled photographs of barcodes, beside ZXing-C++ alone.",
        discussion: """
            The data is a folder of folders, as the tests of ZXing-C++ have them: beside an image lies a text of the \
            same name (.txt) with what the code says, or its bytes (.bin). Images without either have no code that has \
            to be found: in folders called falsepositives… whatever is read in them is false.

            A reading is right when it is the label to the letter, after what Documentation/Barcodes.md says: UPC-E \
            counts as the GTIN-13 it stands for, a Code 39 of six characters as the Italian pharmacode (Code 32) that \
            they stand for, and digits beside a code may follow it. Content without text is compared by its bytes. The \
            library's UPC-A, DataBar and DataBar Expanded are written in the same way before they are compared.

            The library alone runs in a process of its own for every image, since its assertions end it on some; where \
            they do, each format is tried by itself.
            """)

    @Argument(help: "A folder of folders of labelled images.")
    var data: String

    @Option(help: "Only folders whose name starts so. Repeat it for more.")
    var only: [String] = []

    @Option(help: "Only every second image of a folder: the first ones (0) or the others (1).")
    var half: Int?

    @Flag(help: "Name the images that are not read.")
    var missed = false

    @Flag(help: "Only ours: the library is not run.")
    var oursOnly = false

    @Option(help: ArgumentHelp("Read one image with the library alone and print its payloads.", visibility: .hidden))
    var library: String?

    @Option(help: ArgumentHelp("The formats for --library, as a number.", visibility: .hidden))
    var formats: UInt32 = BarcodeFormats.all.rawValue

    /// Folders of symbologies that ZXing-C++ 1.4 does not know.
    private static let newer = ["databarltd", "dxfilmedge", "micropdf417", "rmqrcode", "telepen"]

    private struct Row {
        var images = 0
        var ours = 0
        var theirs = 0
        var oursElsewhere = 0
        var theirsElsewhere = 0
        var ends = 0
        var times: [Double] = []
    }

    func run() throws {
        if let library { return try printLibrary(library) }
        let root = URL(fileURLWithPath: data, isDirectory: true)
        let folders = try FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)
            .filter { (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false }
            .filter { folder in only.isEmpty || only.contains { folder.lastPathComponent.hasPrefix($0) } }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        print("folder                 images   ours  library   false: ours  library   ended   median ms")
        var (known, newer) = (Row(), Row())
        for folder in folders {
            let name = folder.lastPathComponent
            let row = try measure(folder)
            print(line(name, row))
            if Self.newer.contains(where: { name.hasPrefix($0) }) { add(row, to: &newer) } else { add(row, to: &known) }
        }
        print(line("all that it knows", known))
        print(line("newer than 1.4", newer))
    }

    private func add(_ row: Row, to sum: inout Row) {
        sum.images += row.images
        sum.ours += row.ours
        sum.theirs += row.theirs
        sum.oursElsewhere += row.oursElsewhere
        sum.theirsElsewhere += row.theirsElsewhere
        sum.ends += row.ends
        sum.times += row.times
    }

    private func line(_ name: String, _ row: Row) -> String {
        name.padding(toLength: 22, withPad: " ", startingAt: 0)
            + String(
                format: "%7d %6d %8d %14d %8d %7d %11.1f", row.images, row.ours, row.theirs, row.oursElsewhere,
                row.theirsElsewhere, row.ends, percentile(0.5, ofSorted: row.times.sorted()))
    }

    private func measure(_ folder: URL) throws -> Row {
        var row = Row()
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { ["png", "jpg", "jpeg", "webp"].contains($0.pathExtension) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
        for (number, file) in files.enumerated() where half.map({ number % 2 == $0 }) ?? true {
            let label = Label(of: file)
            let start = nanoseconds()
            let ours = try observations(of: file)
            row.times.append(Double(nanoseconds() - start) / 1e6)
            let readings = ours.map { Reading($0) }
            var library: (readings: [Reading], ended: Bool) = ([], false)
            if !oursOnly { library = try libraryReadings(of: file) }
            row.ends += library.ended ? 1 : 0
            guard let label else {
                row.oursElsewhere += readings.count
                row.theirsElsewhere += library.readings.count
                if missed, folder.lastPathComponent.hasPrefix("false") {
                    for reading in readings { print("  \(file.lastPathComponent): \(reading.texts)") }
                }
                continue
            }
            row.images += 1
            let isRight = readings.contains { $0.agrees(with: label) }
            let isRightThere = library.readings.contains { $0.agrees(with: label) }
            row.ours += isRight ? 1 : 0
            row.theirs += isRightThere ? 1 : 0
            row.oursElsewhere += readings.filter { !$0.agrees(with: label) }.count
            row.theirsElsewhere += library.readings.filter { !$0.agrees(with: label) }.count
            if missed, !isRight || readings.contains(where: { !$0.agrees(with: label) }) {
                print(
                    "  \(file.lastPathComponent): \(isRight ? "more" : "missed")"
                        + "\(isRightThere ? ", the library reads it" : "")"
                        + " \(readings.map { $0.texts.first ?? "" })"
                        + " for \(String(decoding: label.bytes, as: UTF8.self))"
                )
            }
        }
        return row
    }

    private func observations(of file: URL) throws -> [VNBarcodeObservation] {
        let request = VNDetectBarcodesRequest()
        request.revision = VNDetectBarcodesRequestRevision4
        try VNImageRequestHandler(url: file).perform([request])
        return request.results ?? []
    }

    // MARK: - The library alone

    private func printLibrary(_ path: String) throws {
        let source = ImageSource(url: URL(fileURLWithPath: path))
        let codes = try BarcodeReader.libraryCodes(
            in: try source.fullSizeGrey(), formats: BarcodeFormats(rawValue: formats))
        let readings = codes.map { Reading($0) }
        print(String(decoding: try JSONEncoder().encode(readings), as: UTF8.self))
    }

    private func libraryReadings(of file: URL) throws -> (readings: [Reading], ended: Bool) {
        if let readings = try separately(file, formats: formats) { return (readings, false) }
        var all: [Reading] = []
        for bit in 0..<UInt32(17) {
            all += try separately(file, formats: 1 << bit) ?? []
        }
        return (all, true)
    }

    /// nil where the process ended.
    private func separately(_ file: URL, formats: UInt32) throws -> [Reading]? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["accuracy", "barcodes", data, "--library", file.path, "--formats", "\(formats)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else { return nil }
        return try JSONDecoder().decode([Reading].self, from: output)
    }
}

/// What an image's code says.
private struct Label {
    var bytes: Data
    var isBinary: Bool

    init?(of file: URL) {
        let stem = file.deletingPathExtension()
        if let text = try? Data(contentsOf: stem.appendingPathExtension("txt")) {
            (bytes, isBinary) = (text, false)
        } else if let binary = try? Data(contentsOf: stem.appendingPathExtension("bin")) {
            (bytes, isBinary) = (binary, true)
        } else {
            return nil
        }
    }
}

/// What was read, in every form in which it may be written.
private struct Reading: Codable {
    var texts: [String]
    var data: Data

    init(_ observation: VNBarcodeObservation) {
        let payload = observation.payloadStringValue
        texts = payload.map { [$0] } ?? []
        if observation.symbology == .upce { texts += payload.flatMap(BarcodeText.expandedUPCE).map { [$0] } ?? [] }
        if observation.symbology == .code39 { texts += payload.flatMap(Self.pharmacode).map { [$0] } ?? [] }
        if let supplement = observation.supplementalPayloadString { texts += texts.map { $0 + supplement } }
        data = observation.payloadData ?? Data()
    }

    init(_ code: FoundBarcode) {
        switch code.format {
        case .upca: texts = ["0" + code.text]
        case .dataBar: texts = ["01" + code.text]
        case .dataBarExpanded: texts = [BarcodeText.elementString(of: code.text)]
        case .upce: texts = [code.text] + (BarcodeText.expandedUPCE(code.text).map { [$0] } ?? [])
        case .code39: texts = [code.text] + (Self.pharmacode(code.text).map { [$0] } ?? [])
        default: texts = [code.text]
        }
        data = Data(code.bytes)
    }

    func agrees(with label: Label) -> Bool {
        label.isBinary || texts.isEmpty ? data == label.bytes : texts.contains { Data($0.utf8) == label.bytes }
    }

    /// Returns the number of a Code 32: six characters of Code 39 are a number to the base of 32.
    private static func pharmacode(_ text: String) -> String? {
        let digits = Array("0123456789BCDFGHJKLMNPQRSTUVWXYZ")
        let values = text.compactMap { digits.firstIndex(of: $0) }
        guard text.count == 6, values.count == 6 else { return nil }
        let number = String(values.reduce(0) { 32 * $0 + $1 })
        return number.count <= 9 ? "A" + String(repeating: "0", count: 9 - number.count) + number : nil
    }
}
