/// The symbologies of barcodes.
public enum BarcodeSymbology: CaseIterable, Codable, Hashable, Sendable {
    /// Aztec.
    case aztec
    /// Codabar.
    case codabar
    /// Code 128.
    case code128
    /// Code 39.
    case code39
    /// Code 39 with a checksum.
    case code39Checksum
    /// Code 39 with all of ASCII.
    case code39FullASCII
    /// Code 39 with all of ASCII and a checksum.
    case code39FullASCIIChecksum
    /// Code 93.
    case code93
    /// Code 93i.
    case code93i
    /// Data Matrix.
    case dataMatrix
    /// EAN-13.
    case ean13
    /// EAN-8.
    case ean8
    /// GS1 DataBar.
    case gs1DataBar
    /// GS1 DataBar Expanded.
    case gs1DataBarExpanded
    /// GS1 DataBar Limited.
    case gs1DataBarLimited
    /// Interleaved 2 of 5.
    case i2of5
    /// Interleaved 2 of 5 with a checksum.
    case i2of5Checksum
    /// ITF-14.
    case itf14
    /// Micro PDF417.
    case microPDF417
    /// Micro QR.
    case microQR
    /// MSI Plessey; not read.
    case msiPlessey
    /// PDF417.
    case pdf417
    /// QR.
    case qr
    /// UPC-E.
    case upce
    /// MaxiCode, which Apple's Vision does not have.
    case maxiCode
    /// A symbology that this package does not know: of an observation that another version archived.
    case unknown

    /// All symbologies that have a name in the classic API.
    public static let allCases: [BarcodeSymbology] = classicNames.map(\.0)

    private static let classicNames: [(BarcodeSymbology, VNBarcodeSymbology)] = [
        (.aztec, .aztec), (.codabar, .codabar), (.code128, .code128), (.code39, .code39),
        (.code39Checksum, .code39Checksum), (.code39FullASCII, .code39FullASCII),
        (.code39FullASCIIChecksum, .code39FullASCIIChecksum), (.code93, .code93), (.code93i, .code93i),
        (.dataMatrix, .dataMatrix), (.ean13, .ean13), (.ean8, .ean8), (.gs1DataBar, .gs1DataBar),
        (.gs1DataBarExpanded, .gs1DataBarExpanded), (.gs1DataBarLimited, .gs1DataBarLimited), (.i2of5, .i2of5),
        (.i2of5Checksum, .i2of5Checksum), (.itf14, .itf14), (.microPDF417, .microPDF417), (.microQR, .microQR),
        (.msiPlessey, .msiPlessey), (.pdf417, .pdf417), (.qr, .qr), (.upce, .upce),
        (.maxiCode, .maxiCodeSymbology),
    ]

    private static let bySymbology = Dictionary(uniqueKeysWithValues: classicNames.map { ($1, $0) })
    private static let byCase = Dictionary(uniqueKeysWithValues: classicNames)

    /// Creates the case of a symbology of the classic API.
    init(_ symbology: VNBarcodeSymbology) { self = Self.bySymbology[symbology] ?? .unknown }

    /// The symbology of the classic API; nil if it is unknown.
    var classic: VNBarcodeSymbology? { Self.byCase[self] }
}
