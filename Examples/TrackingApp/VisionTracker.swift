import Foundation
import Vision

/// Tracks the objects and rectangles that a user has picked through a video, as Apple's sample of 2018 does: one
/// request for each target, all in one perform a frame, the result of a frame the input of the next.
final class VisionTracker {
    /// How a box is drawn: solid for a confidence above a half.
    enum Style: Sendable {
        case solid
        case dashed
    }

    /// A target as it is drawn.
    struct Drawn {
        /// Corners in the order top left, top right, bottom right, bottom left; normalised, origin at the lower left.
        var corners: [CGPoint]
        var style: Style
        var confidence: VNConfidence
    }

    /// What to draw after a frame, by the uuids of the targets.
    typealias Drawing = [UUID: Drawn]

    private let handler = VNSequenceRequestHandler()
    private let level: VNRequestTrackingLevel
    private let revision: Int?
    private var inputs: [UUID: VNDetectedObjectObservation] = [:]
    private let lock = NSLock()
    private var cancelled = false

    /// - Parameters:
    ///   - targets: What the user picked in the first frame: `VNRectangleObservation`s are tracked as rectangles,
    ///     others as objects.
    ///   - level: Fast or accurate; for objects it has an effect in revision 1 only.
    ///   - revision: The revision of `VNTrackObjectRequest`; nil for the default one.
    init(targets: [VNDetectedObjectObservation], level: VNRequestTrackingLevel, revision: Int? = nil) {
        self.level = level
        self.revision = revision
        for target in targets { inputs[target.uuid] = target }
    }

    /// Ends `track` before its next frame. May be called from any thread.
    func cancel() { lock.withLock { cancelled = true } }

    private var isCancelled: Bool { lock.withLock { cancelled } }

    /// Tracks until the video ends or `cancel` is called, and passes each frame to `show` with what to draw.
    ///
    /// - Returns: The first error of a tracker, if any failed; the others continue.
    func track(
        _ frames: some Sequence<CVPixelBuffer>, orientation: CGImagePropertyOrientation = .up,
        show: (CVPixelBuffer, Drawing) -> Void
    ) -> Error? {
        var failure: Error?
        var iterator = frames.makeIterator()
        var next = iterator.next()
        while let frame = next, !isCancelled, !inputs.isEmpty {
            next = iterator.next()
            let isLast = next == nil
            let requests = inputs.values.map { input -> VNTrackingRequest in
                let request: VNTrackingRequest =
                    if let rectangle = input as? VNRectangleObservation {
                        VNTrackRectangleRequest(rectangleObservation: rectangle)
                    } else {
                        objectRequest(input)
                    }
                request.trackingLevel = level
                request.isLastFrame = isLast
                return request
            }
            do {
                try handler.perform(requests, on: frame, orientation: orientation)
            } catch {
                failure = failure ?? error
            }
            var drawing: Drawing = [:]
            for request in requests {
                guard let observation = request.results?.first as? VNDetectedObjectObservation else {
                    inputs[request.inputObservation.uuid] = nil
                    continue
                }
                drawing[observation.uuid] = drawn(observation)
                inputs[observation.uuid] = observation
            }
            show(frame, drawing)
        }
        return failure
    }

    private func objectRequest(_ input: VNDetectedObjectObservation) -> VNTrackObjectRequest {
        let request = VNTrackObjectRequest(detectedObjectObservation: input)
        if let revision { request.revision = revision }
        return request
    }

    private func drawn(_ observation: VNDetectedObjectObservation) -> Drawn {
        let box = observation.boundingBox
        var corners = [
            CGPoint(x: box.minX, y: box.maxY), CGPoint(x: box.maxX, y: box.maxY), CGPoint(x: box.maxX, y: box.minY),
            CGPoint(x: box.minX, y: box.minY),
        ]
        if let rectangle = observation as? VNRectangleObservation {
            corners = [rectangle.topLeft, rectangle.topRight, rectangle.bottomRight, rectangle.bottomLeft]
        }
        return Drawn(
            corners: corners, style: observation.confidence > 0.5 ? .solid : .dashed,
            confidence: observation.confidence)
    }
}
