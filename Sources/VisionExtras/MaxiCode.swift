public import Vision

extension VNBarcodeSymbology {
    /// MaxiCode, which Apple's Vision does not read. `VNDetectBarcodesRequest` does from revision 4 on, where the code is
    /// all that the image shows; its box is then the whole image.
    public static var maxiCode: VNBarcodeSymbology { .maxiCodeOfTheReader }
}
