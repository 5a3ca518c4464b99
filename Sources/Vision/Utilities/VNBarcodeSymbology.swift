/// A type of barcode.
public struct VNBarcodeSymbology: RawRepresentable, Hashable, Sendable {
    /// The name of the symbology.
    public let rawValue: String

    /// Creates a symbology with that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Aztec.
    public static let aztec = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyAztec")
    /// Code 39.
    public static let code39 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyCode39")
    /// Code 39 with a check digit.
    public static let code39Checksum = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyCode39Checksum")
    /// Code 39 with the full ASCII set.
    public static let code39FullASCII = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyCode39FullASCII")
    /// Code 39 with the full ASCII set and a check digit.
    public static let code39FullASCIIChecksum = VNBarcodeSymbology(
        rawValue: "VNBarcodeSymbologyCode39FullASCIIChecksum")
    /// Code 93.
    public static let code93 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyCode93")
    /// Code 93i.
    public static let code93i = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyCode93i")
    /// Code 128.
    public static let code128 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyCode128")
    /// Data Matrix (ECC 200).
    public static let dataMatrix = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyDataMatrix")
    /// EAN-8.
    public static let ean8 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyEAN8")
    /// EAN-13, and UPC-A with a leading 0.
    public static let ean13 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyEAN13")
    /// Interleaved 2 of 5.
    public static let i2of5 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyI2of5")
    /// Interleaved 2 of 5 with a check digit.
    public static let i2of5Checksum = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyI2of5Checksum")
    /// ITF-14.
    public static let itf14 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyITF14")
    /// PDF417.
    public static let pdf417 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyPDF417")
    /// QR code.
    public static let qr = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyQR")
    /// UPC-E.
    public static let upce = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyUPCE")
    /// Codabar, from revision 2 on.
    public static let codabar = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyCodabar")
    /// GS1 DataBar, including stacked ones, from revision 2 on.
    public static let gs1DataBar = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyGS1DataBar")
    /// GS1 DataBar Expanded, including stacked ones, from revision 2 on.
    public static let gs1DataBarExpanded = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyGS1DataBarExpanded")
    /// GS1 DataBar Limited. Not read here.
    public static let gs1DataBarLimited = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyGS1DataBarLimited")
    /// MicroPDF417. Not read here.
    public static let microPDF417 = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyMicroPDF417")
    /// Micro QR code, from revision 2 on.
    public static let microQR = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyMicroQR")
    /// MSI Plessey. Not read here.
    public static let msiPlessey = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyMSIPlessey")

    /// MaxiCode, which Apple's Vision does not know. `VisionExtras` makes it public.
    package static let maxiCodeSymbology = VNBarcodeSymbology(rawValue: "VNBarcodeSymbologyMaxiCode")
}

/// The spellings of the SDKs before iOS 15.
extension VNBarcodeSymbology {
    /// Aztec.
    public static let Aztec = aztec
    /// Code 39.
    public static let Code39 = code39
    /// Code 39 with a check digit.
    public static let Code39Checksum = code39Checksum
    /// Code 39 with the full ASCII set.
    public static let Code39FullASCII = code39FullASCII
    /// Code 39 with the full ASCII set and a check digit.
    public static let Code39FullASCIIChecksum = code39FullASCIIChecksum
    /// Code 93.
    public static let Code93 = code93
    /// Code 93i.
    public static let Code93i = code93i
    /// Code 128.
    public static let Code128 = code128
    /// Data Matrix (ECC 200).
    public static let DataMatrix = dataMatrix
    /// EAN-8.
    public static let EAN8 = ean8
    /// EAN-13, and UPC-A with a leading 0.
    public static let EAN13 = ean13
    /// Interleaved 2 of 5.
    public static let I2of5 = i2of5
    /// Interleaved 2 of 5 with a check digit.
    public static let I2of5Checksum = i2of5Checksum
    /// ITF-14.
    public static let ITF14 = itf14
    /// PDF417.
    public static let PDF417 = pdf417
    /// QR code.
    public static let QR = qr
    /// UPC-E.
    public static let UPCE = upce
}
