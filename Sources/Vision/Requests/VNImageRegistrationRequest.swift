/// A request for how to move the targeted (floating) image so that it lies on the handler's image (the reference): an
/// abstract base.
public class VNImageRegistrationRequest: VNTargetedImageRequest {}
