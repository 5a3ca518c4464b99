/// The transform that aligns two images: the base class of the observations of registration requests.
public class VNImageAlignmentObservation: VNObservation, @unchecked Sendable {}
