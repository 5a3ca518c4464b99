import VisionAlgorithms
import VisionImage

/// The symbologies of iOS 11.
public let VNDetectBarcodesRequestRevision1: Int = 1
/// Adds Codabar, GS1 DataBar, GS1 DataBar Expanded and Micro QR.
public let VNDetectBarcodesRequestRevision2: Int = 2
/// The same as revision 2 here: Apple's revisions differ in the detection method.
public let VNDetectBarcodesRequestRevision3: Int = 3
/// As revision 3, with the supplemental digits beside EAN and UPC barcodes.
///
/// Partly implemented: MSI Plessey is not read.
public let VNDetectBarcodesRequestRevision4: Int = 4

/// Detects and reads barcodes: one observation for each barcode.
///
/// Barcodes may be rotated by any angle, mirrored (2-D barcodes), light on dark, slanted and somewhat blurred, and an
/// image may contain several. If the image itself gives no result, transformed copies are searched: enlarged,
/// sharpened, rotated. Corners and boxes are normalised to the region of interest.
///
/// The reader is ZXing-C++; nothing has to be installed. Documentation/Barcodes.md describes the format of payloads.
open class VNDetectBarcodesRequest: VNImageBasedRequest, VNTypedRequest {
    /// The class of the results.
    public typealias ResultObservation = VNBarcodeObservation

    /// The symbologies to search for. All that the revision reads by default; fewer are faster.
    ///
    /// A symbology that the revision does not read makes the perform fail: `notImplemented` if only this package lacks
    /// it, else `invalidArgument`. Setting `revision` resets this to all that it reads.
    open var symbologies: [VNBarcodeSymbology] = []

    /// Creates a request.
    ///
    /// - Parameter completionHandler: Called when the request is done, before `perform` returns.
    public override init(completionHandler: VNRequestCompletionHandler?) {
        super.init(completionHandler: completionHandler)
        symbologies = BarcodeConventions.symbologies(ofRevision: revision)
    }

    /// The revision; see the constants. Setting it resets `symbologies` to all that it reads.
    open override var revision: Int {
        didSet { symbologies = BarcodeConventions.symbologies(ofRevision: revision) }
    }

    /// The symbologies that the default revision reads.
    open class var supportedSymbologies: [VNBarcodeSymbology] {
        BarcodeConventions.symbologies(ofRevision: defaultRevision)
    }

    /// Returns the symbologies that the request's revision reads.
    ///
    /// - Throws: `unsupportedRevision` for a revision that does not exist.
    open func supportedSymbologies() throws -> [VNBarcodeSymbology] {
        try checkRevision()
        return BarcodeConventions.symbologies(ofRevision: revision)
    }

    override class var revisionTable: RevisionTable { .detectBarcodes }

    override func makeCopy() -> VNRequest { VNDetectBarcodesRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        (copy as? VNDetectBarcodesRequest)?.symbologies = symbologies
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision, wanted) = (try checkedRegionOfInterest(), revision, try checkedSymbologies())
        let formats = BarcodeConventions.formats(of: wanted)
        return RequestJob { context in
            let size = try context.image.uprightImageSize()
            let pixels = region.wholePixels(in: size)
            let (codes, grey) = try context.barcodes(
                in: pixels, formats: formats, readsAddOns: revision >= VNDetectBarcodesRequestRevision4)
            return codes.compactMap { code in
                guard let reading = BarcodeConventions.reading(of: code, among: wanted) else { return nil }
                let corners = code.corners.map { corner -> CGPoint in
                    let box = region.normalizedBox(
                        of: PixelRegion(x: corner.x + pixels.x, y: corner.y + pixels.y, width: 0, height: 0), in: size)
                    return box.origin
                }
                return VNBarcodeObservation(
                    symbology: reading.symbology,
                    payload: (
                        reading.payload, BarcodeConventions.data(of: code, payload: reading.payload),
                        code.supplement.isEmpty ? nil : code.supplement
                    ), descriptor: BarcodeConventions.descriptor(of: code, in: grey),
                    isGS1: code.content == .gs1 || !code.format.isDisjoint(with: .dataBars),
                    isInverted: code.isInverted, confidence: BarcodeConventions.confidence(of: code),
                    requestRevision: revision,
                    corners: (
                        topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3]
                    ), timeRange: context.timeRange)
            }
        }
    }

    private func checkedSymbologies() throws -> Set<VNBarcodeSymbology> {
        let known = BarcodeConventions.symbologies(ofRevision: revision)
        for symbology in symbologies where !known.contains(symbology) {
            if BarcodeConventions.unreadable.contains(symbology) {
                throw visionError(.notImplemented, "\(symbology.rawValue) is not read by this package.")
            }
            let later = BarcodeConventions.entries.first { $0.symbology == symbology }
            throw visionError(
                .invalidArgument,
                later.map { "\(symbology.rawValue) is read from revision \($0.revision) on." }
                    ?? "There is no symbology \(symbology.rawValue).")
        }
        return Set(symbologies)
    }
}
