import VisionAlgorithms
import VisionImage

/// Registration by direct alignment, and by features where images are taken from different places.
public let VNHomographicImageRegistrationRequestRevision1: Int = 1

/// Finds how the targeted (floating) image has to be warped to lie on the handler's image (the reference): the homography
/// between two views of a plane, or of anything by a camera that only turns.
///
/// Both are compared upright and in grey. The region of interest is that of the floating image: the warp takes its pixels to
/// those of the reference, each counted from the lower left corner. Apple's request demands that both have the same size in
/// pixels; this one takes images of any two sizes.
///
/// Images that have nothing in common, or nothing to go by, give the identity with confidence 0. A confidence above 0.8 is
/// hardly ever wrong; below 0.3 the warp is a guess. What lies on several planes has no one homography: the warp is that of the
/// plane with the most features, and the confidence is lower the more features move otherwise.
public final class VNHomographicImageRegistrationRequest: VNImageRegistrationRequest, VNTypedRequest {
    /// What is found: one observation.
    public typealias ResultObservation = VNImageHomographicAlignmentObservation

    override class var revisionTable: RevisionTable { .homographicRegistration }

    override func makeCopy() -> VNRequest {
        VNHomographicImageRegistrationRequest(target: target, completionHandler: completionHandler)
    }

    override func makeJob(in state: HandlerState) throws -> RequestJob {
        try checkRevision()
        let region = try checkedRegionOfInterest()
        let (target, revision) = (target, revision)
        return RequestJob { context in
            let images = try RegistrationPair(
                region: region, of: try target.makeSource().get(), ontoWhole: context.image)
            try context.cancellation.check()
            let found = try PlanarRegistrar.register(reference: images.reference, floating: images.floating) {
                try context.cancellation.check()
            }
            return [
                VNImageHomographicAlignmentObservation(
                    warpTransform: warpTransform(
                        found.map, floatingHeight: images.floating.height, referenceHeight: images.reference.height),
                    confidence: VNConfidence(found.confidence), requestRevision: revision,
                    timeRange: context.timeRange)
            ]
        }
    }
}

/// A map from the floating image to the reference, as Vision states it: y up instead of down, floats, by columns.
private func warpTransform(_ map: Homography, floatingHeight: Int, referenceHeight: Int) -> matrix_float3x3 {
    func flip(_ height: Int) -> Homography { Homography([1, 0, 0], [0, -1, Double(height)], [0, 0, 1]) }
    let warp = flip(referenceHeight) * map * flip(floatingHeight)
    func row(_ row: SIMD3<Double>) -> SIMD3<Float> {
        // 0 added, so that there is no negative zero.
        SIMD3(Float(row.x) + 0, Float(row.y) + 0, Float(row.z) + 0)
    }
    return matrix_float3x3(rows: [row(warp.row0), row(warp.row1), row(warp.row2)])
}
