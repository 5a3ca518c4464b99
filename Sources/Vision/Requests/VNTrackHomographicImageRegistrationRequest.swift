import Foundation
import VisionAlgorithms
import VisionImage

/// Registration by direct alignment, and by features.
public let VNTrackHomographicImageRegistrationRequestRevision1: Int = 1

/// Finds the homography that moves each frame of a video onto the frame before.
///
/// The request keeps the previous frame. Results are those of `VNHomographicImageRegistrationRequest` with the frame as
/// the targeted image and the previous one as the reference; with a region of interest that part of both is compared,
/// and the warp maps pixels relative to its lower left corner. The first frame, and one of another size or with another
/// region than the one before, has no result (an empty array).
open class VNTrackHomographicImageRegistrationRequest: VNStatefulRequest, VNTypedRequest {
    /// The class of the result: one observation, none for the first frame.
    public typealias ResultObservation = VNImageHomographicAlignmentObservation

    /// Two: a result needs a previous frame.
    open override var minimumLatencyFrameCount: Int { 2 }

    private var memory = RequestMemory(PreviousFrame())

    override func shareMemory(of other: VNStatefulRequest) {
        if let other = other as? VNTrackHomographicImageRegistrationRequest { memory = other.memory }
    }

    override class var revisionTable: RevisionTable { .trackHomographicRegistration }

    override func makeCopy() -> VNRequest {
        VNTrackHomographicImageRegistrationRequest(
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
            let found = try memory.analyse(at: context.time, spacing: spacing) { previous in
                try previous.replace(with: frame, region: part, in: size).map {
                    try PlanarRegistrar.register(reference: $0, floating: frame) {
                        try context.cancellation.check()
                    }
                }
            }
            guard let found = found ?? nil else { return [] }
            return [
                VNImageHomographicAlignmentObservation(
                    warpTransform: warpTransform(
                        found.map, floatingHeight: frame.height, referenceHeight: frame.height),
                    confidence: VNConfidence(found.confidence), requestRevision: revision,
                    timeRange: context.timeRange)
            ]
        }
    }
}
