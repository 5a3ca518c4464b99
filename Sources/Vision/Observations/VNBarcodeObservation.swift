import VisionImage

/// A barcode: its location, symbology and payload.
///
/// The corners are in the barcode's own orientation: `topLeft` of an upside-down barcode is at the lower right of the
/// image. Linear (1-D) barcodes extend from the first bar to the last, and across the bars as far as their content was
/// read; their boxes never have zero height.
open class VNBarcodeObservation: VNRectangleObservation, @unchecked Sendable {
    /// The symbology.
    open private(set) var symbology: VNBarcodeSymbology
    /// The data for redrawing the barcode: for QR and Data Matrix codes, if the library provides enough.
    ///
    /// Partly implemented: nil for Aztec and PDF417, whose layers, rows and columns the library does not provide, and
    /// for all where the library gives no codewords (ZXing-C++ 2.3, which Debian 13 has).
    open private(set) var barcodeDescriptor: CIBarcodeDescriptor?
    /// The payload as text; nil if it is not text. Documentation/Barcodes.md describes the format for each symbology.
    open private(set) var payloadStringValue: String?
    /// The payload as it was encoded.
    open private(set) var payloadData: Data?
    /// Whether the payload consists of GS1 element strings.
    open private(set) var isGS1DataCarrier: Bool
    /// Whether the barcode is light on dark.
    open private(set) var isColorInverted: Bool
    /// The two or five digits beside an EAN or UPC barcode; nil if there are none. From revision 4 on.
    open private(set) var supplementalPayloadString: String?

    /// The bytes of `supplementalPayloadString`.
    open var supplementalPayloadData: Data? { supplementalPayloadString.map { Data($0.utf8) } }

    /// Creates an observation without a payload, for subclasses and tests.
    public override init() {
        symbology = VNBarcodeSymbology(rawValue: "")
        barcodeDescriptor = nil
        payloadStringValue = nil
        payloadData = nil
        isGS1DataCarrier = false
        isColorInverted = false
        supplementalPayloadString = nil
        super.init()
    }

    init(
        symbology: VNBarcodeSymbology, payload: (text: String?, data: Data, supplement: String?),
        descriptor: CIBarcodeDescriptor?, isGS1: Bool, isInverted: Bool, confidence: VNConfidence,
        requestRevision: Int, corners: Corners, timeRange: CMTimeRange
    ) {
        self.symbology = symbology
        barcodeDescriptor = descriptor
        payloadStringValue = payload.text
        payloadData = payload.data
        isGS1DataCarrier = isGS1
        isColorInverted = isInverted
        supplementalPayloadString = payload.supplement
        super.init(
            uuid: UUID(), confidence: confidence, requestRevision: requestRevision, corners: corners,
            timeRange: timeRange)
    }

    /// Creates an observation from an archive; nil if the archive holds no observation of this class.
    public required init?(coder: NSCoder) {
        guard let archive = ObservationArchive(from: coder), let name = archive.text("symbology") else { return nil }
        symbology = VNBarcodeSymbology(rawValue: name)
        payloadStringValue = archive.text("payload")
        payloadData = archive.text("payloadData").flatMap { Data(base64Encoded: $0) }
        supplementalPayloadString = archive.text("supplementalPayload")
        isGS1DataCarrier = archive.integer("isGS1") == 1
        isColorInverted = archive.integer("isColorInverted") == 1
        barcodeDescriptor = Self.descriptor(in: archive)
        super.init(coder: archive.coder)
    }

    override func encode(into archive: inout ObservationArchive) {
        super.encode(into: &archive)
        archive.set("symbology", symbology.rawValue)
        if let payloadStringValue { archive.set("payload", payloadStringValue) }
        if let payloadData { archive.set("payloadData", payloadData.base64EncodedString()) }
        if let supplementalPayloadString { archive.set("supplementalPayload", supplementalPayloadString) }
        archive.set("isGS1", isGS1DataCarrier ? 1 : 0)
        archive.set("isColorInverted", isColorInverted ? 1 : 0)
        let numbers: [Int]
        let codewords: Data
        switch barcodeDescriptor {
        case let qr as CIQRCodeDescriptor:
            numbers = [qr.symbolVersion, Int(qr.maskPattern), qr.errorCorrectionLevel.rawValue]
            codewords = qr.errorCorrectedPayload
        case let matrix as CIDataMatrixCodeDescriptor:
            numbers = [matrix.rowCount, matrix.columnCount]
            codewords = matrix.errorCorrectedPayload
        default: return
        }
        archive.set("descriptor", numbers.map(Double.init))
        archive.set("codewords", codewords.base64EncodedString())
    }

    private static func descriptor(in archive: ObservationArchive) -> CIBarcodeDescriptor? {
        guard let codewords = archive.text("codewords").flatMap({ Data(base64Encoded: $0) }) else { return nil }
        func integers(_ count: Int) -> [Int]? {
            guard let numbers = archive.numbers("descriptor", count: count) else { return nil }
            let integers = numbers.compactMap { Int(exactly: $0) }
            return integers.count == count ? integers : nil
        }
        if let numbers = integers(3), let mask = UInt8(exactly: numbers[1]),
            let level = CIQRCodeDescriptor.ErrorCorrectionLevel(rawValue: numbers[2])
        {
            return CIQRCodeDescriptor(
                payload: codewords, symbolVersion: numbers[0], maskPattern: mask, errorCorrectionLevel: level)
        }
        return integers(2).flatMap {
            CIDataMatrixCodeDescriptor(payload: codewords, rowCount: $0[0], columnCount: $0[1], eccVersion: .v200)
        }
    }
}
