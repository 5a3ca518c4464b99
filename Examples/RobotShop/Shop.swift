import Foundation
import Vision

/// Tells the parts of a robot shop apart, live: nothing while the camera moves; held still, a frame is looked at for a part and,
/// as the plan B, for a barcode.
final class Shop: @unchecked Sendable {
    // Unchecked: `handler`, `previous` and `history` belong to the thread of the camera, what changes besides is under `lock`.

    /// What a frame told.
    struct Finding: Equatable, Sendable {
        /// The part, where the classifier is sure of it.
        var part: String?
        /// What a barcode says.
        var barcode: String?
    }

    /// Shifts that are looked at together, and the pixels below which they count as no movement.
    private static let historyLength = 15
    private static let stillBelow: CGFloat = 20

    private let handler = VNSequenceRequestHandler()
    private var previous: CVPixelBuffer?
    private var history: [CGPoint] = []

    private let sureness: VNConfidence
    private let queue = DispatchQueue(label: "RobotShop.analysis")
    private let show: @Sendable (Finding) -> Void
    private let lock = NSLock()
    private var model: VNCoreMLModel?
    private var analysed: CVPixelBuffer?
    private var analysisCount = 0

    /// - Parameters:
    ///   - model: The classifier of the parts; nil to look for barcodes only.
    ///   - sureness: The confidence from which on a part is told. Between things it is low; in front of one it jumps.
    ///   - show: Called on the queue of the analysis with what a frame told.
    init(model: VNCoreMLModel?, sureness: VNConfidence = 0.98, show: @escaping @Sendable (Finding) -> Void) {
        self.model = model
        self.sureness = sureness
        self.show = show
    }

    /// Takes another classifier, from the next frame that is looked at.
    func use(_ model: VNCoreMLModel) { lock.withLock { self.model = model } }

    /// How many frames were looked at so far.
    var analyses: Int { lock.withLock { analysisCount } }

    /// Whether a frame is being looked at.
    var isBusy: Bool { lock.withLock { analysed != nil } }

    /// The path of the last shifts: a line to draw, long while the camera moves.
    var path: CGPoint { history.reduce(.zero) { CGPoint(x: $0.x + $1.x, y: $0.y + $1.y) } }

    /// Whether the camera is held still: the last fifteen shifts together are under twenty pixels.
    var isStill: Bool {
        history.count == Self.historyLength && abs(path.x) + abs(path.y) < Self.stillBelow
    }

    /// Forgets the shifts, as after a pause.
    func reset() {
        previous = nil
        history.removeAll()
    }

    /// Takes a frame of the camera. Returns at once: what takes long happens on a queue of its own, one frame at a time, and
    /// frames that come meanwhile are not kept, since a camera has few buffers.
    func captured(_ frame: CVPixelBuffer, orientation: CGImagePropertyOrientation) {
        guard let previous else {
            previous = frame
            history.removeAll()
            return
        }
        let registration = VNTranslationalImageRegistrationRequest(targetedCVPixelBuffer: frame)
        try? handler.perform([registration], on: previous)
        self.previous = frame
        guard let shift = registration.results?.first?.alignmentTransform else { return }
        history.append(CGPoint(x: shift.tx, y: shift.ty))
        if history.count > Self.historyLength { history.removeFirst() }
        guard isStill else { return }

        let isFree = lock.withLock {
            guard analysed == nil else { return false }
            analysed = frame
            return true
        }
        guard isFree else { return }
        queue.async { [self] in
            analyse(orientation)
        }
    }

    /// Waits until the frame under analysis is done.
    func finish() { queue.sync {} }

    private func analyse(_ orientation: CGImagePropertyOrientation) {
        let (analysed, model) = lock.withLock { (self.analysed, self.model) }
        guard let frame = analysed else { return }
        let finding = look(at: frame, orientation, for: model)
        lock.withLock {
            // The buffer goes back to the camera.
            self.analysed = nil
            analysisCount += 1
        }
        if finding != Finding() { show(finding) }
    }

    /// Both requests in one perform: they share what is made of the frame.
    private func look(
        at frame: CVPixelBuffer, _ orientation: CGImagePropertyOrientation, for model: VNCoreMLModel?
    ) -> Finding {
        var finding = Finding()
        let barcodes = VNDetectBarcodesRequest { request, _ in
            finding.barcode = (request.results?.first as? VNBarcodeObservation)?.payloadStringValue
        }
        var requests: [VNRequest] = [barcodes]
        if let model {
            let classes = VNCoreMLRequest(model: model) { [sureness] request, _ in
                guard let best = request.results?.first as? VNClassificationObservation,
                    best.confidence > sureness
                else { return }
                finding.part = best.identifier
            }
            classes.imageCropAndScaleOption = .centerCrop
            requests.append(classes)
        }
        try? VNImageRequestHandler(cvPixelBuffer: frame, orientation: orientation).perform(requests)
        return finding
    }
}
