public import Vision

extension VNBarcodeSymbology {
    /// MaxiCode, which Apple's Vision does not read. `VNDetectBarcodesRequest` reads it from revision 4 on, if the
    /// barcode fills the image; its box is then the whole image.
    public static var maxiCode: VNBarcodeSymbology { .maxiCodeSymbology }
}
