import Foundation
import VisionAlgorithms
import VisionImage

/// The mapping of Vision's symbologies to the formats of the reader, with the revision that introduced each.
///
/// This is the only list of symbologies; Documentation/Barcodes.md describes the same.
enum BarcodeConventions {
    struct Entry: Sendable {
        let symbology: VNBarcodeSymbology
        let revision: Int
        let formats: BarcodeFormats
    }

    static let entries: [Entry] = [
        Entry(symbology: .aztec, revision: 1, formats: .aztec),
        Entry(symbology: .code39, revision: 1, formats: .code39),
        Entry(symbology: .code39Checksum, revision: 1, formats: .code39),
        Entry(symbology: .code39FullASCII, revision: 1, formats: .code39),
        Entry(symbology: .code39FullASCIIChecksum, revision: 1, formats: .code39),
        Entry(symbology: .code93, revision: 1, formats: .code93),
        Entry(symbology: .code93i, revision: 1, formats: .code93),
        Entry(symbology: .code128, revision: 1, formats: .code128),
        Entry(symbology: .dataMatrix, revision: 1, formats: .dataMatrix),
        Entry(symbology: .ean8, revision: 1, formats: .ean8),
        Entry(symbology: .ean13, revision: 1, formats: [.ean13, .upca]),
        Entry(symbology: .i2of5, revision: 1, formats: .itf),
        Entry(symbology: .i2of5Checksum, revision: 1, formats: .itf),
        Entry(symbology: .itf14, revision: 1, formats: .itf),
        Entry(symbology: .pdf417, revision: 1, formats: .pdf417),
        Entry(symbology: .qr, revision: 1, formats: .qr),
        Entry(symbology: .upce, revision: 1, formats: .upce),
        Entry(symbology: .codabar, revision: 2, formats: .codabar),
        Entry(symbology: .gs1DataBar, revision: 2, formats: .dataBar),
        Entry(symbology: .gs1DataBarExpanded, revision: 2, formats: .dataBarExpanded),
        Entry(symbology: .microQR, revision: 2, formats: .microQR),
        Entry(symbology: .maxiCodeSymbology, revision: 4, formats: .maxiCode),
    ]

    /// Symbologies of Apple's that this package does not read.
    static let unreadable: Set<VNBarcodeSymbology> = [.gs1DataBarLimited, .microPDF417, .msiPlessey]

    static func symbologies(ofRevision revision: Int) -> [VNBarcodeSymbology] {
        entries.filter { $0.revision <= revision }.map(\.symbology)
    }

    static func formats(of symbologies: Set<VNBarcodeSymbology>) -> BarcodeFormats {
        entries.reduce(into: []) { if symbologies.contains($1.symbology) { $0.formUnion($1.formats) } }
    }

    /// Returns the symbology of a barcode among the requested ones, and its payload as text; nil if it has none of
    /// them.
    static func reading(
        of code: FoundBarcode, among symbologies: Set<VNBarcodeSymbology>
    ) -> (symbology: VNBarcodeSymbology, payload: String?)? {
        readings(of: code).first { symbologies.contains($0.0) }
    }

    /// Returns all possible readings of a barcode, the most likely first.
    private static func readings(of code: FoundBarcode) -> [(VNBarcodeSymbology, String?)] {
        let text = code.text
        switch code.format {
        case .code39: return code39(text)
        case .itf:
            let isChecked = BarcodeText.hasValidCheckDigit(text)
            return (text.utf8.count == 14 && isChecked ? [(.itf14, text)] : []) + [(.i2of5, text)]
                + (isChecked ? [(.i2of5Checksum, text)] : [])
        case .upca: return [(.ean13, "0" + text)]
        case .code93: return [(.code93, text), (.code93i, text)]
        case .dataBar: return [(.gs1DataBar, "01" + text)]
        case .dataBarExpanded: return [(.gs1DataBarExpanded, BarcodeText.elementString(of: text))]
        default:
            // The other formats belong to one symbology each.
            let symbology = entries.first { $0.formats.contains(code.format) }?.symbology
            // The library treats message separators as binary data. The character set of a MaxiCode is ISO 8859-1.
            let isText =
                code.content != .binary
                || !text.isEmpty && BarcodeText.isText(code.bytes, latin1: code.format == .maxiCode)
            return symbology.map { [($0, isText ? text : nil)] } ?? []
        }
    }

    private static func code39(_ text: String) -> [(VNBarcodeSymbology, String?)] {
        var readings: [(VNBarcodeSymbology, String?)] = [(.code39, text)]
        let (isChecked, full) = (BarcodeText.hasValidCode39Check(text), BarcodeText.fullASCII(ofCode39: text))
        if isChecked { readings.append((.code39Checksum, text)) }
        if let full {
            readings.insert((.code39FullASCII, full), at: BarcodeText.hasSmallLetters(text) ? 0 : readings.count)
        }
        if isChecked, let body = BarcodeText.fullASCII(ofCode39: String(text.dropLast())), let check = text.last {
            readings.append((.code39FullASCIIChecksum, body + String(check)))
        }
        return readings
    }

    /// Returns the confidence of a barcode: 1 for 2-D barcodes with error correction; for linear (1-D) barcodes it
    /// grows with the number of scan lines that agree.
    static func confidence(of code: FoundBarcode) -> VNConfidence {
        BarcodeFormats.matrix.contains(code.format) ? 1 : VNConfidence(min(1, 0.5 + Double(code.lineCount) / 20))
    }

    /// Returns the payload as it was encoded.
    static func data(of code: FoundBarcode, payload: String?) -> Data {
        // The library's bytes lack the parts that the text adds.
        code.format.isDisjoint(with: [.dataBar, .dataBarExpanded, .upca])
            ? Data(code.bytes) : Data((payload ?? "").utf8)
    }

    /// Returns the data for redrawing the barcode; nil if the library does not provide enough.
    ///
    /// - Parameter image: The grey image that the corners of the barcode refer to.
    static func descriptor(of code: FoundBarcode, in image: Raster) -> CIBarcodeDescriptor? {
        switch code.format {
        case .qr:
            guard let format = QRFormat(of: code, in: image), let letter = code.errorCorrection.utf8.first,
                let level = CIQRCodeDescriptor.ErrorCorrectionLevel(rawValue: Int(letter))
            else { return nil }
            return CIQRCodeDescriptor(
                payload: Data(code.codewords), symbolVersion: format.version, maskPattern: UInt8(clamping: format.mask),
                errorCorrectionLevel: level)
        case .dataMatrix:
            guard let size = DataMatrixSize.size(dataCodewords: code.codewords.count, aspect: code.aspect) else {
                return nil
            }
            return CIDataMatrixCodeDescriptor(
                payload: Data(code.codewords), rowCount: size.rows, columnCount: size.columns, eccVersion: .v200)
        default: return nil
        }
    }
}
