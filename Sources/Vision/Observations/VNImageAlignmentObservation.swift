/// How one image has to be moved to lie on another: the common base of what registration requests find.
public class VNImageAlignmentObservation: VNObservation, @unchecked Sendable {}
