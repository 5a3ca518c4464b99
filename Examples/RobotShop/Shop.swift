import Foundation
import Vision

/// Recognises the parts of a robot shop in live video: nothing while the camera moves; while it is still, frames are
/// classified and, as the fallback, searched for a barcode.
final class Shop: @unchecked Sendable {
    // Unchecked: `handler`, `previous` and `history` belong to the thread of the camera, `lock` protects all other
    // state that changes.

    /// What was found in a frame.
    struct Finding: Equatable, Sendable {
        /// The part, where the confidence of the classifier is high enough.
        var part: String?
        /// The payload of a barcode.
        var barcode: String?
    }

    /// The number of recent shifts that are summed, and the pixels below which their sum counts as no movement.
    private static let historyLength = 15
    private static let stillBelow: CGFloat = 20

    private let handler = VNSequenceRequestHandler()
    private var previous: CVPixelBuffer?
    private var history: [CGPoint] = []

    private let minimumConfidence: VNConfidence
    private let queue = DispatchQueue(label: "RobotShop.analysis")
    private let show: @Sendable (Finding) -> Void
    private let lock = NSLock()
    private var model: VNCoreMLModel?
    private var analysed: CVPixelBuffer?
    private var analysisCount = 0

    /// - Parameters:
    ///   - model: The classifier of the parts; nil to search barcodes only.
    ///   - minimumConfidence: The confidence from which on a part is reported. It is low between parts and jumps in
    ///     front of one.
    ///   - show: Called on the queue of the analysis with what was found in a frame.
    init(model: VNCoreMLModel?, minimumConfidence: VNConfidence = 0.98, show: @escaping @Sendable (Finding) -> Void) {
        self.model = model
        self.minimumConfidence = minimumConfidence
        self.show = show
    }

    /// Replaces the classifier, from the next analysed frame on.
    func use(_ model: VNCoreMLModel) { lock.withLock { self.model = model } }

    /// The number of frames analysed so far.
    var analyses: Int { lock.withLock { analysisCount } }

    /// Whether a frame is being analysed.
    var isBusy: Bool { lock.withLock { analysed != nil } }

    /// The sum of the recent shifts: a line to draw, long while the camera moves.
    var path: CGPoint { history.reduce(.zero) { CGPoint(x: $0.x + $1.x, y: $0.y + $1.y) } }

    /// Whether the camera is held still: the sum of the last fifteen shifts is below twenty pixels.
    var isStill: Bool {
        history.count == Self.historyLength && abs(path.x) + abs(path.y) < Self.stillBelow
    }

    /// Forgets the shifts, as after a pause.
    func reset() {
        previous = nil
        history.removeAll()
    }

    /// Takes a frame of the camera and returns at once. The analysis runs on its own queue, one frame at a time; frames
    /// that arrive meanwhile are dropped, since a camera has few buffers.
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

    /// Waits until the frame in analysis is finished.
    func finish() { queue.sync {} }

    private func analyse(_ orientation: CGImagePropertyOrientation) {
        let (analysed, model) = lock.withLock { (self.analysed, self.model) }
        guard let frame = analysed else { return }
        let finding = find(in: frame, orientation, with: model)
        lock.withLock {
            // Returns the buffer to the camera.
            self.analysed = nil
            analysisCount += 1
        }
        if finding != Finding() { show(finding) }
    }

    /// Performs both requests at once, so that they share the converted pixels of the frame.
    private func find(
        in frame: CVPixelBuffer, _ orientation: CGImagePropertyOrientation, with model: VNCoreMLModel?
    ) -> Finding {
        var finding = Finding()
        let barcodes = VNDetectBarcodesRequest { request, _ in
            finding.barcode = (request.results?.first as? VNBarcodeObservation)?.payloadStringValue
        }
        var requests: [VNRequest] = [barcodes]
        if let model {
            let classes = VNCoreMLRequest(model: model) { [minimumConfidence] request, _ in
                guard let best = request.results?.first as? VNClassificationObservation,
                    best.confidence > minimumConfidence
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
