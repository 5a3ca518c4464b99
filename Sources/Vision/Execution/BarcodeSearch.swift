import VisionAlgorithms
import VisionImage

/// The barcodes in a region of an image, read with one set of parameters.
private struct BarcodesKey: ImageResultKey {
    let region: PixelRegion
    let formats: BarcodeFormats
    let readsAddOns: Bool

    static func byteCount(of codes: [FoundBarcode]) -> Int {
        codes.reduce(0) { $0 + 256 + $1.text.utf8.count + $1.bytes.count + $1.codewords.count }
    }
}

extension PerformContext {
    /// Returns the barcodes in a region of the image, in pixels of the region, and the region in grey. Requests share
    /// both.
    ///
    /// - Throws: `ImageError` when the image cannot be read, `BarcodeError`, and the error of a cancelled request.
    func barcodes(
        in region: PixelRegion, formats: BarcodeFormats, readsAddOns: Bool
    ) throws -> (codes: [FoundBarcode], grey: Raster) {
        let grey = try image.derivative(
            Derivative(region: region, width: Int(region.width), height: Int(region.height), format: .grey8))
        let key = BarcodesKey(region: region, formats: formats, readsAddOns: readsAddOns)
        let cancellation = cancellation
        let codes = try image.results.result(for: key) {
            try BarcodeScanner(
                image: grey, formats: formats, readsAddOns: readsAddOns, threads: Settings.threadCount
            ).codes { try cancellation.check() }
        }
        try cancellation.check()
        return (codes, grey)
    }
}
