import VisionImage

/// Registration by phase correlation.
public let VNTranslationalImageRegistrationRequestRevision1: Int = 1

/// Finds the translation that moves the targeted (floating) image onto the handler's image (the reference).
///
/// Both are compared upright, in grey and at full size, so the translation is in pixels, with subpixel precision.
/// Images without texture give confidence 0 and the identity. With a region of interest that part of both images is
/// compared; if their sizes differ, the region of the floating image alone must have the size of the reference. Other
/// sizes fail with `invalidArgument`.
open class VNTranslationalImageRegistrationRequest: VNImageRegistrationRequest, VNTypedRequest {
    /// The class of the result: one observation.
    public typealias ResultObservation = VNImageTranslationAlignmentObservation

    override class var revisionTable: RevisionTable { .translationalRegistration }

    override func makeCopy() -> VNRequest {
        VNTranslationalImageRegistrationRequest(target: target, completionHandler: completionHandler)
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let region = try checkedRegionOfInterest()
        let (target, revision, memory) = (target, revision, state.registration)
        return RequestJob(queue: SerialQueue(of: state.registration)) { context in
            let images = try RegistrationPair(
                reference: context.image, floating: try target.makeSource().get(), region: region)
            try context.cancellation.check()
            let found = try memory.translation(of: images.floating, onto: images.reference)
            return [
                VNImageTranslationAlignmentObservation(
                    alignmentTransform: alignmentTransform(movingRight: found.dx, down: found.dy),
                    confidence: VNConfidence(found.confidence), requestRevision: revision,
                    timeRange: context.timeRange)
            ]
        }
    }
}

/// Returns the transform that moves the floating image onto the reference: Vision's y points up, that of pixels down.
///
/// This is the only place that determines the signs. Apple documents that the transform moves the floating image onto
/// the reference; that its `ty` has this sign is not confirmed by a run of Apple's framework.
///
/// - Parameters:
///   - right: The shift of the floating image to the right, in pixels.
///   - down: Its shift down, in pixels.
func alignmentTransform(movingRight right: Double, down: Double) -> CGAffineTransform {
    // 0 minus the value avoids negative zeros.
    CGAffineTransform(translationX: CGFloat(right), y: 0 - CGFloat(down))
}
