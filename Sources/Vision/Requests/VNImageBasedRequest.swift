/// A request about an image or a part of it: an abstract base class.
open class VNImageBasedRequest: VNRequest {
    /// The part of the upright image that the request processes, normalised, origin at the lower left. The whole by
    /// default.
    ///
    /// Input and output coordinates of the request are relative to this part. A part that reaches outside the image
    /// makes the perform fail with `outOfBoundsError`, one with a negative size, zero size or NaN with
    /// `invalidArgument`.
    open var regionOfInterest: CGRect = VNNormalizedIdentityRect

    override func makeCopy() -> VNRequest { VNImageBasedRequest(completionHandler: completionHandler) }

    override func copyParameters(to copy: VNRequest) {
        super.copyParameters(to: copy)
        (copy as? VNImageBasedRequest)?.regionOfInterest = regionOfInterest
    }

    /// The validated region of interest.
    final func checkedRegionOfInterest() throws -> NormalizedRegion {
        try NormalizedRegion(regionOfInterest)
    }
}
