/// The symbologies that the reader distinguishes.
package struct BarcodeFormats: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let aztec = BarcodeFormats(rawValue: 1 << 0)
    package static let codabar = BarcodeFormats(rawValue: 1 << 1)
    package static let code39 = BarcodeFormats(rawValue: 1 << 2)
    package static let code93 = BarcodeFormats(rawValue: 1 << 3)
    package static let code128 = BarcodeFormats(rawValue: 1 << 4)
    package static let dataBar = BarcodeFormats(rawValue: 1 << 5)
    package static let dataBarExpanded = BarcodeFormats(rawValue: 1 << 6)
    package static let dataMatrix = BarcodeFormats(rawValue: 1 << 7)
    package static let ean8 = BarcodeFormats(rawValue: 1 << 8)
    package static let ean13 = BarcodeFormats(rawValue: 1 << 9)
    /// Interleaved 2 of 5.
    package static let itf = BarcodeFormats(rawValue: 1 << 10)
    package static let maxiCode = BarcodeFormats(rawValue: 1 << 11)
    package static let pdf417 = BarcodeFormats(rawValue: 1 << 12)
    package static let qr = BarcodeFormats(rawValue: 1 << 13)
    package static let upca = BarcodeFormats(rawValue: 1 << 14)
    package static let upce = BarcodeFormats(rawValue: 1 << 15)
    package static let microQR = BarcodeFormats(rawValue: 1 << 16)

    /// 2-D barcodes, including PDF417, which is stacked.
    package static let matrix: BarcodeFormats = [.aztec, .dataMatrix, .maxiCode, .pdf417, .qr, .microQR]
    package static let dataBars: BarcodeFormats = [.dataBar, .dataBarExpanded]
    /// Linear (1-D) barcodes, including DataBar.
    package static let linear: BarcodeFormats = [
        .codabar, .code39, .code93, .code128, .dataBar, .dataBarExpanded, .ean8, .ean13, .itf, .upca, .upce,
    ]
    package static let all: BarcodeFormats = [.matrix, .linear]

    /// The number of agreeing scan lines that a code from altered views needs: the weaker the checks of the symbology,
    /// the more.
    var requiredScanLines: Int {
        switch self {
        case .code128, .code93: 3
        case .dataBar, .dataBarExpanded: 3
        case .upca, .ean8: 6
        case .ean13: 8
        case .upce: 8
        case .code39: 8
        default: 12
        }
    }
}
