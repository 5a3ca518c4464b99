/// The transform that aligns two images: the base class of the observations of registration requests.
open class VNImageAlignmentObservation: VNObservation, @unchecked Sendable {}
