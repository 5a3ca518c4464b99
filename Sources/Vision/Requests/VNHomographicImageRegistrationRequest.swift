import VisionAlgorithms
import VisionImage

/// Registration by direct alignment, and by features for images from different viewpoints.
public let VNHomographicImageRegistrationRequestRevision1: Int = 1

/// Finds the homography that moves the targeted (floating) image onto the handler's image (the reference): between two
/// views of a plane, or of any scene by a camera that only rotates.
///
/// Both are compared upright and in grey. The region of interest refers to the floating image: the warp maps its pixels
/// to those of the reference, each relative to the lower left corner. Apple's request requires that both have the same
/// size in pixels; this one takes images of any two sizes.
///
/// Images without common content, or without texture, give the identity with confidence 0. A confidence above 0.8 is
/// hardly ever wrong; below 0.3 the warp is unreliable. A scene of several planes has no single homography: the warp is
/// that of the plane with the most features, and the confidence falls with the number of features that move
/// differently.
open class VNHomographicImageRegistrationRequest: VNImageRegistrationRequest, VNTypedRequest {
    /// The class of the result: one observation.
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

/// Converts a map from the floating image to the reference to Vision's convention: y up instead of down, floats,
/// column-major.
func warpTransform(_ map: Homography, floatingHeight: Int, referenceHeight: Int) -> matrix_float3x3 {
    func flip(_ height: Int) -> Homography { Homography([1, 0, 0], [0, -1, Double(height)], [0, 0, 1]) }
    let warp = flip(referenceHeight) * map * flip(floatingHeight)
    func row(_ row: SIMD3<Double>) -> SIMD3<Float> {
        // Adding 0 avoids negative zeros.
        SIMD3(Float(row.x) + 0, Float(row.y) + 0, Float(row.z) + 0)
    }
    return matrix_float3x3(rows: [row(warp.row0), row(warp.row1), row(warp.row2)])
}
