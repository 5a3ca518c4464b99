import Foundation
import VisionAlgorithms
import VisionImage

/// Registration by phase correlation.
public let VNTrackTranslationalImageRegistrationRequestRevision1: Int = 1

/// Finds the translation that moves each frame of a video onto the frame before.
///
/// The request keeps the previous frame. Results are those of `VNTranslationalImageRegistrationRequest` with the frame
/// as the targeted image and the previous one as the reference: where the camera moves to the right, the content moves
/// to the left, and `tx` is above 0. The first frame, and one of another size or with another region of interest than
/// the one before, has no result (an empty array).
open class VNTrackTranslationalImageRegistrationRequest: VNStatefulRequest, VNTypedRequest {
    /// The class of the result: one observation, none for the first frame.
    public typealias ResultObservation = VNImageTranslationAlignmentObservation

    /// Two: a result needs a previous frame.
    open override var minimumLatencyFrameCount: Int { 2 }

    private struct State: Sendable {
        var previous = PreviousFrame()
        /// The spectrum of a frame serves twice.
        let registration = RegistrationMemory()
    }
    private var memory = RequestMemory(State())

    override func shareMemory(of other: VNStatefulRequest) {
        if let other = other as? VNTrackTranslationalImageRegistrationRequest { memory = other.memory }
    }

    override class var revisionTable: RevisionTable { .trackTranslationalRegistration }

    override func makeCopy() -> VNRequest {
        VNTrackTranslationalImageRegistrationRequest(
            frameAnalysisSpacing: frameAnalysisSpacing, completionHandler: completionHandler)
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let (region, revision, spacing) = (try checkedRegionOfInterest(), revision, frameAnalysisSpacing)
        return RequestJob(queue: SerialQueue(of: memory)) { [memory] context in
            let size = try context.image.uprightImageSize()
            let part = region.wholePixels(in: size)
            let frame = try context.image.grey(in: part)
            try context.cancellation.check()
            let found = try memory.analyse(at: context.time, spacing: spacing) { state in
                try state.previous.replace(with: frame, region: part, in: size).map {
                    try state.registration.translation(of: frame, onto: $0)
                }
            }
            guard let found = found ?? nil else { return [] }
            return [
                VNImageTranslationAlignmentObservation(
                    alignmentTransform: alignmentTransform(movingRight: found.dx, down: found.dy),
                    confidence: VNConfidence(found.confidence), requestRevision: revision,
                    timeRange: context.timeRange)
            ]
        }
    }
}
